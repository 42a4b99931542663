#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    ReadOptions options = input.reading("vowpal-wabbit");
    if (input.chooses(0)) options.test = options.train;
    if (input.chooses(1)) options.task = input.chooses(2) ? Task::multiclass : Task::regression;
    read_and_walk(options);
  });
  return 0;
}

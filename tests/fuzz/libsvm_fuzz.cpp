#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    ReadOptions options = input.reading("libsvm");
    if (input.chooses(0)) options.test = options.train;
    if (input.chooses(1)) options.task = input.chooses(2) ? Task::multilabel : Task::regression;
    if (input.chooses(3)) options.base = input.chooses(4) ? 1 : 0;
    read_and_walk(options);
  });
  return 0;
}

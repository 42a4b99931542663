#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    ReadOptions options = input.reading("csv");
    if (input.chooses(0)) options.output_count = 2;
    if (input.chooses(1)) options.test = options.train;
    if (input.chooses(2)) options.task = Task::multilabel;
    if (input.chooses(3)) options.header = input.chooses(4);
    if (input.chooses(4)) options.categorical = {"a"};
    if (input.chooses(5)) options.separator = '\t';
    read_and_walk(options);
  });
  return 0;
}

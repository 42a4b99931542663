#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    ReadOptions options = input.reading("extreme-text");
    if (input.chooses(0)) options.test = options.train;
    read_and_walk(options);
  });
  return 0;
}

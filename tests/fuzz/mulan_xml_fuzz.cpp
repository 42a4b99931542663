#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    ReadOptions options = input.reading("arff");
    options.labels = options.train[0];
    options.train[0].text =
        "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n";
    read_and_walk(options);
  });
  return 0;
}

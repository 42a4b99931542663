#include <cstdlib>

#include "core/data/splits/split_file.h"
#include "tests/fuzz/fuzz.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    for (const Split& split : read_splits({"fuzz.csv", input.text}, std::size_t{input.choice} + 1))
      if (split.train.empty() || split.test.empty()) std::abort();
  });
  return 0;
}

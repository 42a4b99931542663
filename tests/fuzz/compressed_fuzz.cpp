#include <cstdlib>
#include <filesystem>

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

namespace {

struct FileCloser {
  int file;
  ~FileCloser() { close(file); }
};

}  // namespace

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  expect_data_or_refusal([&] {
    // A file that is nowhere but in memory.
    const int file = memfd_create("fuzz", 0);
    const FileCloser closer{file};
    if (write(file, input.text.data(), input.text.size()) != static_cast<ssize_t>(input.text.size()))
      std::abort();
    LineReader reader(std::filesystem::path("/proc/self/fd/" + std::to_string(file)));
    std::string_view line;
    for (int i = 0; i < 100000 && reader.next(line); ++i) {
    }
  });
  return 0;
}

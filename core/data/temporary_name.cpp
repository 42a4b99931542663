#include "core/data/temporary_name.h"

#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

namespace coppice {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  return path.string() + fmt::format(".{}-{}.part", getpid(), count.fetch_add(1));
}

}  // namespace coppice

#include "core/data/temporary_name.h"

#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/error.h"

namespace coppice {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  return path.string() + fmt::format(".{}-{}.part", getpid(), count.fetch_add(1));
}

std::filesystem::path file_to_replace(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(
        ErrorKind::input_output,
        fmt::format("{} cannot be written: it is no file but a folder, pipe or device", path.string()));
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target;
}

}  // namespace coppice

#include "experiments/store/files.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/data/temporary_name.h"

namespace coppice {

namespace {

/// What to do about a file that cannot be written, where there is something to be said.
const char* advice(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "; make room or choose another folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return "; choose a folder that you may write to, or ask for the permission";
    default:
      return "";
  }
}

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int code) {
  const bool writes = std::string_view(what) != "read";
  throw Error(ErrorKind::input_output, fmt::format("cannot {} '{}': {}{}", what, path.string(),
                                                   std::strerror(code), writes ? advice(code) : ""));
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("read", path, errno);
  std::string text;
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (!code) text.reserve(size);
  std::array<char, 65536> part{};
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0)
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) fail("read", path, errno);
  return text;
}

int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written >= 0)
      content.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

void write_atomically(const std::filesystem::path& wanted, std::string_view content) {
  const std::filesystem::path path = file_to_replace(wanted);
  const std::filesystem::path temporary = path.string() + ".new";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("write", path, errno);
  int code = write_all(descriptor, content);
  if (code == 0 && fsync(descriptor) != 0) code = errno;
  if (::close(descriptor) != 0 && code == 0) code = errno;
  if (code == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, code);
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail("open folder", folder, errno);
  fsync(descriptor);  // some file systems cannot sync folders; the files themselves are synced
  ::close(descriptor);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) fail("create folder", folder, code.value());
}

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create", path, errno);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    ::close(descriptor_);
    if (code == EWOULDBLOCK)
      throw Error(
          ErrorKind::usage,
          fmt::format("another coppice is running in '{}'; wait for it, or use another folder with --out",
                      folder.string()));
    fail("lock", path, code);
  }
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace coppice

#include <array>
#include <cerrno>
#include <cstring>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/data/readers/line_reader.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& message) {
  throw Error(ErrorKind::data, message, {path.string(), 0, 0});
}

class PlainFile : public ByteSource {
 public:
  explicit PlainFile(const fs::path& path)
      : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~PlainFile() override { close(descriptor_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* bytes, std::size_t size) override {
    ssize_t count = 0;
    do {
      count = ::read(descriptor_, bytes, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) fail(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
    return static_cast<std::size_t>(count);
  }

 private:
  fs::path path_;
  int descriptor_;
};

/// One compressed stream, unpacked by libarchive.
class CompressedFile : public ByteSource {
 public:
  explicit CompressedFile(const fs::path& path) : path_(path), archive_(archive_read_new()) {
    archive_read_support_filter_gzip(archive_.get());
    archive_read_support_filter_xz(archive_.get());
    archive_read_support_filter_bzip2(archive_.get());
    archive_read_support_filter_zstd(archive_.get());
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_filename(archive_.get(), path.c_str(), 1 << 16) != ARCHIVE_OK) damaged();
    const int status = archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF)
      at_end_ = true;
    else if (status != ARCHIVE_OK)
      damaged();
  }

  std::size_t read(char* bytes, std::size_t size) override {
    if (at_end_) return 0;
    const la_ssize_t count = archive_read_data(archive_.get(), bytes, size);
    if (count < 0) damaged();
    return static_cast<std::size_t>(count);
  }

 private:
  [[noreturn]] void damaged() const {
    const char* reason = archive_error_string(archive_.get());
    throw Error(ErrorKind::data,
                fmt::format("the compressed file is damaged or cut short ({}); get it again",
                            reason != nullptr ? reason : "no further reason"),
                {path_.string(), 1, 1});
  }

  struct Release {
    void operator()(archive* handle) const { archive_read_free(handle); }
  };
  fs::path path_;
  std::unique_ptr<archive, Release> archive_;
  bool at_end_ = false;
};

bool is_compressed(const fs::path& path) {
  using namespace std::string_view_literals;
  constexpr std::array magics{"\x1f\x8b"sv,
                              "\xfd"
                              "7zXZ\0"sv,
                              "BZh"sv, "\x28\xb5\x2f\xfd"sv};
  std::array<char, 8> start{};
  const std::size_t size = PlainFile(path).read(start.data(), start.size());
  const std::string_view head(start.data(), size);
  for (const std::string_view magic : magics)
    if (head.starts_with(magic)) return true;
  return false;
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail(path, "is a folder where a file is expected");
  if (is_compressed(path)) return std::make_unique<CompressedFile>(path);
  return std::make_unique<PlainFile>(path);
}

}  // namespace coppice

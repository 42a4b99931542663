#include "core/data/writers/text_writer.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/temporary_name.h"

namespace coppice {

namespace {

void add_filter(archive* handle, const std::string& suffix) {
  if (suffix == ".gz") archive_write_add_filter_gzip(handle);
  if (suffix == ".xz") archive_write_add_filter_xz(handle);
  if (suffix == ".bz2") archive_write_add_filter_bzip2(handle);
  if (suffix == ".zst") archive_write_add_filter_zstd(handle);
}

template <typename Number>
void append(std::string& buffer, Number value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  buffer.append(text.data(), result.ptr);
}

}  // namespace

void TextWriter::Release::operator()(archive* handle) const {
  archive_write_free(handle);
}

TextWriter::TextWriter(const std::filesystem::path& path)
    : path_(file_to_replace(path)), temporary_(temporary_name(path_)) {
  archive_.reset(archive_write_new());
  add_filter(archive_.get(), path_.extension().string());
  archive_write_set_format_raw(archive_.get());
  archive_write_set_bytes_in_last_block(archive_.get(), 1);
  if (archive_write_open_filename(archive_.get(), temporary_.c_str()) != ARCHIVE_OK) fail();
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  const int status = archive_write_header(archive_.get(), entry);
  archive_entry_free(entry);
  if (status != ARCHIVE_OK) fail();
}

TextWriter::~TextWriter() {
  archive_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void TextWriter::number(float value) {
  append(buffer_, value);
}
void TextWriter::number(double value) {
  append(buffer_, value);
}
void TextWriter::number(std::uint32_t value) {
  append(buffer_, value);
}

void TextWriter::flush() {
  if (buffer_.empty()) return;
  if (archive_write_data(archive_.get(), buffer_.data(), buffer_.size()) !=
      static_cast<la_ssize_t>(buffer_.size()))
    fail();
  buffer_.clear();
}

void TextWriter::close() {
  flush();
  if (archive_write_close(archive_.get()) != ARCHIVE_OK) fail();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw Error(ErrorKind::input_output,
                fmt::format("{} cannot be written: {}", path_.string(), std::strerror(errno)));
}

void TextWriter::fail() const {
  const char* reason = archive_error_string(archive_.get());
  throw Error(ErrorKind::input_output, fmt::format("{} cannot be written: {}", path_.string(),
                                                   reason != nullptr ? reason : "no further reason"));
}

}  // namespace coppice

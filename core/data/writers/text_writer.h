#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct archive;

namespace coppice {

/// Writes a text file, compressed if its name ends in .gz, .xz, .bz2 or .zst. The file appears under its name
/// when it is complete: a failure or an interruption leaves nothing behind but, at worst, a temporary file.
class TextWriter {
 public:
  /// Throws Error(input_output).
  explicit TextWriter(const std::filesystem::path& path);
  ~TextWriter();
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  TextWriter& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= flush_size) flush();
    return *this;
  }
  /// The shortest text that reads back as the same number.
  void number(float value);
  void number(double value);
  void number(std::uint32_t value);

  /// Completes the file. Throws Error(input_output).
  void close();

 private:
  static constexpr std::size_t flush_size = std::size_t{1} << 16;
  void flush();
  [[noreturn]] void fail() const;

  struct Release {
    void operator()(archive* handle) const;
  };
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<archive, Release> archive_;
  std::string buffer_;
};

}  // namespace coppice

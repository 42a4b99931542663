#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace coppice {

/// Where bytes come from: a file, an unpacked file, memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `size` bytes and says how many; 0 at the end. Throws Error(data) on damaged compression.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
};

/// The content of a file, unpacked on the way where it is compressed (gzip, xz, bzip2, zstd; told by its
/// first bytes, not its name). Throws Error(data) if it cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);

/// Hands out a text line by line without holding more than one of them.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);
  /// Text in memory; `name` stands for the file in messages.
  static LineReader of_text(std::string text, const std::string& name);

  /// The next line without its end (LF or CR LF); false at the end of the text. The view lives until the next
  /// call, and one byte after its end may be read: it is no part of a number or a word. A line of more than
  /// `longest_line` bytes or one with a NUL byte is an Error(data).
  bool next(std::string_view& line);

  const std::string& name() const { return name_; }
  /// The number of the line handed out last, from 1.
  int line_number() const { return line_number_; }
  /// The number of a byte of the current line, from 1.
  int column(const char* at) const { return static_cast<int>(at - line_start_) + 1; }
  /// The place of a byte of the current line.
  Location place(const char* at) const;
  /// Error(data) at a byte of the current line.
  [[noreturn]] void fail(const char* at, const std::string& message) const;
  /// Error(data) about the current line, or the end of the file once there is no further line.
  [[noreturn]] void fail(const std::string& message) const;

  static constexpr std::size_t longest_line = std::size_t{64} << 20;

 private:
  LineReader(std::unique_ptr<ByteSource> source, std::string name);
  bool refill();
  std::size_t read_bytes(char* bytes, std::size_t size);
  void hand_out(std::size_t end, std::string_view& line);

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;  ///< where the next line begins
  std::size_t filled_ = 0;    ///< end of the bytes read so far
  bool at_end_ = false;
  bool has_nul_ = false;
  const char* line_start_ = nullptr;
  int line_number_ = 0;
};

/// Part of a line for a message: short, and without control characters.
std::string excerpt(std::string_view text);

}  // namespace coppice

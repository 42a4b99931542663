#include "core/data/readers/line_reader.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t first_buffer = std::size_t{1} << 18;

class MemoryText : public ByteSource {
 public:
  explicit MemoryText(std::string text) : text_(std::move(text)) {}

  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, text_.size() - position_);
    std::memcpy(bytes, text_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

}  // namespace

LineReader::LineReader(const std::filesystem::path& path) : LineReader(open_bytes(path), path.string()) {}

LineReader LineReader::of_text(std::string text, const std::string& name) {
  return {std::make_unique<MemoryText>(std::move(text)), name};
}

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name)
    : name_(std::move(name)), source_(std::move(source)), buffer_(first_buffer) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  while (filled_ < byte_order_mark.size() && refill()) {
  }
  if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark))
    position_ = byte_order_mark.size();
}

/// Reads more bytes behind the current ones, of which only those from position_ on are kept.
bool LineReader::refill() {
  if (at_end_) return false;
  if (position_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + position_, filled_ - position_);
    filled_ -= position_;
    position_ = 0;
  }
  // One byte stays free for the end of a last line that has none.
  if (filled_ + 1 >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t count = read_bytes(buffer_.data() + filled_, buffer_.size() - filled_ - 1);
  has_nul_ = has_nul_ || std::memchr(buffer_.data() + filled_, 0, count) != nullptr;
  filled_ += count;
  at_end_ = count == 0;
  return !at_end_;
}

/// The source does not know how far the text has come where a compressed file breaks off.
std::size_t LineReader::read_bytes(char* bytes, std::size_t size) {
  try {
    return source_->read(bytes, size);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), {name_, line_number_ + 1, 1});
  }
}

void LineReader::hand_out(std::size_t end, std::string_view& line) {
  line_start_ = buffer_.data() + position_;
  line = std::string_view(line_start_, end - position_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  position_ = std::min(end + 1, filled_);
  ++line_number_;
  if (!has_nul_) return;
  if (const void* nul = std::memchr(line.data(), 0, line.size()))
    fail(static_cast<const char*>(nul), "a NUL byte: this is not a text file");
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const char* start = buffer_.data() + position_;
    const std::size_t available = filled_ - position_;
    if (const void* found = std::memchr(start + searched, '\n', available - searched)) {
      hand_out(static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()), line);
      return true;
    }
    if (available > longest_line) {
      line_start_ = start;
      ++line_number_;
      fail(start, fmt::format("a line of more than {} MiB; this does not look like a data file",
                              longest_line >> 20));
    }
    searched = available;
    if (refill()) continue;
    line_start_ = nullptr;
    if (filled_ == position_) return false;
    buffer_[filled_] = '\n';
    hand_out(filled_, line);
    return true;
  }
}

Location LineReader::place(const char* at) const {
  return {name_, line_number_, line_start_ == nullptr ? 0 : static_cast<int>(at - line_start_) + 1};
}

void LineReader::fail(const char* at, const std::string& message) const {
  throw Error(ErrorKind::data, message, place(at));
}

void LineReader::fail(const std::string& message) const {
  throw Error(ErrorKind::data, message, {name_, std::max(line_number_, 1), 1});
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown;
  for (const char character : text.substr(0, longest))
    shown += static_cast<unsigned char>(character) < 0x20 || character == 0x7f ? '.' : character;
  // A cut must not leave half of a UTF-8 character behind.
  if (text.size() > longest) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xc0U) == 0x80U) shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xc0U) shown.pop_back();
    shown += "…";
  }
  return shown;
}

}  // namespace coppice

#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace coppice {

/// Reads JSON that coppice wrote itself, key after key as expected, without making a tree of it: tables of
/// large runs are waited for. It knows nothing of escapes and other orders; what it cannot read is for the
/// parser.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : rest_(text) {}

  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  bool string(std::string& text) {
    if (!skip("\"")) return false;
    const std::size_t end = rest_.find_first_of("\"\\");
    if (end == std::string_view::npos || rest_[end] == '\\') return false;
    text.assign(rest_, 0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  template <class Number>
  bool number(Number& value) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace coppice

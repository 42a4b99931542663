#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/readers/name_table.h"
#include "core/data/readers/reader.h"

namespace coppice {

// What several readers share.

/// The readers themselves, one for each format.
ReadResult read_arff(const ReadOptions& options);
ReadResult read_extreme_text(const ReadOptions& options);
ReadResult read_libsvm(const ReadOptions& options);
ReadResult read_vowpal_wabbit(const ReadOptions& options);
ReadResult read_csv(const ReadOptions& options);

/// All files in the order they are read: training, then test.
std::vector<const InputFile*> files_in_order(const ReadOptions& options);

/// The first `train_rows` rows to train on and the others to test on, where the options name test files.
std::optional<Split> split_of_files(const ReadOptions& options, std::size_t train_rows, std::size_t rows);

/// Numbers the groups that rows belong to, in the order they occur.
class GroupNumbers {
 public:
  void add_row(std::string_view group);
  /// The number of the group of every row.
  std::vector<std::uint32_t> take() { return std::move(numbers_); }

 private:
  NameTable table_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> numbers_;
};

/// Error(data) about a value beyond the range of 32 bits.
[[noreturn]] void fail_too_large(double value, const LineReader& reader, const char* at);

/// The value as an input; fails at `at` if it does not fit 32 bits.
inline float to_input(double value, const LineReader& reader, const char* at) {
  const auto input = static_cast<float>(value);
  if (std::isinf(input)) [[unlikely]]
    fail_too_large(value, reader, at);
  return input;
}

/// Row numbers are 32 bits; fails once there are more.
void require_row_number(std::size_t row, const LineReader& reader);

inline bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

inline const char* skip_blanks(const char* at) {
  while (is_blank(*at)) ++at;
  return at;
}

inline bool ends_word(const char* at, const char* end) {
  return at == end || is_blank(*at);
}

/// From `at` to the next blank or the end.
inline std::string_view word_at(const char* at, const char* end) {
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  return rest.substr(0, rest.find_first_of(" \t"));
}

/// Whether the text is `lower` (in lower case) but for the case of ASCII letters.
inline bool equals_word(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != lower[i] && !(text[i] >= 'A' && text[i] <= 'Z' && text[i] - 'A' + 'a' == lower[i]))
      return false;
  return true;
}

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace coppice

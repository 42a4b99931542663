#include "core/data/readers/parts.h"

#include <numeric>

#include <fmt/format.h>

namespace coppice {

LineReader InputFile::open() const {
  return text ? LineReader::of_text(*text, path.string()) : LineReader(path);
}

std::vector<const InputFile*> files_in_order(const ReadOptions& options) {
  std::vector<const InputFile*> files;
  for (const InputFile& file : options.train) files.push_back(&file);
  for (const InputFile& file : options.test) files.push_back(&file);
  return files;
}

std::optional<Split> split_of_files(const ReadOptions& options, std::size_t train_rows, std::size_t rows) {
  if (options.test.empty()) return std::nullopt;
  Split split{Rows(train_rows), Rows(rows - train_rows)};
  std::iota(split.train.begin(), split.train.end(), 0U);
  std::iota(split.test.begin(), split.test.end(), static_cast<std::uint32_t>(train_rows));
  return split;
}

void GroupNumbers::add_row(std::string_view group) {
  if (table_.add(group, count_)) ++count_;
  numbers_.push_back(*table_.find(group));
}

void fail_too_large(double value, const LineReader& reader, const char* at) {
  reader.fail(at, fmt::format("{} does not fit a 32-bit floating-point number; rescale the column", value));
}

void require_row_number(std::size_t row, const LineReader& reader) {
  if (row >= 0xffffffffU) reader.fail("more than 4,294,967,295 rows; split the file");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& character : lower)
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  return lower;
}

}  // namespace coppice

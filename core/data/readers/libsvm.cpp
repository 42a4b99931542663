#include <fmt/format.h>

#include "core/data/readers/labelled_rows.h"
#include "core/data/readers/numbers.h"

namespace coppice {

namespace {

/// `l1,l2`, or nothing where the first word is a pair already. Returns the place behind.
const char* read_labels(const LineReader& reader, const char* at, const char* end, LabelledRows& rows) {
  if (ends_word(at, end) || word_at(at, end).find(':') != std::string_view::npos) return at;
  return rows.add_labels(reader, at, end);
}

void read_features(const LineReader& reader, const char* at, const char* end, LabelledRows& rows) {
  for (at = skip_blanks(at); at != end; at = skip_blanks(at)) {
    const char* const start = at;
    std::uint32_t feature = 0;
    double value = 0.0;
    at = parse_index(at, feature);
    const bool pair = at != nullptr && *at == ':';
    const char* const number = pair ? at + 1 : nullptr;
    if (pair) at = parse_real(number, value);
    if (!pair || at == nullptr || !ends_word(at, end))
      reader.fail(start, fmt::format("expected feature:value with a finite number as value, found '{}'",
                                     excerpt(word_at(start, end))));
    rows.add_feature(feature, value, reader, start, number);
  }
}

void read_file(const InputFile& file, LabelledRows& rows) {
  LineReader reader = file.open();
  std::string_view line;
  while (reader.next(line)) {
    const std::string_view content = line.substr(0, line.find('#'));
    const char* const end = content.data() + content.size();
    if (trim(content).empty()) continue;
    rows.begin_row(reader);
    const char* at = read_labels(reader, content.data(), end, rows);
    read_features(reader, at, end, rows);
  }
}

}  // namespace

ReadResult read_libsvm(const ReadOptions& options) {
  LabelledRows rows(options);
  for (const InputFile& file : options.train) read_file(file, rows);
  rows.end_of_training();
  for (const InputFile& file : options.test) read_file(file, rows);
  return rows.finish();
}

}  // namespace coppice

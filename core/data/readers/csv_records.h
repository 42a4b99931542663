#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/data/readers/reader.h"

namespace coppice {

/// One field of a record.
struct CsvField {
  std::string_view text;
  bool quoted = false;
  int line = 0;
  int column = 0;
};

/// Splits separated text into records. Fields may be quoted with ", a quote inside is doubled, and a quoted
/// field may go on over several lines. Blanks around unquoted fields do not count; empty lines are skipped.
class CsvRecords {
 public:
  CsvRecords(const InputFile& file, char separator) : reader_(file.open()), separator_(separator) {}

  /// False at the end. The fields live until the next call.
  bool next(std::vector<CsvField>& fields);
  const LineReader& reader() const { return reader_; }
  [[noreturn]] void fail(const CsvField& field, const std::string& message) const;

 private:
  void split_plain(std::string_view line, std::vector<CsvField>& fields) const;
  void split_quoted(std::string_view line, std::vector<CsvField>& fields);
  std::string quoted_text();
  std::string plain_text();
  CsvField here() const;

  LineReader reader_;
  char separator_;
  std::string record_;              ///< a record with quotes, all of its lines
  std::size_t at_ = 0;              ///< how far it is split
  std::size_t line_start_ = 0;      ///< where the line of `at_` begins
  std::vector<std::string> texts_;  ///< of its fields
};

}  // namespace coppice

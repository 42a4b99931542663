#include "core/data/readers/csv_records.h"

#include <fmt/format.h>

#include "core/data/readers/parts.h"

namespace coppice {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

void CsvRecords::fail(const CsvField& field, const std::string& message) const {
  throw Error(ErrorKind::data, message, {reader_.name(), field.line, field.column});
}

bool CsvRecords::next(std::vector<CsvField>& fields) {
  std::string_view line;
  do {
    if (!reader_.next(line)) return false;
  } while (trim(line).empty());
  fields.clear();
  if (line.find('"') == std::string_view::npos)
    split_plain(line, fields);
  else
    split_quoted(line, fields);
  return true;
}

void CsvRecords::split_plain(std::string_view line, std::vector<CsvField>& fields) const {
  const char* const start = line.data();
  while (true) {
    const std::size_t end = line.find(separator_);
    fields.push_back({without_blanks(line.substr(0, end)), false, reader_.line_number(),
                      static_cast<int>(line.data() - start) + 1});
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

CsvField CsvRecords::here() const {
  return {{}, false, reader_.line_number(), static_cast<int>(at_ - line_start_) + 1};
}

/// From the opening quote to behind the closing one; takes further lines as needed.
std::string CsvRecords::quoted_text() {
  const CsvField start = here();
  std::string text;
  for (++at_;; ++at_) {
    while (at_ == record_.size()) {
      std::string_view more;
      if (record_.size() > LineReader::longest_line || !reader_.next(more))
        fail(start, "the quote \" is not closed");
      record_ += '\n';
      line_start_ = record_.size();
      record_ += more;
    }
    if (record_[at_] == '"') {
      if (at_ + 1 == record_.size() || record_[at_ + 1] != '"') break;
      ++at_;
    }
    text += record_[at_];
  }
  ++at_;
  while (at_ < record_.size() && record_[at_] == ' ') ++at_;
  if (at_ < record_.size() && record_[at_] != separator_)
    fail(here(), fmt::format("expected '{}' after a closing quote", separator_));
  return text;
}

std::string CsvRecords::plain_text() {
  const std::size_t end = std::min(record_.find(separator_, at_), record_.size());
  const std::string_view text = std::string_view(record_).substr(at_, end - at_);
  at_ = end;
  return std::string(without_blanks(text));
}

void CsvRecords::split_quoted(std::string_view line, std::vector<CsvField>& fields) {
  record_ = line;
  at_ = 0;
  line_start_ = 0;
  texts_.clear();
  while (true) {
    while (at_ < record_.size() && record_[at_] == ' ') ++at_;
    CsvField field = here();
    field.quoted = at_ < record_.size() && record_[at_] == '"';
    texts_.push_back(field.quoted ? quoted_text() : plain_text());
    fields.push_back(field);
    if (at_ == record_.size()) break;
    ++at_;
  }
  for (std::size_t i = 0; i < texts_.size(); ++i) fields[i].text = texts_[i];
}

}  // namespace coppice

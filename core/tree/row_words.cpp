#include "core/tree/row_words.h"

#include "core/tree/value_scan.h"

namespace coppice {

void RowWords::finish(std::size_t rows) {
  rows_ = rows;
  // Where a column's values end; they are put in from there, the last row's first.
  std::uint32_t end = 0;
  for (const std::uint32_t feature : std::span(met_).first(met_count_)) {
    end += static_cast<std::uint32_t>(bit_count(columns_[feature].rows));
    columns_[feature].begin = end;
  }
  values_.resize(end + values_beyond);
  for (std::size_t e = entries_.size(); e-- > 0;)
    values_[--columns_[entries_[e].feature].begin] = entries_[e].value;
}

void RowWords::clear() {
  for (const std::uint32_t feature : std::span(met_).first(met_count_)) columns_[feature].rows = 0;
  met_count_ = 0;
  entries_.clear();
  rows_ = 0;
}

}  // namespace coppice

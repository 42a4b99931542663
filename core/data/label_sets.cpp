#include "core/data/label_sets.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

LabelSets::LabelSets(std::uint32_t label_count,
                     std::initializer_list<std::initializer_list<std::uint32_t>> rows)
    : label_count_(label_count) {
  for (const auto& row : rows) add_row(std::span(row.begin(), row.size()));
}

bool LabelSets::contains(std::size_t row, std::uint32_t label) const {
  const auto labels = (*this)[row];
  return std::binary_search(labels.begin(), labels.end(), label);
}

void LabelSets::add_row(std::span<const std::uint32_t> labels) {
  const auto start = static_cast<std::ptrdiff_t>(labels_.size());
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  std::sort(labels_.begin() + start, labels_.end());
  labels_.erase(std::unique(labels_.begin() + start, labels_.end()), labels_.end());
  if (static_cast<std::ptrdiff_t>(labels_.size()) > start && labels_.back() >= label_count_)
    throw Error(ErrorKind::data,
                fmt::format("label {} in row {} is out of range: there are {} labels, counted from 0",
                            labels_.back(), rows(), label_count_));
  offsets_.push_back(labels_.size());
}

void LabelSets::reserve(std::size_t rows, std::size_t total) {
  offsets_.reserve(rows + 1);
  labels_.reserve(total);
}

}  // namespace coppice

#include "core/data/label_sets.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

LabelSets::LabelSets(std::uint32_t label_count,
                     std::initializer_list<std::initializer_list<std::uint32_t>> rows)
    : label_count_(label_count) {
  for (const auto& row : rows) add_row(std::span(row.begin(), row.size()));
}

LabelSets::LabelSets(std::uint32_t label_count, std::vector<std::uint64_t> offsets,
                     std::vector<std::uint32_t> labels)
    : label_count_(label_count), offsets_(std::move(offsets)), labels_(std::move(labels)) {
  bool fits = !offsets_.empty() && offsets_.front() == 0 && offsets_.back() == labels_.size() &&
              std::is_sorted(offsets_.begin(), offsets_.end());
  for (std::size_t row = 0; fits && row < rows(); ++row) {
    const auto set = (*this)[row];
    fits = std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end() &&
           (set.empty() || set.back() < label_count_);
  }
  if (!fits) throw Error(ErrorKind::data, "stored label sets whose parts do not fit together");
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

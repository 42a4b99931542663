#include "core/projections/padded_labels.h"

#include <algorithm>

namespace coppice {

PaddedLabels::PaddedLabels(const LabelSets& sets, std::span<const std::uint32_t> rows)
    : begin_(sets.rows() + 1, 0) {
  const auto beyond = static_cast<std::uint16_t>(sets.label_count());
  std::uint32_t row = 0;
  const auto end_sets_before = [&](std::size_t next) {
    for (; row < next; ++row) begin_[row + 1] = static_cast<std::uint32_t>(labels_.size() / multiple);
  };
  for (const std::uint32_t listed : rows) {
    end_sets_before(listed);
    for (const std::uint32_t label : sets[listed]) labels_.push_back(static_cast<std::uint16_t>(label));
    labels_.resize((labels_.size() + multiple - 1) / multiple * multiple, beyond);
    most_labels_ = std::max(most_labels_, sets[listed].size());
  }
  end_sets_before(sets.rows());
}

}  // namespace coppice

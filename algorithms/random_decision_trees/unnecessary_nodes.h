#pragma once

#include <cstdint>
#include <span>

#include "core/tree/grower.h"

namespace coppice {

/// The classes of the rows of a dataset as distributions count them: their labels, or one number for each
/// distinct set of labels.
class RowClasses {
 public:
  /// The labels themselves; the sets must outlive this object.
  explicit RowClasses(const LabelSets& labels);
  /// One class for each distinct label set, numbered in the order of the sets. Rows of equal sets are equal.
  static RowClasses of_sets(const LabelSets& labels);

  std::span<const std::uint32_t> operator[](std::uint32_t row) const {
    return sets_.empty() ? (*labels_)[row] : std::span(sets_).subspan(row, 1);
  }
  std::size_t count() const { return count_; }

 private:
  const LabelSets* labels_;
  std::vector<std::uint32_t> sets_;
  std::size_t count_ = 0;
};

/// Removes unnecessary nodes (paper, section 2.1): a node becomes a leaf if none of its descendants has
/// another class distribution. Costs as much as the rows of the leaves have labels.
GrownTree without_unnecessary_nodes(const GrownTree& tree, const RowClasses& classes);

}  // namespace coppice

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/found_split.h"

namespace coppice {

/// A categorical feature that gets a branch for each category. The branches come off one by one, the lowest
/// category first. Rows are the dataset's.
struct CategoryChain {
  std::uint32_t feature = 0;
  bool incomplete = false;          ///< some category does not occur
  std::vector<std::uint32_t> rows;  ///< then: the rows of the node that is split

  /// For a node with these rows.
  static std::shared_ptr<const CategoryChain> start(const CodedInputs& inputs, std::uint32_t feature,
                                                    std::span<const std::uint32_t> rows);
  /// Whether the rows that are left have several categories.
  bool goes_on(const CodedInputs& inputs, std::span<const std::uint32_t> left) const;
  /// The split that takes the lowest category of the rows that are left away.
  FoundSplit next_branch(const CodedInputs& inputs, std::span<const std::uint32_t> left) const;
};

}  // namespace coppice

#include "core/tree/category_chain.h"

#include <algorithm>
#include <limits>

namespace coppice {

namespace {

/// The lowest and the highest category of some rows.
struct CategoryRange {
  float lowest = std::numeric_limits<float>::infinity();
  float highest = 0.0F;
};

CategoryRange range_of(const CodedColumn& column, std::span<const std::uint32_t> rows) {
  CategoryRange range;
  for (const std::uint32_t row : rows) {
    range.lowest = std::min(range.lowest, column.dense_values[row]);
    range.highest = std::max(range.highest, column.dense_values[row]);
  }
  return range;
}

}  // namespace

std::shared_ptr<const CategoryChain> CategoryChain::start(const CodedInputs& inputs, std::uint32_t feature,
                                                          std::span<const std::uint32_t> rows) {
  const CodedColumn& column = inputs.column(feature);
  auto chain = std::make_shared<CategoryChain>();
  chain->feature = feature;
  std::vector<bool> occurs(column.categories, false);
  for (const std::uint32_t row : rows) occurs[static_cast<std::size_t>(column.dense_values[row])] = true;
  chain->incomplete = std::find(occurs.begin(), occurs.end(), false) != occurs.end();
  if (chain->incomplete) chain->rows.assign(rows.begin(), rows.end());
  return chain;
}

bool CategoryChain::goes_on(const CodedInputs& inputs, std::span<const std::uint32_t> left) const {
  const CategoryRange range = range_of(inputs.column(feature), left);
  return range.lowest < range.highest;
}

FoundSplit CategoryChain::next_branch(const CodedInputs& inputs, std::span<const std::uint32_t> left) const {
  FoundSplit found;
  found.split.found = found.split.special = true;
  found.split.feature = feature;
  found.split.add_left_category(static_cast<std::uint32_t>(range_of(inputs.column(feature), left).lowest));
  return found;
}

}  // namespace coppice

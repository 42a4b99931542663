#include "core/path/larger_nodes.h"

namespace coppice {

LargerNodes::LargerNodes(const NodeIndicators& indicators) : indicators_(&indicators), begin_{0} {
  const auto rows = static_cast<std::uint32_t>(indicators.rows());
  std::vector<std::uint8_t> alone(rows, 0);
  for (std::size_t tree = 0; tree < indicators.trees(); ++tree) {
    const std::uint32_t root = indicators.tree_begin(tree);
    const std::uint32_t end = indicators.tree_begin(tree + 1);
    const std::size_t begin = nodes_.size();
    // What stands for the sum of a node: its row, nothing, or the sum of a place.
    std::vector<std::uint32_t> stands(end - root, rows);
    const auto list = [&](std::uint32_t node) {
      stands[node - root] = rows + 1 + static_cast<std::uint32_t>(nodes_.size() - begin);
      nodes_.push_back(node);
      counts_.push_back(indicators.count(node));
    };
    for (std::uint32_t node = root; node < end; ++node) {
      if (indicators.count(node) == 1) stands[node - root] = indicators.rows_of(node)[0];
      if (indicators.right(node) != 0) continue;
      if (indicators.count(node) == 1) alone[stands[node - root]] = 1;
      if (indicators.count(node) > 1) list(node);
    }
    tests_.push_back(nodes_.size());
    left_.resize(nodes_.size(), rows);
    right_.resize(nodes_.size(), rows);
    for (std::uint32_t node = end; node-- > root;) {
      if (indicators.right(node) == 0 || indicators.count(node) < 2) continue;
      left_.push_back(stands[node + 1 - root]);
      right_.push_back(stands[indicators.right(node) - root]);
      list(node);
    }
    begin_.push_back(nodes_.size());
    // What is above a node has at least its rows, so it is listed.
    const auto place_of = [&](std::uint32_t node) { return stands[node - root] - rows - 1; };
    for (std::size_t place = begin; place < nodes_.size(); ++place)
      above_.push_back(nodes_[place] == root ? none : place_of(indicators.parent(nodes_[place])));
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::uint32_t node = indicators.leaf(tree, row);
      while (indicators.count(node) < 2 && node != root) node = indicators.parent(node);
      first_.push_back(indicators.count(node) < 2 ? none : place_of(node));
    }
  }
  for (std::uint32_t row = 0; row < rows; ++row)
    if (alone[row] != 0) rows_alone_.push_back(row);
}

double LargerNodes::leaf_sum(std::size_t place, const double* values) const {
  double sum = 0.0;
  for (const std::uint32_t row : indicators_->rows_of(nodes_[place])) sum += values[row];
  return sum;
}

void LargerNodes::add_up_again(std::size_t tree, std::span<const double> values,
                               std::span<const std::uint32_t> changed, double* sums) const {
  const std::size_t rows = values.size();
  double* const own = sums + begin_[tree];
  const auto known = [&](std::uint32_t stands) {
    if (stands < rows) return values[stands];
    return stands == rows ? 0.0 : own[stands - rows - 1];
  };
  // The last of the rows below a node finds all that is below it up to date.
  for (const std::uint32_t row : changed)
    for (std::uint32_t at = first_[tree * rows + row]; at != none; at = above_[begin_[tree] + at]) {
      const std::size_t place = begin_[tree] + at;
      own[at] =
          place < tests_[tree] ? leaf_sum(place, values.data()) : known(left_[place]) + known(right_[place]);
    }
}

}  // namespace coppice

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/path/node_indicators.h"

namespace coppice {

/// The nodes that at least two rows come through, for sums over the rows of every node: a leaf of one row is
/// the row itself, and these are half of the nodes of a fully grown tree. Each tree lists its nodes so that
/// children come before their parents; places are counted over all trees.
class LargerNodes {
 public:
  explicit LargerNodes(const NodeIndicators& indicators);

  std::size_t size() const { return nodes_.size(); }
  /// Where the nodes of a tree begin.
  std::size_t begin(std::size_t tree) const { return begin_[tree]; }
  std::uint32_t node(std::size_t place) const { return nodes_[place]; }
  std::uint32_t count(std::size_t place) const { return counts_[place]; }
  /// The rows that some tree has in a leaf of their own.
  std::span<const std::uint32_t> rows_alone() const { return rows_alone_; }

  /// Adds up one number of each row in every node of a tree, and looks at each: visit(place, sum). `sums` has
  /// a number for every place. A node's sum is that of its children: the same bits, whichever way it is kept
  /// up to date.
  template <typename Visit>
  void add_up(std::size_t tree, std::span<const double> values, double* sums, const Visit& visit) const;
  /// The same for the nodes that the given rows come through: the others are right already.
  void add_up_again(std::size_t tree, std::span<const double> values, std::span<const std::uint32_t> changed,
                    double* sums) const;

 private:
  double leaf_sum(std::size_t place, const double* values) const;

  /// No place: above a root, or of a row that is all that a tree has.
  static constexpr std::uint32_t none = 0xffffffff;

  const NodeIndicators* indicators_;
  std::vector<std::size_t> begin_;  ///< of each tree, and the end
  std::vector<std::size_t> tests_;  ///< of each tree: where its test nodes begin, behind its leaves
  std::vector<std::uint32_t> nodes_;
  std::vector<std::uint32_t> counts_;
  /// Of test nodes what stands for the sums of their children: r for row r, the number of rows for an empty
  /// node, and behind it the places of the tree.
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> right_;
  std::vector<std::uint32_t> above_;  ///< of each node: the place in its tree of the one above
  std::vector<std::uint32_t> first_;  ///< of each tree and row: the place in the tree of the lowest node
  std::vector<std::uint32_t> rows_alone_;
};

template <typename Visit>
void LargerNodes::add_up(std::size_t tree, std::span<const double> values, double* sums,
                         const Visit& visit) const {
  // Rows and nodes side by side, so that a child is found without asking which it is.
  thread_local std::vector<double> known;
  const std::size_t begin = begin_[tree];
  const std::size_t end = begin_[tree + 1];
  known.resize(values.size() + 1 + end - begin);
  std::copy(values.begin(), values.end(), known.begin());
  known[values.size()] = 0.0;
  double* const own = known.data() + values.size() + 1;
  for (std::size_t place = begin; place < tests_[tree]; ++place) {
    const double sum = leaf_sum(place, values.data());
    own[place - begin] = sums[place] = sum;
    visit(place, sum);
  }
  for (std::size_t place = tests_[tree]; place < end; ++place) {
    const double sum = known[left_[place]] + known[right_[place]];
    own[place - begin] = sums[place] = sum;
    visit(place, sum);
  }
}

}  // namespace coppice

#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/context.h"
#include "core/data/label_sets.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/entropy_space.h"
#include "core/tree/real_grid.h"
#include "core/tree/sample.h"

namespace coppice {

/// Which splits of a feature are looked at.
enum class SplitRule {
  best,        ///< every cut between two values of the node; the threshold is their midpoint
  random_cut,  ///< one cut, uniform between the smallest and the largest value (Extra-Trees)
};

/// How inputs have to be coded for it.
constexpr DenseUse dense_use(SplitRule rule) {
  return rule == SplitRule::best ? DenseUse::sweeps : DenseUse::cuts;
}

/// Label sets as the space to grow in, under the variance impurity, or under the entropy if a table is given.
struct LabelTargets {
  const LabelSets* labels = nullptr;
  const EntropyTable* entropy = nullptr;
  bool one_class = false;           ///< every row has exactly one label; only entropy asks
  const LabelBits* bits = nullptr;  ///< the same label sets, for many trees
};

/// No outputs at all: the first feature that can split a node does (random decision trees).
struct NoTargets {};

/// The output space in which impurity is measured. It need not be the space that leaves are labelled in.
using GrowthTargets = std::variant<LabelTargets, const RealGrid*, NoTargets>;

/// How a tree is grown. Rows are counted once, however often the sample has them.
struct GrowthOptions {
  SplitRule rule = SplitRule::best;
  std::uint32_t features = 1;               ///< k: non-constant features to look at in each node
  std::uint64_t min_samples_split = 2;      ///< smaller nodes become leaves
  std::uint64_t min_samples_leaf = 1;       ///< splits that leave fewer rows on a side are not considered
  std::optional<std::uint64_t> max_depth;   ///< the root has depth 0
  std::optional<std::uint64_t> max_leaves;  ///< grows best-first: always the leaf whose split gains most
  double min_impurity_decrease = 0.0;  ///< least gain of a split, weighted by the share of rows it concerns
  /// A categorical feature gets a branch for each category, by a chain of tests that counts as one level; a
  /// category that no row of the node has leads to an empty leaf. Only for depth-first growth.
  bool branch_for_each_category = false;
  /// Nodes with at least so many rows times features to look at are searched by several threads if one has
  /// nothing else to do.
  std::uint64_t parallel_work = std::uint64_t{1} << 18;

  /// Whether a node with so many rows at that depth becomes a leaf, whatever its rows are.
  bool ends(std::size_t rows, std::uint32_t depth) const {
    return rows < 2 || rows < min_samples_split || rows < 2 * min_samples_leaf ||
           (max_depth && depth >= *max_depth);
  }
};

/// A tree that has been grown but not labelled: the splits, and which rows came to which leaf. Nodes are in
/// preorder, so the left child of node i is i + 1.
struct GrownTree {
  std::vector<std::int32_t> feature;    ///< the feature a node asks about, -1 for leaves
  std::vector<float> threshold;         ///< rows with value ≤ threshold go left
  std::vector<std::uint32_t> next;      ///< the right child; for leaves their number in preorder
  std::vector<double> decrease;         ///< by how much the split reduced the impurity of the whole sample
  std::vector<std::uint32_t> leaf_end;  ///< where in `rows` the rows of each leaf end
  std::vector<std::uint32_t> rows;      ///< the sample's rows leaf by leaf, ascending, as often as drawn
  std::uint32_t depth = 0;

  /// Bits of `kinds`.
  static constexpr std::uint8_t categorical = 1;   ///< asks whether the category is in a set
  static constexpr std::uint8_t missing_left = 2;  ///< a missing value goes left, not right
  static constexpr std::uint8_t empty_leaf = 4;    ///< no row came to it: it has the rows of a node above
  /// For each node, if any has one of those bits; else empty.
  std::vector<std::uint8_t> kinds;
  /// Sets of categories that go left: how many words follow, and the words, a bit for each category. The
  /// threshold of a categorical node says where its set begins.
  std::vector<std::uint64_t> categories;

  std::size_t leaves() const { return leaf_end.size(); }
  std::span<const std::uint32_t> leaf_rows(std::size_t leaf) const {
    const std::size_t begin = leaf == 0 ? 0 : leaf_end[leaf - 1];
    return std::span(rows).subspan(begin, leaf_end[leaf] - begin);
  }

  static constexpr std::uint32_t no_leaf = 0xffffffffU;
  /// For each of so many rows of the dataset the leaf it came to, or no_leaf if the sample does not have it.
  std::vector<std::uint32_t> leaf_of_rows(std::size_t dataset_rows) const;
};

/// Grows one tree. The result depends on the values of the inputs and targets, the sample, the options and
/// the stream, and on nothing else: not on how the dataset stores its columns nor on threads.
///
/// Any trees of one dataset may grow at the same time. What other algorithms build on this:
/// - boosting and random projections: a RealGrid of the outputs to grow in, however many, and then leaves
///   labelled by whatever leaf_rows() or leaf_of_rows() lead to (LeafRows does it with the dataset's own);
/// - weights: Sample::weighted;
/// - where rows come to in finished trees: TreeSet and apply_trees() in core/tree/apply.h.
///
/// In each node the features come in a random order of the node's own stream, and the first k that are not
/// constant there are looked at. Of equally good splits the one of the feature that came first wins, and
/// within a feature the one with the lowest threshold. Where columns are listed, nodes draw from a list of
/// those that may vary; elsewhere, and best-first, they walk through a permutation of all features.
GrownTree grow_tree(const CodedInputs& inputs, const GrowthTargets& targets, const Sample& sample,
                    const GrowthOptions& options, const Stream& stream, const Context& context);

}  // namespace coppice

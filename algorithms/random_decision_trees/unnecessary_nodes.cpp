#include "algorithms/random_decision_trees/unnecessary_nodes.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/tree/pruning.h"

namespace coppice {

namespace {

/// How often classes occur in some rows: of those that occur, ascending by class.
struct Distribution {
  std::uint64_t rows = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;
};

class Counter {
 public:
  explicit Counter(const RowClasses& classes) : classes_(&classes), counts_(classes.count(), 0) {}

  Distribution count(std::span<const std::uint32_t> rows) {
    for (const std::uint32_t row : rows)
      for (const std::uint32_t one : (*classes_)[row])
        if (counts_[one]++ == 0) met_.push_back(one);
    std::sort(met_.begin(), met_.end());
    Distribution distribution;
    distribution.rows = rows.size();
    for (const std::uint32_t one : met_) {
      distribution.counts.emplace_back(one, counts_[one]);
      counts_[one] = 0;
    }
    met_.clear();
    return distribution;
  }

 private:
  const RowClasses* classes_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> met_;
};

bool same(const Distribution& a, const Distribution& b) {
  return a.counts.size() == b.counts.size() &&
         std::equal(a.counts.begin(), a.counts.end(), b.counts.begin(), [&](const auto& x, const auto& y) {
           return x.first == y.first && x.second * b.rows == y.second * a.rows;
         });
}

}  // namespace

RowClasses::RowClasses(const LabelSets& labels) : labels_(&labels), count_(labels.label_count()) {}

RowClasses RowClasses::of_sets(const LabelSets& labels) {
  RowClasses classes(labels);
  std::vector<std::uint32_t> order(labels.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(labels[a], labels[b]);
  });
  classes.sets_.resize(labels.rows());
  classes.count_ = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::ranges::equal(labels[order[i]], labels[order[i - 1]])) ++classes.count_;
    classes.sets_[order[i]] = static_cast<std::uint32_t>(classes.count_ - 1);
  }
  return classes;
}

GrownTree without_unnecessary_nodes(const GrownTree& tree, const RowClasses& classes) {
  // If all leaves below a node have one distribution then so has every node in between. From the last node to
  // the first: children come before their parents.
  Counter counter(classes);
  std::vector<std::uint8_t> becomes_leaf(tree.feature.size(), 0);
  std::vector<Distribution> uniform(tree.feature.size());  // of nodes that are leaves by now
  for (std::size_t i = tree.feature.size(); i-- > 0;) {
    if (tree.feature[i] < 0) {
      becomes_leaf[i] = 1;
      uniform[i] = counter.count(tree.leaf_rows(tree.next[i]));
      continue;
    }
    const std::size_t left = i + 1;
    const std::size_t right = tree.next[i];
    if (becomes_leaf[left] != 0 && becomes_leaf[right] != 0 && same(uniform[left], uniform[right])) {
      becomes_leaf[i] = 1;
      uniform[i] = std::move(uniform[left]);
    }
    uniform[left] = {};
    uniform[right] = {};
  }
  return collapsed(tree, becomes_leaf);
}

}  // namespace coppice

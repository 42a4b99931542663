#include "algorithms/craftml/row_scores.h"

#include <algorithm>
#include <numeric>

#include "algorithms/craftml/tree_walker.h"
#include "core/base/largest.h"

namespace coppice::craftml {

namespace {

/// How many labels must have settled before a row may exit early: those that precision@5 asks for.
constexpr std::size_t settled_labels = 5;
constexpr std::size_t rows_per_task = 128;

}  // namespace

ScoreTable::ScoreTable(const ForestParts& parts, SparseRows rows)
    : parts_(&parts),
      rows_(std::move(rows)),
      values_(FeatureValues::of({parts.training, rows_.view()}, parts.features)),
      states_(rows_.rows()),
      open_(rows_.rows()) {
  std::iota(open_.begin(), open_.end(), 0U);
}

void ScoreTable::add_leaf(ScoreSums& sums, std::size_t tree, std::uint32_t leaf, double weight) const {
  sums.add_mean_labels(parts_->leaves, parts_->leaves.rows(tree, leaf), weight);
}

void ScoreTable::add_best_labels(ScoreSums& sums, LeafMean& mean, std::size_t tree, std::uint32_t leaf,
                                 double weight) const {
  const MeanLabels all = mean.take_labels(parts_->leaves, parts_->leaves.rows(tree, leaf));
  std::vector<std::pair<double, std::uint32_t>> labels;
  for (std::size_t e = 0; e < all.labels.size(); ++e) labels.emplace_back(-all.means[e], all.labels[e]);
  const std::size_t kept = std::min<std::size_t>(labels.size(), *parts_->options.leaf_labels);
  // Of equally frequent labels those of lower index are kept.
  std::nth_element(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(kept), labels.end());
  for (const auto& [less, label] : std::span(labels).first(kept)) sums.add(label, -less * weight);
}

void ScoreTable::add_trees(std::size_t first, std::size_t last, const Context& context) {
  const std::size_t count = last - first;
  const std::size_t asked = open_.size();
  std::vector<Arrival> arrivals(asked * count);
  parallel_for(context, count, [&](std::size_t t) {
    TreeWalker walker(parts_->options, parts_->features, parts_->training, rows_.view(), values_);
    walker.walk(parts_->trees[first + t], open_, std::span(arrivals).subspan(t * asked, asked));
  });
  parallel_blocks(context, asked, rows_per_task, [&](std::size_t begin, std::size_t end) {
    ScoreSums sums(parts_->outputs);
    const bool pruned = parts_->options.leaf_labels.has_value();
    LeafMean mean(pruned ? parts_->outputs : 0);
    const auto add = [&](std::size_t tree, std::uint32_t leaf, double weight) {
      if (pruned)
        add_best_labels(sums, mean, tree, leaf, weight);
      else
        add_leaf(sums, tree, leaf, weight);
    };
    for (std::size_t i = begin; i < end; ++i) {
      RowState& state = states_[open_[i]];
      sums.clear();
      for (std::size_t e = 0; e < state.labels.size(); ++e) sums.add(state.labels[e], state.sums[e]);
      for (std::size_t t = 0; t < count; ++t) {
        const auto [leaf, second] = arrivals[t * asked + i];
        add(first + t, leaf, second == no_leaf ? 1.0 : 0.5);
        if (second != no_leaf) add(first + t, second, 0.5);
      }
      const auto values = sums.sums_of_outputs();
      state.sums.assign(values.begin(), values.end());
      state.labels.assign(sums.outputs().begin(), sums.outputs().end());
      state.trees = last;
    }
  });
}

void ScoreTable::end_settled_rows() {
  std::vector<std::uint32_t> still_open;
  for (const std::uint32_t row : open_) {
    RowState& state = states_[row];
    std::vector<std::uint32_t> best;
    for (const std::uint32_t i : largest(state.sums, settled_labels)) best.push_back(state.labels[i]);
    if (best != state.best || best.empty()) still_open.push_back(row);
    state.best = std::move(best);
  }
  open_ = std::move(still_open);
}

Predictions ScoreTable::predictions(const Context& context) const {
  const std::size_t top = std::min<std::size_t>(parts_->options.top_labels.value_or(parts_->outputs),
                                                context.best_labels.value_or(parts_->outputs));
  std::vector<std::size_t> counts(states_.size());
  for (std::size_t row = 0; row < counts.size(); ++row)
    counts[row] = std::min(states_[row].labels.size(), top);
  Predictions means = Predictions::make_sparse(parts_->outputs, counts);
  parallel_blocks(context, counts.size(), rows_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const RowState& state = states_[row];
      std::vector<std::uint32_t> kept(state.labels.size());
      std::iota(kept.begin(), kept.end(), 0U);
      if (counts[row] < kept.size()) {
        kept = largest(state.sums, counts[row]);
        std::sort(kept.begin(), kept.end());
      }
      for (std::size_t e = 0; e < kept.size(); ++e) {
        means.listed_labels(row)[e] = state.labels[kept[e]];
        means.listed_scores(row)[e] = state.sums[kept[e]] / static_cast<double>(state.trees);
      }
    }
  });
  return means;
}

}  // namespace coppice::craftml

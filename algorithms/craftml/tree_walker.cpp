#include "algorithms/craftml/tree_walker.h"

#include <numeric>

namespace coppice::craftml {

TreeWalker::TreeWalker(const Options& options, std::size_t features, const SparseRowsView& training,
                       const SparseRowsView& rows, const FeatureValues& values)
    : classifier_(options, features, values), training_(training), rows_(rows) {}

void TreeWalker::walk(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids,
                      std::span<std::uint32_t> leaves) {
  classifier_.start_tree(tree.seed);
  training_order_.resize(training_.rows());
  std::iota(training_order_.begin(), training_order_.end(), 0U);
  places_.resize(ids.size());
  std::iota(places_.begin(), places_.end(), 0U);
  row_ids_.assign(ids.begin(), ids.end());
  open_.push_back({0, 0, training_order_.size(), 0, ids.size()});
  while (!open_.empty()) {
    const Open open = open_.back();
    open_.pop_back();
    if (open.begin == open.end) continue;
    if (tree.is_leaf(open.node))
      for (std::size_t i = open.begin; i < open.end; ++i) leaves[places_[i]] = tree.link[open.node];
    else
      pass(tree, open);
  }
}

/// Makes the centroids ready; nothing will be routed to clusters that no training row was routed to.
void TreeWalker::finish(const TreeStore::Tree& tree, std::uint32_t node,
                        std::span<const std::size_t> training_counts) {
  if (tree.scale.empty()) {
    classifier_.finish(training_counts.size());
  } else {
    scale_.assign(training_counts.size(), 0.0F);
    std::uint32_t child = tree.link[node];
    for (std::size_t c = 0; c < training_counts.size(); ++c)
      if (training_counts[c] != 0) scale_[c] = tree.scale[child++];
    classifier_.finish(scale_);
  }
  for (std::size_t c = 0; c < training_counts.size(); ++c)
    if (training_counts[c] == 0) classifier_.close(c);
}

void TreeWalker::pass(const TreeStore::Tree& tree, const Open& open) {
  const std::size_t training = open.training_end - open.training_begin;
  const std::size_t asked = open.end - open.begin;
  const auto training_rows = std::span(training_order_).subspan(open.training_begin, training);
  const auto training_routes = tree.routes.subspan(tree.code_begin[open.node], training);
  const std::vector<std::size_t> training_counts = route_counts(training_routes);
  classifier_.start_node(open.node);
  classifier_.add(training_, training_rows, tree.clusters.subspan(tree.code_begin[open.node], training),
                  tree.scale.empty() ? Lengths::unknown : Lengths::known);
  finish(tree, open.node, training_counts);
  const auto ids = std::span(row_ids_).subspan(open.begin, asked);
  routes_.resize(asked);
  classifier_.route(rows_, ids, routes_);
  classifier_.end_node(training_, training_rows);

  std::vector<std::size_t> counts = route_counts(routes_);
  counts.resize(training_counts.size());
  sort_by_route(training_rows, training_routes, training_counts, buffer_);
  sort_by_route(std::span(places_).subspan(open.begin, asked), routes_, counts, buffer_);
  sort_by_route(ids, routes_, counts, buffer_);
  Open child{tree.link[open.node], open.training_begin, open.training_begin, open.begin, open.begin};
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (training_counts[c] == 0) continue;
    child.training_end = child.training_begin + training_counts[c];
    child.end = child.begin + counts[c];
    open_.push_back(child);
    child = {child.node + 1, child.training_end, child.training_end, child.end, child.end};
  }
}

}  // namespace coppice::craftml

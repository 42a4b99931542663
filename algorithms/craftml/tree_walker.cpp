#include "algorithms/craftml/tree_walker.h"

#include <numeric>

namespace coppice::craftml {

TreeWalker::TreeWalker(const Options& options, std::size_t features, const SparseRowsView& training,
                       const SparseRowsView& rows, const FeatureValues& values)
    : classifier_(options, features, training.typical_entries(), values),
      near_(training),
      second_route_(static_cast<float>(options.second_route)),
      training_(training),
      rows_(rows) {}

void TreeWalker::walk(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids,
                      std::span<Arrival> arrivals) {
  constexpr std::size_t many_rows = 256;
  many_ = ids.size() >= many_rows;
  classifier_.start_tree(tree.seed);
  near_.start();
  training_order_.resize(training_.rows());
  std::iota(training_order_.begin(), training_order_.end(), 0U);
  travellers_.clear();
  for (std::uint32_t place = 0; place < ids.size(); ++place) travellers_.push_back({place, Way::undivided});
  open_.push_back({0, 0, training_order_.size(), 0});
  while (!open_.empty()) {
    const Open open = open_.back();
    open_.pop_back();
    if (open.begin == travellers_.size()) continue;
    if (tree.is_leaf(open.node))
      arrive(tree.link[open.node], open.begin, arrivals);
    else
      pass(tree, ids, open);
  }
}

void TreeWalker::arrive(std::uint32_t leaf, std::size_t begin, std::span<Arrival> arrivals) {
  for (const Traveller& traveller : std::span(travellers_).subspan(begin)) {
    Arrival& arrival = arrivals[traveller.place];
    (traveller.way == Way::second ? arrival.second : arrival.leaf) = leaf;
  }
  travellers_.resize(begin);
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

/// Where the travellers from `begin` on go, in routes_ and seconds_.
void TreeWalker::choose_ways(std::span<const std::uint32_t> ids, std::size_t begin) {
  const auto travellers = std::span<const Traveller>(travellers_).subspan(begin);
  row_ids_.clear();
  for (const Traveller& traveller : travellers) row_ids_.push_back(ids[traveller.place]);
  routes_.resize(travellers.size());
  seconds_.assign(travellers.size(), no_cluster);
  if (second_route_ <= 0.0F) {
    classifier_.route(rows_, row_ids_, routes_);
    return;
  }
  classifier_.route(rows_, row_ids_, routes_, {second_route_, seconds_});
  for (std::size_t i = 0; i < travellers.size(); ++i)
    if (travellers[i].way != Way::undivided) seconds_[i] = no_cluster;
}

/// Sorts the travellers from `begin` on by where they go, those that go two ways twice; returns how many go
/// to each cluster.
std::vector<std::size_t> TreeWalker::send(std::size_t begin, std::size_t clusters) {
  leaving_.assign(travellers_.begin() + static_cast<std::ptrdiff_t>(begin), travellers_.end());
  std::vector<std::size_t> counts(clusters, 0);
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    ++counts[routes_[i]];
    if (seconds_[i] != no_cluster) ++counts[seconds_[i]];
  }
  std::vector<std::size_t> next(clusters);
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), begin);
  travellers_.resize(next.back() + counts.back());
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    const auto [place, way] = leaving_[i];
    const bool divides = seconds_[i] != no_cluster;
    travellers_[next[routes_[i]]++] = {place, divides ? Way::first : way};
    if (divides) travellers_[next[seconds_[i]]++] = {place, Way::second};
  }
  return counts;
}

void TreeWalker::pass(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids, const Open& open) {
  const std::size_t training = open.training_end - open.training_begin;
  if (many_) near_.enter(open.training_begin, open.training_end, training_order_, classifier_);
  const auto training_ids = near_.ids(open.training_begin, open.training_end, training_order_);
  const auto training_routes = tree.routes.subspan(tree.code_begin[open.node], training);
  const std::vector<std::size_t> training_counts = route_counts(training_routes);
  classifier_.start_node(open.node);
  classifier_.add(near_.rows(), training_ids, tree.clusters.subspan(tree.code_begin[open.node], training),
                  tree.scale.empty() ? Lengths::unknown : Lengths::known);
  finish(tree, open.node, training_counts);
  choose_ways(ids, open.begin);
  classifier_.end_node(near_.rows(), training_ids);

  sort_by_route(training_ids, training_routes, training_counts, buffer_);
  const std::vector<std::size_t> counts = send(open.begin, training_counts.size());
  Open child{tree.link[open.node], open.training_begin, open.training_begin, open.begin};
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (training_counts[c] == 0) continue;
    child.training_end = child.training_begin + training_counts[c];
    open_.push_back(child);
    child = {child.node + 1, child.training_end, child.training_end, child.begin + counts[c]};
  }
}

}  // namespace coppice::craftml

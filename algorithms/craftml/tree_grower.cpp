#include "algorithms/craftml/tree_grower.h"

#include <algorithm>
#include <numeric>

namespace coppice::craftml {

std::vector<std::size_t> route_counts(std::span<const std::uint8_t> routes) {
  std::vector<std::size_t> counts(most_branches, 0);
  std::size_t used = 0;
  for (const std::uint8_t route : routes) {
    ++counts[route];
    used = std::max<std::size_t>(used, route + std::size_t{1});
  }
  counts.resize(used);
  return counts;
}

void sort_by_route(std::span<std::uint32_t> rows, std::span<const std::uint8_t> routes,
                   std::span<const std::size_t> counts, std::vector<std::uint32_t>& buffer) {
  std::vector<std::size_t> next(counts.size(), 0);
  for (std::size_t c = 1; c < counts.size(); ++c) next[c] = next[c - 1] + counts[c - 1];
  buffer.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) buffer[next[routes[i]]++] = rows[i];
  std::copy(buffer.begin(), buffer.end(), rows.begin());
}

TreeGrower::TreeGrower(const Options& options, const TrainingData& data)
    : options_(&options),
      data_(data),
      label_clusters_(options, *data.labels, data.label_weights),
      classifier_(options, data.features, data.inputs.typical_entries(), data.values),
      near_(data.inputs) {}

GrownTree TreeGrower::grow(const Stream& stream, const Context& context) {
  tree_ = {};
  near_.start();
  tree_.seed = stream.at("features").next();
  classifier_.start_tree(tree_.seed);
  label_clusters_.start_tree(stream.at("labels").next());
  order_.resize(data_.inputs.rows());
  std::iota(order_.begin(), order_.end(), 0U);
  add_node(0.0F);
  open_.push_back({0, 0, order_.size(), 0, stream.at("root")});
  while (!open_.empty()) {
    context.check_stop();
    const Open open = open_.back();
    open_.pop_back();
    tree_.depth = std::max(tree_.depth, open.depth);
    if (!stops(std::span(order_).subspan(open.begin, open.end - open.begin)) && split(open))
      make_children(open);
    else
      make_leaf(open);
  }
  return std::move(tree_);
}

/// The paper's stopping rules: few rows, the same features, the same labels.
bool TreeGrower::stops(std::span<const std::uint32_t> rows) const {
  if (rows.size() <= options_->leaf_size) return true;
  const SparseRow first = data_.inputs[rows[0]];
  const bool same_features = std::all_of(rows.begin() + 1, rows.end(), [&](std::uint32_t row) {
    const SparseRow other = data_.inputs[row];
    return std::equal(first.columns.begin(), first.columns.end(), other.columns.begin(),
                      other.columns.end()) &&
           std::equal(first.values.begin(), first.values.end(), other.values.begin());
  });
  if (same_features) return true;
  const auto labels_of = [&](std::uint32_t row) { return (*data_.labels)[data_.label_rows[row]]; };
  const auto first_labels = labels_of(rows[0]);
  return std::all_of(rows.begin() + 1, rows.end(), [&](std::uint32_t row) {
    const auto labels = labels_of(row);
    return std::equal(first_labels.begin(), first_labels.end(), labels.begin(), labels.end());
  });
}

/// At most sample_size rows without replacement, in their order.
void TreeGrower::draw_sample(std::span<const std::uint32_t> rows, Stream stream) {
  sample_.clear();
  sample_labels_.clear();
  std::size_t wanted = std::min(rows.size(), options_->sample_size);
  for (std::uint32_t i = 0; i < rows.size() && wanted > 0; ++i) {
    const std::size_t left = rows.size() - i;
    if (wanted < left && stream.below(left) >= wanted) continue;
    --wanted;
    sample_.push_back(i);
    sample_labels_.push_back(data_.label_rows[rows[i]]);
  }
}

bool TreeGrower::split(const Open& open) {
  const auto rows = std::span<const std::uint32_t>(order_).subspan(open.begin, open.end - open.begin);
  draw_sample(rows, open.stream.at("sample"));
  sample_codes_.resize(sample_.size());
  label_clusters_.start_node(open.node);
  const std::size_t clusters = label_clusters_.run(sample_labels_, open.stream.at("clusters"), sample_codes_);
  if (clusters < 2) return false;
  clusters_.assign(rows.size(), no_cluster);
  for (std::size_t i = 0; i < sample_.size(); ++i) clusters_[sample_[i]] = sample_codes_[i];
  classifier_.start_node(open.node);
  near_.enter(open.begin, open.end, order_, classifier_);
  const ClassifierRows inputs = near_.rows();
  const auto ids = near_.ids(open.begin, open.end, order_);
  classifier_.add(inputs, ids, clusters_, Lengths::unknown);
  classifier_.finish(clusters);
  routes_.resize(rows.size());
  classifier_.route(inputs, ids, routes_);
  classifier_.end_node(inputs, ids);
  return std::any_of(routes_.begin(), routes_.end(), [&](std::uint8_t route) { return route != routes_[0]; });
}

void TreeGrower::add_node(float scale) {
  tree_.children.push_back(0);
  tree_.link.push_back(0);
  tree_.scale.push_back(scale);
  tree_.code_begin.push_back(0);
}

void TreeGrower::make_leaf(const Open& open) {
  tree_.link[open.node] = static_cast<std::uint32_t>(tree_.leaf_end.size());
  tree_.code_begin[open.node] = tree_.clusters.size();
  tree_.rows.insert(tree_.rows.end(), order_.begin() + static_cast<std::ptrdiff_t>(open.begin),
                    order_.begin() + static_cast<std::ptrdiff_t>(open.end));
  tree_.leaf_end.push_back(static_cast<std::uint32_t>(tree_.rows.size()));
}

void TreeGrower::make_children(const Open& open) {
  const std::vector<std::size_t> counts = route_counts(routes_);
  const auto used = static_cast<std::uint8_t>(
      counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U)));
  tree_.link[open.node] = static_cast<std::uint32_t>(tree_.children.size());
  tree_.children[open.node] = used;
  tree_.code_begin[open.node] = tree_.clusters.size();
  tree_.clusters.insert(tree_.clusters.end(), clusters_.begin(), clusters_.end());
  tree_.routes.insert(tree_.routes.end(), routes_.begin(), routes_.end());
  sort_by_route(std::span(order_).subspan(open.begin, open.end - open.begin), routes_, counts, sorted_);
  if (near_.copied()) sort_by_route(near_.ids(open.begin, open.end, order_), routes_, counts, sorted_);
  std::size_t begin = open.begin;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    open_.push_back({static_cast<std::uint32_t>(tree_.children.size()), begin, begin + counts[c],
                     open.depth + 1, open.stream.at("branch", c)});
    add_node(classifier_.scale()[c]);
    begin += counts[c];
  }
}

}  // namespace coppice::craftml

#include "core/tree/tree_set.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// The arrays of a set of trees that has just been grown.
struct OwnedTrees {
  std::vector<std::int32_t> feature;
  std::vector<float> threshold;
  std::vector<std::uint32_t> next;
  std::vector<std::uint64_t> node_begin{0};
  std::vector<std::uint32_t> depth;
};

}  // namespace

TreeSet::TreeSet(std::span<const GrownTree> trees) {
  const auto owned = std::make_shared<OwnedTrees>();
  std::size_t total = 0;
  for (const GrownTree& tree : trees) total += tree.feature.size();
  owned->feature.reserve(total);
  owned->threshold.reserve(total);
  owned->next.reserve(total);
  for (const GrownTree& tree : trees) {
    owned->feature.insert(owned->feature.end(), tree.feature.begin(), tree.feature.end());
    owned->threshold.insert(owned->threshold.end(), tree.threshold.begin(), tree.threshold.end());
    owned->next.insert(owned->next.end(), tree.next.begin(), tree.next.end());
    owned->node_begin.push_back(owned->feature.size());
    owned->depth.push_back(tree.depth);
  }
  feature_ = owned->feature;
  threshold_ = owned->threshold;
  next_ = owned->next;
  node_begin_ = owned->node_begin;
  depth_ = owned->depth;
  owner_ = owned;
}

void TreeSet::save(ModelWriter& writer) const {
  writer.put("node_begin", node_begin_);
  writer.put("depth", depth_);
  writer.put("feature", feature_);
  writer.put("threshold", threshold_);
  writer.put("next", next_);
}

TreeSet TreeSet::load(const std::shared_ptr<const ModelReader>& reader, std::size_t features) {
  TreeSet set;
  set.owner_ = reader;
  set.node_begin_ = reader->array<std::uint64_t>("node_begin");
  set.depth_ = reader->array<std::uint32_t>("depth");
  set.feature_ = reader->array<std::int32_t>("feature");
  set.threshold_ = reader->array<float>("threshold");
  set.next_ = reader->array<std::uint32_t>("next");
  set.check(*reader, features);
  return set;
}

void TreeSet::check(const ModelReader& reader, std::size_t features) const {
  if (node_begin_.size() < 2 || node_begin_.front() != 0 || node_begin_.back() != feature_.size() ||
      threshold_.size() != feature_.size() || next_.size() != feature_.size() || depth_.size() != trees())
    reader.fail("has tree arrays of different lengths");
  for (std::size_t t = 0; t < trees(); ++t) {
    if (node_begin_[t] >= node_begin_[t + 1] || node_begin_[t + 1] > feature_.size())
      reader.fail(fmt::format("has a tree {} without nodes", t));
    std::uint32_t leaf = 0;
    const std::size_t count = nodes(t);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t asked = feature(t)[i];
      const std::uint32_t target = next(t)[i];
      const bool sound = asked < 0
                             ? target == leaf++
                             : static_cast<std::size_t>(asked) < features && target > i + 1 && target < count;
      if (!sound) reader.fail(fmt::format("has a damaged node {} in tree {}", i, t));
    }
    if (leaf != leaves(t) || feature(t)[count - 1] >= 0)
      reader.fail(fmt::format("has a tree {} that is not binary", t));
  }
}

}  // namespace coppice

#include "core/tree/tree_set.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// How features and nodes can be counted in 16 bits: the largest number marks leaves.
constexpr std::size_t most_narrow = 65535;

/// The arrays of a set of trees that has just been grown.
struct OwnedTrees {
  OwnedNarrow feature;
  std::vector<float> threshold;
  OwnedNarrow next;
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint64_t> categories;
  std::vector<std::uint64_t> category_begin{0};
  std::vector<std::uint64_t> node_begin{0};
  std::vector<std::uint32_t> depth;
};

void append_tree(OwnedTrees& owned, const GrownTree& tree, bool special) {
  for (const std::int32_t feature : tree.feature)
    owned.feature.push_back(static_cast<std::uint32_t>(feature));
  owned.threshold.insert(owned.threshold.end(), tree.threshold.begin(), tree.threshold.end());
  for (const std::uint32_t next : tree.next) owned.next.push_back(next);
  if (special) {
    owned.kinds.insert(owned.kinds.end(), tree.kinds.begin(), tree.kinds.end());
    owned.kinds.resize(owned.threshold.size(), 0);
  }
  owned.categories.insert(owned.categories.end(), tree.categories.begin(), tree.categories.end());
  owned.category_begin.push_back(owned.categories.size());
  owned.node_begin.push_back(owned.threshold.size());
  owned.depth.push_back(tree.depth);
}

}  // namespace

TreeSet::TreeSet(std::span<const GrownTree> trees) {
  const auto owned = std::make_shared<OwnedTrees>();
  std::size_t total = 0;
  std::size_t most_nodes = 0;
  std::int32_t largest_feature = 0;
  bool special = false;
  for (const GrownTree& tree : trees) {
    total += tree.feature.size();
    most_nodes = std::max(most_nodes, tree.feature.size());
    special = special || !tree.kinds.empty();
    for (const std::int32_t feature : tree.feature) largest_feature = std::max(largest_feature, feature);
  }
  owned->feature.start(static_cast<std::size_t>(largest_feature) < most_narrow, total);
  owned->next.start(most_nodes <= most_narrow, total);
  owned->threshold.reserve(total);
  for (const GrownTree& tree : trees) append_tree(*owned, tree, special);
  feature_ = owned->feature.array();
  threshold_ = owned->threshold;
  next_ = owned->next.array();
  kinds_ = owned->kinds;
  categories_ = owned->categories;
  category_begin_ = owned->category_begin;
  node_begin_ = owned->node_begin;
  depth_ = owned->depth;
  owner_ = owned;
}

TreeSet::Node TreeSet::node(std::size_t tree, std::uint32_t node) const {
  const std::uint64_t place = node_begin_[tree] + node;
  const std::uint32_t leaf_mark = feature_.narrow() ? 0xffffU : 0xffffffffU;
  Node found;
  found.feature = feature_[place] == leaf_mark ? -1 : static_cast<std::int32_t>(feature_[place]);
  found.threshold = threshold_[place];
  found.next = next_[place];
  if (!kinds_.empty()) {
    found.categorical = (kinds_[place] & GrownTree::categorical) != 0;
    found.missing_left = (kinds_[place] & GrownTree::missing_left) != 0;
  }
  return found;
}

bool TreeSet::left_category(std::size_t tree, const Node& node, std::uint32_t category) const {
  const std::uint64_t* set =
      categories_.data() + category_begin_[tree] + static_cast<std::size_t>(node.threshold);
  return category / 64 < set[0] && ((set[1 + category / 64] >> (category % 64)) & 1U) != 0;
}

std::uint32_t TreeSet::special_leaf(std::size_t tree, const float* inputs) const {
  std::uint32_t place = 0;
  for (;;) {
    const Node at = node(tree, place);
    if (at.feature < 0) return at.next;
    const float value = inputs[at.feature];
    bool left = false;
    if (std::isnan(value))
      left = at.missing_left;
    else if (at.categorical)
      left = value >= 0.0F && left_category(tree, at, static_cast<std::uint32_t>(value));
    else
      left = value <= at.threshold;
    place = left ? place + 1 : at.next;
  }
}

void TreeSet::save(ModelWriter& writer) const {
  writer.put("node_begin", node_begin_);
  writer.put("depth", depth_);
  feature_.save("feature", writer);
  writer.put("threshold", threshold_);
  next_.save("next", writer);
  if (kinds_.empty()) return;
  writer.put("kinds", kinds_);
  writer.put("categories", categories_);
  writer.put("category_begin", category_begin_);
}

TreeSet TreeSet::load(const std::shared_ptr<const ModelReader>& reader, std::size_t features) {
  TreeSet set;
  set.owner_ = reader;
  set.node_begin_ = reader->array<std::uint64_t>("node_begin");
  set.depth_ = reader->array<std::uint32_t>("depth");
  set.feature_ = NarrowArray::load("feature", *reader);
  set.threshold_ = reader->array<float>("threshold");
  set.next_ = NarrowArray::load("next", *reader);
  if (reader->has("kinds")) {
    set.kinds_ = reader->array<std::uint8_t>("kinds");
    set.categories_ = reader->array<std::uint64_t>("categories");
    set.category_begin_ = reader->array<std::uint64_t>("category_begin");
  }
  set.check(*reader, features);
  return set;
}

void TreeSet::check(const ModelReader& reader, std::size_t features) const {
  if (node_begin_.size() < 2 || node_begin_.front() != 0 || node_begin_.back() != feature_.size() ||
      threshold_.size() != feature_.size() || next_.size() != feature_.size() || depth_.size() != trees() ||
      (!kinds_.empty() && (kinds_.size() != feature_.size() || category_begin_.size() != trees() + 1 ||
                           category_begin_.back() != categories_.size())))
    reader.fail("has tree arrays of different lengths");
  for (std::size_t t = 0; t < trees(); ++t) {
    if (node_begin_[t] >= node_begin_[t + 1] || node_begin_[t + 1] > feature_.size() ||
        (!kinds_.empty() && category_begin_[t] > category_begin_[t + 1]))
      reader.fail(fmt::format("has a tree {} without nodes", t));
    std::uint32_t leaf = 0;
    const std::size_t count = nodes(t);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Node at = node(t, i);
      const bool sound = at.feature < 0
                             ? at.next == leaf++
                             : static_cast<std::size_t>(at.feature) < features && at.next > i + 1 &&
                                   at.next < count && (!at.categorical || sound_categories(t, at));
      if (!sound) reader.fail(fmt::format("has a damaged node {} in tree {}", i, t));
    }
    if (leaf != leaves(t) || node(t, static_cast<std::uint32_t>(count - 1)).feature >= 0)
      reader.fail(fmt::format("has a tree {} that is not binary", t));
  }
}

bool TreeSet::sound_categories(std::size_t tree, const Node& node) const {
  const std::uint64_t room = category_begin_[tree + 1] - category_begin_[tree];
  if (!(node.threshold >= 0.0F) || !(node.threshold < static_cast<float>(room))) return false;
  const auto place = static_cast<std::uint64_t>(node.threshold);
  return categories_[category_begin_[tree] + place] < room - place;
}

}  // namespace coppice

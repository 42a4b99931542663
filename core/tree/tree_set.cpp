#include "core/tree/tree_set.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Packed nodes and features are counted in 16 bits.
constexpr std::uint32_t most_packed = 0xffffU;

/// The arrays of a set of trees that has just been grown.
struct OwnedTrees {
  std::unique_ptr<std::uint64_t[]> packed;
  std::vector<std::uint32_t> feature;
  std::vector<float> threshold;
  std::vector<std::uint32_t> next;
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint64_t> categories;
  std::vector<std::uint64_t> category_begin{0};
  std::vector<std::uint64_t> node_begin{0};
  std::vector<std::uint32_t> depth;
};

/// Copies a tree to its place.
void place_tree(OwnedTrees& owned, const GrownTree& tree, std::size_t number) {
  const std::size_t begin = owned.node_begin[number];
  const auto at = [begin](auto& array) { return array.begin() + static_cast<std::ptrdiff_t>(begin); };
  if (owned.packed) {
    std::uint64_t* const to = owned.packed.get() + begin;
    for (std::uint32_t i = 0; i < tree.feature.size(); ++i) {
      // Both, and then one of them: which nodes are leaves cannot be foreseen.
      const std::uint64_t leaf = PackedNodes::pack_leaf(i, tree.next[i]);
      const std::uint64_t test =
          PackedNodes::pack(static_cast<std::uint32_t>(tree.feature[i]) & most_packed,
                            std::bit_cast<std::uint32_t>(tree.threshold[i]), tree.next[i]);
      const std::uint64_t is_leaf = tree.feature[i] < 0 ? ~std::uint64_t{0} : 0;
      to[i] = (leaf & is_leaf) | (test & ~is_leaf);
    }
  } else {
    std::ranges::transform(tree.feature, at(owned.feature),
                           [](std::int32_t feature) { return static_cast<std::uint32_t>(feature); });
    std::ranges::copy(tree.threshold, at(owned.threshold));
    std::ranges::copy(tree.next, at(owned.next));
  }
  if (!tree.kinds.empty()) std::ranges::copy(tree.kinds, at(owned.kinds));
  std::ranges::copy(tree.categories,
                    owned.categories.begin() + static_cast<std::ptrdiff_t>(owned.category_begin[number]));
}

/// The nodes of a file from before leaves led to themselves: a leaf had the largest feature and its number as
/// the next node.
struct RepackedNodes {
  RepackedNodes(const std::shared_ptr<const ModelReader>& file, std::span<const std::uint64_t> node_begin)
      : reader(file), nodes(file->vector<std::uint64_t>("nodes")) {
    std::size_t tree = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      while (tree + 1 < node_begin.size() && node_begin[tree + 1] <= i) ++tree;
      if (((nodes[i] >> 32) & most_packed) == most_packed && tree < node_begin.size())
        nodes[i] = PackedNodes::pack_leaf(static_cast<std::uint32_t>(i - node_begin[tree]) & most_packed,
                                          static_cast<std::uint32_t>(nodes[i] >> 48));
    }
  }
  std::shared_ptr<const ModelReader> reader;
  std::vector<std::uint64_t> nodes;
};

}  // namespace

TreeSet::TreeSet(std::span<const GrownTree> trees, const Context& context) {
  const auto owned = std::make_shared<OwnedTrees>();
  bool packs = true;
  bool special = false;
  for (const GrownTree& tree : trees) {
    owned->node_begin.push_back(owned->node_begin.back() + tree.feature.size());
    owned->category_begin.push_back(owned->category_begin.back() + tree.categories.size());
    owned->depth.push_back(tree.depth);
    special = special || !tree.kinds.empty();
    packs =
        packs && tree.feature.size() <= most_packed &&
        *std::max_element(tree.feature.begin(), tree.feature.end()) <= static_cast<std::int32_t>(most_packed);
  }
  const std::size_t total = owned->node_begin.back();
  if (packs) {
    // Threads that fill it touch its memory first: to be cleared by one before would take as long.
    owned->packed = std::make_unique_for_overwrite<std::uint64_t[]>(total);
  } else {
    owned->feature.resize(total);
    owned->threshold.resize(total);
    owned->next.resize(total);
  }
  if (special) owned->kinds.resize(total, 0);
  owned->categories.resize(owned->category_begin.back());
  parallel_for(context, trees.size(), [&](std::size_t t) { place_tree(*owned, trees[t], t); });
  packed_ = std::span(owned->packed.get(), packs ? total : 0);
  feature_ = owned->feature;
  threshold_ = owned->threshold;
  next_ = owned->next;
  kinds_ = owned->kinds;
  categories_ = owned->categories;
  category_begin_ = owned->category_begin;
  node_begin_ = owned->node_begin;
  depth_ = owned->depth;
  owner_ = owned;
  look_at_trees(context);
}

TreeSet::Node TreeSet::node(std::size_t tree, std::uint32_t node) const {
  const std::uint64_t place = node_begin_[tree] + node;
  Node found;
  if (!packed_.empty()) {
    const PackedNodes nodes = packed_nodes(tree);
    if (nodes.leaf(node)) {
      found.next = nodes.number(node);
    } else {
      found.feature = static_cast<std::int32_t>(nodes.feature(node));
      found.threshold = nodes.threshold(node);
      found.next = nodes.next(node);
    }
  } else {
    found.feature = static_cast<std::int32_t>(feature_[place]);
    found.threshold = threshold_[place];
    found.next = next_[place];
  }
  if (!kinds_.empty()) {
    found.categorical = (kinds_[place] & GrownTree::categorical) != 0;
    found.missing_left = (kinds_[place] & GrownTree::missing_left) != 0;
  }
  return found;
}

bool TreeSet::all_between_bits(std::size_t tree) const {
  if (packed_.empty()) {
    for (std::uint32_t i = 0; i < nodes(tree); ++i)
      if (const Node at = node(tree, i); at.feature >= 0 && !(at.threshold >= 0.0F && at.threshold < 1.0F))
        return false;
    return true;
  }
  // Without asking which nodes are leaves, which cannot be foreseen: their threshold, which is not a number,
  // is nowhere.
  const PackedNodes packed = packed_nodes(tree);
  unsigned outside = 0;
  for (std::uint32_t i = 0; i < nodes(tree); ++i) {
    const float threshold = packed.threshold(i);
    outside |= static_cast<unsigned>(threshold < 0.0F) | static_cast<unsigned>(threshold >= 1.0F);
  }
  return outside == 0;
}

double TreeSet::mean_depth(std::size_t tree) const {
  std::vector<std::uint32_t> depths(nodes(tree), 0);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < depths.size(); ++i) {
    const Node at = node(tree, i);
    if (at.feature < 0)
      sum += depths[i];
    else
      depths[i + 1] = depths[at.next] = depths[i] + 1;
  }
  return static_cast<double>(sum) / static_cast<double>(leaves(tree));
}

Descent TreeSet::descent(std::size_t tree, double mean_depth) const {
  Descent found;
  found.busy =
      packed_.empty() ? BusyNodes(wide_nodes(tree), nodes(tree)) : BusyNodes(packed_nodes(tree), nodes(tree));
  found.steps = static_cast<int>(std::lround(std::max(0.0, mean_depth - found.busy.levels())));
  return found;
}

void TreeSet::look_at_trees(const Context& context) {
  std::vector<std::uint8_t> between(trees());
  parallel_for(context, trees(), [&](std::size_t tree) { between[tree] = all_between_bits(tree) ? 1 : 0; });
  parts_bits_ = std::ranges::find(between, 0) == between.end();
  // Where rows are expected as bits, nobody asks: what a balanced tree would have is enough then.
  const bool in_bits = forms().bits;
  descents_.resize(trees());
  parallel_for(context, trees(), [&](std::size_t tree) {
    descents_[tree] =
        descent(tree, in_bits ? static_cast<double>(std::bit_width(leaves(tree))) : mean_depth(tree));
  });
}

std::span<const std::uint64_t> TreeSet::category_set(std::size_t tree, const Node& node) const {
  const std::size_t begin = category_begin_[tree] + static_cast<std::size_t>(node.threshold);
  return categories_.subspan(begin, 1 + categories_[begin]);
}

bool TreeSet::left_category(std::size_t tree, const Node& node, std::uint32_t category) const {
  const std::uint64_t* set =
      categories_.data() + category_begin_[tree] + static_cast<std::size_t>(node.threshold);
  return category / 64 < set[0] && ((set[1 + category / 64] >> (category % 64)) & 1U) != 0;
}

std::uint32_t TreeSet::leaf(std::size_t tree, const float* inputs, std::size_t apart) const {
  std::uint32_t place = 0;
  for (;;) {
    const Node at = node(tree, place);
    if (at.feature < 0) return at.next;
    const float value = inputs[static_cast<std::size_t>(at.feature) * apart];
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

void TreeSet::leaves_of(std::size_t first, std::size_t last, const RowBlock& block, std::uint32_t* leaves,
                        std::size_t apart) const {
  for (std::size_t tree = first; tree < last; ++tree, leaves += apart) {
    if (!kinds_.empty())
      for (std::size_t i = 0; i < block.rows(); ++i) leaves[i] = leaf(tree, block[i], RowBundle::rows);
    else if (!packed_.empty())
      // After the last comes the first again, with the rows of another block.
      walk_rows(packed_nodes(tree), descents_[tree], block, packed_span(tree + 1 < last ? tree + 1 : first),
                leaves);
    else
      walk_rows(wide_nodes(tree), descents_[tree], block, leaves);
  }
}

void TreeSet::save(ModelWriter& writer) const {
  writer.put("node_begin", node_begin_);
  writer.put("depth", depth_);
  if (!packed_.empty()) {
    writer.put("packed_nodes", packed_);
  } else {
    writer.put("feature", feature_);
    writer.put("threshold", threshold_);
    writer.put("next", next_);
  }
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
  if (reader->has("packed_nodes")) {
    set.packed_ = reader->array<std::uint64_t>("packed_nodes");
  } else if (reader->has("nodes")) {
    const auto repacked = std::make_shared<RepackedNodes>(reader, set.node_begin_);
    set.packed_ = repacked->nodes;
    set.owner_ = repacked;
  } else {
    set.feature_ = reader->array<std::uint32_t>("feature");
    set.threshold_ = reader->array<float>("threshold");
    set.next_ = reader->array<std::uint32_t>("next");
  }
  if (reader->has("kinds")) {
    set.kinds_ = reader->array<std::uint8_t>("kinds");
    set.categories_ = reader->array<std::uint64_t>("categories");
    set.category_begin_ = reader->array<std::uint64_t>("category_begin");
  }
  set.check(*reader, features);
  set.look_at_trees(Context{});
  return set;
}

void TreeSet::check(const ModelReader& reader, std::size_t features) const {
  const auto looped = [&](std::size_t tree, std::uint32_t i) {
    const PackedNodes nodes = packed_nodes(tree);
    return nodes.feature(i) == 0 && nodes.next(i) == i;
  };
  const std::size_t total = packed_.empty() ? feature_.size() : packed_.size();
  if (node_begin_.size() < 2 || node_begin_.front() != 0 || node_begin_.back() != total ||
      threshold_.size() != feature_.size() || next_.size() != feature_.size() || depth_.size() != trees() ||
      (!kinds_.empty() && (kinds_.size() != total || category_begin_.size() != trees() + 1 ||
                           category_begin_.back() != categories_.size())))
    reader.fail("has tree arrays of different lengths");
  for (std::size_t t = 0; t < trees(); ++t) {
    if (node_begin_[t] >= node_begin_[t + 1] || node_begin_[t + 1] > total ||
        (!kinds_.empty() && category_begin_[t] > category_begin_[t + 1]))
      reader.fail(fmt::format("has a tree {} without nodes", t));
    std::uint32_t leaf = 0;
    const std::size_t count = nodes(t);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Node at = node(t, i);
      const bool sound = at.feature < 0
                             ? at.next == leaf++ && (packed_.empty() || looped(t, i))
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

#include "algorithms/craftml/tree_store.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::craftml {

namespace {

struct Owned {
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint32_t> depth;
  std::vector<std::uint32_t> leaves;
  std::vector<std::uint64_t> node_begin{0};
  std::vector<std::uint8_t> children;
  std::vector<std::uint32_t> link;
  std::vector<float> scale;
  std::vector<std::uint64_t> code_begin;
  std::vector<std::uint64_t> tree_codes{0};
  std::vector<std::uint8_t> clusters;
  std::vector<std::uint8_t> routes;
};

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Whether some ascending numbers from 0 on end with `end`.
bool is_partition(std::span<const std::uint64_t> begins, std::size_t parts, std::size_t end) {
  return begins.size() == parts + 1 && begins.front() == 0 && begins.back() == end &&
         std::is_sorted(begins.begin(), begins.end());
}

/// Why arrays do not describe a tree that `rows` rows pass through; empty if they do.
std::string tree_problem(const TreeStore::Tree& tree, std::size_t rows, std::size_t branches,
                         std::size_t leaves) {
  const std::size_t nodes = tree.children.size();
  if (nodes == 0) return "no nodes";
  std::vector<std::size_t> size(nodes, 0);
  std::vector<bool> leaf_seen(leaves, false);
  size[0] = rows;
  std::size_t next = 1;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (size[node] == 0) return "a node that no row comes to";
    if (tree.children[node] == 0) {
      if (tree.link[node] >= leaves || leaf_seen[tree.link[node]]) return "a leaf that is not its own";
      leaf_seen[tree.link[node]] = true;
      continue;
    }
    const std::uint64_t begin = tree.code_begin[node];
    if (begin > tree.routes.size() || size[node] > tree.routes.size() - begin)
      return "a node without codes for its rows";
    const auto codes = tree.routes.subspan(begin, size[node]);
    const auto sound = [&](std::uint8_t code) { return code < branches; };
    if (!std::all_of(codes.begin(), codes.end(), sound)) return "a row that goes nowhere";
    std::size_t child = tree.link[node];
    for (const std::size_t count : route_counts(codes)) {
      if (count == 0) continue;
      if (child >= nodes || child <= node || size[child] != 0) return "a child with several parents";
      size[child++] = count;
      ++next;
    }
    if (child - tree.link[node] != tree.children[node]) return "a node with other children than rows go to";
  }
  if (next != nodes) return "nodes that belong to no tree";
  return std::all_of(tree.clusters.begin(), tree.clusters.end(),
                     [&](std::uint8_t code) { return code < branches || code == no_cluster; })
             ? ""
             : "a cluster that no branch has";
}

}  // namespace

TreeStore::TreeStore(std::span<const GrownTree> trees) {
  const auto owned = std::make_shared<Owned>();
  for (const GrownTree& tree : trees) {
    owned->seeds.push_back(tree.seed);
    owned->depth.push_back(tree.depth);
    owned->leaves.push_back(static_cast<std::uint32_t>(tree.leaf_end.size()));
    append(owned->children, tree.children);
    append(owned->link, tree.link);
    append(owned->scale, tree.scale);
    append(owned->code_begin, tree.code_begin);
    append(owned->clusters, tree.clusters);
    append(owned->routes, tree.routes);
    owned->node_begin.push_back(owned->children.size());
    owned->tree_codes.push_back(owned->clusters.size());
  }
  seeds_ = owned->seeds;
  depth_ = owned->depth;
  leaves_ = owned->leaves;
  node_begin_ = owned->node_begin;
  children_ = owned->children;
  link_ = owned->link;
  scale_ = owned->scale;
  code_begin_ = owned->code_begin;
  tree_codes_ = owned->tree_codes;
  clusters_ = owned->clusters;
  routes_ = owned->routes;
  owner_ = owned;
}

TreeStore::Tree TreeStore::operator[](std::size_t tree) const {
  const std::uint64_t first = node_begin_[tree];
  const std::uint64_t codes = tree_codes_[tree];
  const std::uint64_t code_count = tree_codes_[tree + 1] - codes;
  return {seeds_[tree],
          children_.subspan(first, nodes(tree)),
          link_.subspan(first, nodes(tree)),
          scale_.empty() ? scale_ : scale_.subspan(first, nodes(tree)),
          code_begin_.subspan(first, nodes(tree)),
          clusters_.subspan(codes, code_count),
          routes_.subspan(codes, code_count)};
}

void TreeStore::save(ModelWriter& writer) const {
  writer.put("tree_seeds", seeds_);
  writer.put("tree_depth", depth_);
  writer.put("tree_leaves", leaves_);
  writer.put("node_begin", node_begin_);
  writer.put("node_children", children_);
  writer.put("node_link", link_);
  if (!scale_.empty()) writer.put("node_scale", scale_);
  writer.put("node_codes", code_begin_);
  writer.put("tree_codes", tree_codes_);
  writer.put("clusters", clusters_);
  writer.put("routes", routes_);
}

TreeStore TreeStore::load(const std::shared_ptr<const ModelReader>& reader, std::size_t rows,
                          std::size_t branches) {
  TreeStore loaded;
  loaded.owner_ = reader;
  loaded.seeds_ = reader->array<std::uint64_t>("tree_seeds");
  loaded.depth_ = reader->array<std::uint32_t>("tree_depth");
  loaded.leaves_ = reader->array<std::uint32_t>("tree_leaves");
  loaded.node_begin_ = reader->array<std::uint64_t>("node_begin");
  loaded.children_ = reader->array<std::uint8_t>("node_children");
  loaded.link_ = reader->array<std::uint32_t>("node_link");
  if (reader->has("node_scale")) loaded.scale_ = reader->array<float>("node_scale");
  loaded.code_begin_ = reader->array<std::uint64_t>("node_codes");
  loaded.tree_codes_ = reader->array<std::uint64_t>("tree_codes");
  loaded.clusters_ = reader->array<std::uint8_t>("clusters");
  loaded.routes_ = reader->array<std::uint8_t>("routes");
  const std::size_t trees = loaded.seeds_.size();
  const std::size_t nodes = loaded.children_.size();
  if (trees == 0 || loaded.depth_.size() != trees || loaded.leaves_.size() != trees ||
      loaded.link_.size() != nodes || (!loaded.scale_.empty() && loaded.scale_.size() != nodes) ||
      loaded.code_begin_.size() != nodes || loaded.routes_.size() != loaded.clusters_.size() ||
      !is_partition(loaded.node_begin_, trees, nodes) ||
      !is_partition(loaded.tree_codes_, trees, loaded.clusters_.size()))
    reader->fail("has arrays of trees that do not belong together");
  for (std::size_t t = 0; t < trees; ++t)
    if (const std::string why = tree_problem(loaded[t], rows, branches, loaded.leaves_[t]); !why.empty())
      reader->fail(fmt::format("has in tree {} {}", t, why));
  return loaded;
}

}  // namespace coppice::craftml

#include <algorithm>
#include <bit>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/tree/apply.h"
#include "core/tree/grower.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

std::vector<GrownTree> some_trees(const std::shared_ptr<const Dataset>& data) {
  const CodedInputs inputs(data->features(), DenseUse::cuts, Context{});
  GrowthOptions options;
  options.rule = SplitRule::random_cut;
  options.features = 2;
  std::vector<GrownTree> trees;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    trees.push_back(grow_tree(inputs, LabelTargets{&data->labels()}, Sample::of(DatasetView(data)), options,
                              Stream(seed), Context{}));
  return trees;
}

/// A model file with nodes packed in a way of its own.
std::shared_ptr<const ModelReader> file_of(const std::vector<GrownTree>& trees, const std::string& name,
                                           const auto& pack) {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> depth;
  std::vector<std::uint64_t> nodes;
  for (const GrownTree& tree : trees) {
    for (std::uint32_t i = 0; i < tree.feature.size(); ++i) nodes.push_back(pack(tree, i));
    begin.push_back(nodes.size());
    depth.push_back(tree.depth);
  }
  ModelWriter writer;
  writer.put("node_begin", begin);
  writer.put("depth", depth);
  writer.put(name, nodes);
  return ModelReader::from_bytes(writer.bytes(nlohmann::json::object()), "trees");
}

std::uint64_t pack(std::uint32_t threshold, std::uint32_t feature, std::uint32_t next) {
  return threshold | (std::uint64_t{feature} << 32) | (std::uint64_t{next} << 48);
}
std::uint64_t pack_inner(const GrownTree& tree, std::uint32_t i) {
  return pack(std::bit_cast<std::uint32_t>(tree.threshold[i]), static_cast<std::uint32_t>(tree.feature[i]),
              tree.next[i]);
}

}  // namespace

TEST_CASE("rows that walk together come to the leaves that they come to alone") {
  const auto data = small_dataset(Task::multilabel, {.rows = 200, .features = 7});
  const TreeSet set(some_trees(data));
  for (const std::size_t count : {1U, 7U, 8U, 9U, 16U, 17U, 200U}) {
    Rows rows;
    for (std::uint32_t row = 0; row < count; ++row) rows.push_back((row * 37) % 200);
    const auto leaves = apply_trees(set, 0, 3, DatasetView(data, rows), Context{});
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> inputs;
      for (std::size_t j = 0; j < data->feature_count(); ++j)
        inputs.push_back(data->features().column(j).at(rows[i]));
      for (std::size_t t = 0; t < 3; ++t) CHECK(leaves[3 * i + t] == set.leaf(t, inputs.data()));
    }
  }
}

TEST_CASE("files from before leaves led to themselves are read, and leaves that lead elsewhere are refused") {
  const auto data = small_dataset(Task::multilabel, {.rows = 60, .features = 5});
  const auto trees = some_trees(data);
  const auto expected = apply_trees(TreeSet(trees), 0, 3, DatasetView(data), Context{});
  const auto old_file = file_of(trees, "nodes", [](const GrownTree& tree, std::uint32_t i) {
    return tree.feature[i] < 0 ? pack(0, 0xffffU, tree.next[i]) : pack_inner(tree, i);
  });
  const TreeSet old = TreeSet::load(old_file, 5);
  CHECK(apply_trees(old, 0, 3, DatasetView(data), Context{}) == expected);

  ModelWriter writer;
  TreeSet(trees).save(writer);
  const TreeSet saved =
      TreeSet::load(ModelReader::from_bytes(writer.bytes(nlohmann::json::object()), "trees"), 5);
  CHECK(apply_trees(saved, 0, 3, DatasetView(data), Context{}) == expected);

  const auto damaged = file_of(trees, "packed_nodes", [](const GrownTree& tree, std::uint32_t i) {
    return tree.feature[i] < 0 ? pack(0x7fc00000U | tree.next[i], 0, i + 1) : pack_inner(tree, i);
  });
  CHECK_THROWS_AS(TreeSet::load(damaged, 5), Error);
}

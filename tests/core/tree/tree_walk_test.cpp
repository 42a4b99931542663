#include "core/tree/tree_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/busy_nodes.h"
#include "core/tree/gather_walk.h"
#include "core/tree/grower.h"
#include "core/tree/tree_set.h"
#include "core/tree/walkers.h"
#include "core/tree/word_walk.h"

namespace {

using namespace coppice;

/// Rows in which the last 40 of so many features have values other than 0, some of them whole numbers from
/// `lowest` to `highest`; one of these columns is stored as dense.
std::shared_ptr<const Dataset> sparse_data(std::size_t features, int lowest, int highest) {
  constexpr std::size_t count = 600;
  constexpr std::size_t used = 40;
  Stream stream(7);
  Features columns(count);
  for (std::size_t j = 0; j < features; ++j) {
    std::vector<std::uint32_t> rows;
    std::vector<float> values;
    for (std::uint32_t row = 0; j + used >= features && row < count; ++row) {
      const auto drawn =
          lowest + static_cast<int>(stream.below(static_cast<std::uint64_t>(highest - lowest + 1)));
      if (drawn == 0 || stream.below(5) != 0) continue;
      rows.push_back(row);
      values.push_back(static_cast<float>(drawn));
    }
    if (j + 1 < features) {
      columns.add_sparse("", rows, values);
      continue;
    }
    std::vector<float> dense(count, 0.0F);
    for (std::size_t e = 0; e < rows.size(); ++e) dense[rows[e]] = values[e];
    columns.add_dense("", dense);
  }
  LabelSets labels(4);
  for (std::size_t row = 0; row < count; ++row) {
    std::vector<std::uint32_t> present;
    for (std::uint32_t label = 0; label < 4; ++label)
      if (stream.below(2) == 0) present.push_back(label);
    labels.add_row(present);
  }
  return std::make_shared<const Dataset>("sparse", Task::multilabel, std::move(columns), std::move(labels));
}

TreeSet trees_on(const std::shared_ptr<const Dataset>& data) {
  const CodedInputs inputs(data->features(), DenseUse::cuts, Context{});
  GrowthOptions options;
  options.rule = SplitRule::random_cut;
  options.features = 30;
  std::vector<GrownTree> trees;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    trees.push_back(grow_tree(inputs, LabelTargets{&data->labels()}, Sample::of(DatasetView(data)), options,
                              Stream(seed), Context{}));
  return TreeSet(trees);
}

/// Compares walking rows in some form with walking each alone; returns how many blocks had that form.
std::size_t compare(const std::shared_ptr<const Dataset>& data, RowForms form, std::size_t count) {
  const TreeSet trees = trees_on(data);
  Rows rows;
  for (std::uint32_t i = 0; i < count; ++i) rows.push_back((i * 77) % 600);
  const DatasetView view(data, rows);
  std::size_t of_form = 0;
  RowBlocks(view, {}, 5000, form).visit(Context{}, [&](std::size_t /*number*/, const RowBlock& block) {
    of_form += (form.words == (block.words() != nullptr) && form.bits == block.in_bits()) ? 1 : 0;
    std::vector<std::uint32_t> leaves(block.rows());
    std::vector<float> inputs(data->feature_count());
    for (std::size_t t = 0; t < trees.trees(); ++t) {
      trees.leaves_of(t, t + 1, block, leaves.data());
      std::size_t same = 0;
      for (std::size_t i = 0; i < block.rows(); ++i) {
        for (std::size_t j = 0; j < inputs.size(); ++j)
          inputs[j] = data->features().column(j).at(view[block.first() + i]);
        same += leaves[i] == trees.leaf(t, inputs.data()) ? 1 : 0;
      }
      CHECK(same == block.rows());
    }
  });
  return of_form;
}

/// A tree of so many leaves of which thresholds lie between 0 and 1, in preorder from the node `nodes` ends
/// with.
void append_tree(std::uint32_t leaves, std::uint32_t features, Stream& stream,
                 std::vector<std::uint64_t>& nodes) {
  const auto here = static_cast<std::uint32_t>(nodes.size());
  nodes.push_back(PackedNodes::pack_leaf(here, here % 1000));
  if (leaves == 1) return;
  const auto left = static_cast<std::uint32_t>(1 + stream.below(leaves - 1));
  const auto feature = static_cast<std::uint32_t>(stream.below(features));
  const auto threshold = static_cast<float>(stream.uniform(0.1, 0.9));
  append_tree(left, features, stream, nodes);
  nodes[here] = PackedNodes::pack(feature, std::bit_cast<std::uint32_t>(threshold),
                                  static_cast<std::uint32_t>(nodes.size()));
  append_tree(leaves - left, features, stream, nodes);
}

/// One step of a row.
template <typename Inputs>
std::uint32_t child_of(const PackedNodes& nodes, const Inputs* inputs, std::uint32_t node) {
  return static_cast<std::uint32_t>(nodes.step(inputs, node));
}

}  // namespace

TEST_CASE("rows of a bundle go left with values up to the threshold, right with others and with none") {
  constexpr std::uint32_t features = 70;
  Stream stream(9);
  std::vector<std::uint64_t> tree;
  append_tree(500, features, stream, tree);
  const PackedNodes nodes{tree.data()};
  std::vector<RowBundle::Line> lines(features);
  float* const bundle = lines.data()->values.data();
  std::size_t equal = 0;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    const float threshold = nodes.threshold(node);
    for (RowBundle::Line& line : lines)
      for (float& value : line.values)
        value = stream.below(20) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                      : static_cast<float>(stream.uniform(-0.5, 1.0));
    if (stream.below(2) == 0) bundle[nodes.feature(node) * RowBundle::rows + 3] = threshold;
    const auto expected = [&](std::size_t row) {
      const float value = bundle[nodes.feature(node) * RowBundle::rows + row];
      equal += value == threshold ? 1 : 0;
      if (nodes.leaf(node)) return node;
      return value <= threshold ? node + 1 : nodes.next(node);
    };
    CHECK(nodes.step<0>(bundle, node) == expected(0));
    CHECK(nodes.step<3>(bundle, node) == expected(3));
    CHECK(nodes.step<15>(bundle, node) == expected(15));
    CHECK(nodes.step(bundle + 7, node) == expected(7));
  }
  CHECK(equal > 100);
}

TEST_CASE("rows pass the busy nodes of a tree together as they would one by one") {
  constexpr std::uint32_t features = 70;
  constexpr std::size_t most_bundles = 9;  // some walk at once, some are left over
  Stream stream(13);
  std::size_t arrived = 0;
  for (const std::uint32_t size : {1U, 2U, 7U, 40U, 3000U}) {
    std::vector<std::uint64_t> tree;
    append_tree(size, features, stream, tree);
    const PackedNodes nodes{tree.data()};
    // By themselves: how many leaves are below each node, and which nodes are busy.
    std::vector<std::size_t> below(tree.size(), 1);
    for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 0;)
      if (!nodes.leaf(node)) below[node] = below[node + 1] + below[nodes.next(node)];
    for (const bool widest : {false, has_widest_vectors()}) {
      const BusyNodes busy(nodes, tree.size(), widest);
      const auto is_busy = [&](std::uint32_t node) {
        return !nodes.leaf(node) && below[node] > below[0] / (widest ? 12 : 6);
      };
      std::size_t passed = 0;
      for (std::uint32_t node = 0; node < tree.size(); ++node) passed += is_busy(node) ? below[node] : 0;
      CHECK(busy.levels() == doctest::Approx(static_cast<double>(passed) / static_cast<double>(below[0])));
      for (std::size_t count = 1; count <= most_bundles; ++count) {
        std::vector<RowBundle::Line> lines(count * features);
        const float* const bundles = lines.data()->values.data();
        for (RowBundle::Line& line : lines)
          for (float& value : line.values)
            value = stream.below(20) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                          : static_cast<float>(stream.uniform(0.0, 1.0));
        lines[nodes.feature(0)].values[5] = nodes.threshold(0);
        std::vector<std::uint32_t> places(count * RowBundle::rows);
        busy.walk(bundles, features * RowBundle::rows, count, places.data(), widest);
        for (std::size_t row = 0; row < places.size(); ++row) {
          std::uint32_t expected = 0;
          while (is_busy(expected))
            expected = child_of(nodes, bundles + RowBundle::begin(row, features), expected);
          CHECK(places[row] == expected);
          arrived += nodes.leaf(expected) ? 1 : 0;
        }
      }
    }
  }
  CHECK(arrived > 1000);
}

TEST_CASE("rows that have arrived are noted and the others close ranks, with and without wide vectors") {
  Stream stream(19);
  std::vector<std::uint64_t> tree;
  append_tree(800, 70, stream, tree);
  const PackedNodes nodes{tree.data()};
  constexpr std::uint32_t first = 32;
  for (const std::size_t count : {1UL, 15UL, 16UL, 17UL, 500UL, 512UL}) {
    std::vector<std::uint32_t> places(Walkers::most_rows);
    for (std::uint32_t& place : places) place = static_cast<std::uint32_t>(stream.below(tree.size()));
    for (const bool widest : {false, has_widest_vectors()}) {
      Walkers walkers;
      std::copy(places.begin(), places.end(), walkers.place.begin());
      constexpr std::uint32_t untouched = 0xffffffffU;
      std::vector<std::uint32_t> leaves(first + count + 20, untouched);
      const std::size_t left_over = walkers.note_first(nodes, first, count, leaves.data(), widest);
      std::size_t left = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (nodes.leaf(places[i])) {
          CHECK(leaves[first + i] == nodes.number(places[i]));
          continue;
        }
        REQUIRE(left < left_over);
        CHECK(walkers.row[left] == first + i);
        CHECK(walkers.place[left] == places[i]);
        ++left;
      }
      CHECK(left == left_over);
      CHECK(leaves[first - 1] == untouched);
      CHECK(leaves[first + count] == untouched);
      // Those that are left go to leaves, every other one.
      std::uint32_t leaf = 0;
      while (!nodes.leaf(leaf)) ++leaf;
      for (std::size_t i = 0; i < left_over; i += 2) walkers.place[i] = leaf;
      const Walkers before = walkers;
      REQUIRE(walkers.note(nodes, left_over, leaves.data()) == left_over / 2);
      for (std::size_t i = 0; i < left_over; ++i) {
        if (i % 2 == 0)
          CHECK(leaves[before.row[i]] == nodes.number(leaf));
        else
          CHECK(walkers.row[i / 2] == before.row[i]);
      }
    }
  }
}

TEST_CASE("runs of blocks have all rows of a view in their order") {
  const auto data = sparse_data(1300, -2, 3);
  for (const std::size_t count : {1U, 63U, 64U, 65U, 200U, 449U}) {
    Rows rows;
    for (std::uint32_t i = 0; i < count; ++i) rows.push_back((i * 77) % 600);
    const DatasetView view(data, rows);
    for (const std::size_t most : {1U, 64U, 130U, 10000U}) {
      const RowBlocks blocks(view, {}, 5000, {.words = true, .bits = false});
      std::vector<std::size_t> seen(count, 0);
      std::vector<std::size_t> rows_of(blocks.run_count(most), 0);
      blocks.visit_runs(Context{}, most, [&](std::size_t number, const RowBlocks::Run& run) {
        rows_of.at(number) = run.rows();
        CHECK(run.rows() <= std::max(most, RowWords::most_rows));
        std::size_t next = run.first();
        run.visit([&](const RowBlock& block) {
          CHECK(block.first() == next);
          for (std::size_t i = 0; i < block.rows(); ++i) ++seen.at(next + i);
          next += block.rows();
        });
        CHECK(next == run.first() + run.rows());
      });
      CHECK(std::ranges::count(seen, 1U) == static_cast<std::ptrdiff_t>(count));
      CHECK(std::ranges::count(rows_of, 0U) == 0);
    }
  }
}

TEST_CASE("rows in words come to the leaves they would come to one by one, with and without wide vectors") {
  constexpr std::uint32_t features = 90;
  Stream stream(17);
  std::vector<std::uint64_t> tree;
  append_tree(400, features, stream, tree);
  // Some thresholds below 0, so that rows without a value go right.
  for (std::uint64_t& node : tree) {
    const PackedNodes one{&node};
    if (one.leaf(0) || stream.below(8) != 0) continue;
    node = PackedNodes::pack(one.feature(0), std::bit_cast<std::uint32_t>(-one.threshold(0)), one.next(0));
  }
  const PackedNodes nodes{tree.data()};
  for (const std::size_t rows : {1UL, 17UL, 63UL, 64UL}) {
    RowWords words(features);
    std::vector<RowBundle::Line> lines(RowBundle::lines(rows, features));
    float* const values = lines.data()->values.data();
    for (std::size_t row = 0; row < rows; ++row)
      for (std::uint32_t feature = 0; feature < features; ++feature) {
        // From one row in thirty to nearly all of them have a feature.
        if (stream.below(30) > feature / 3) continue;
        const float value = stream.below(25) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                  : static_cast<float>(stream.uniform(-1.0, 1.5));
        words.add(row, feature, value);
        values[RowBundle::begin(row, features) + feature * RowBundle::rows] = value;
      }
    words.finish(rows);
    for (const bool widest : {false, has_widest_vectors()}) {
      std::vector<std::uint32_t> leaves(rows, 0);
      walk_words(nodes, words, leaves.data(), widest);
      for (std::size_t row = 0; row < rows; ++row) {
        std::uint32_t at = 0;
        while (!nodes.leaf(at)) at = child_of(nodes, values + RowBundle::begin(row, features), at);
        CHECK(leaves[row] == nodes.number(at));
      }
    }
    words.clear();
    CHECK(words[features - 1].rows == 0);
  }
}

TEST_CASE("rows that gather their inputs take the steps of one row after the other") {
  if (!gathers_pay()) {
    MESSAGE("skipped: this processor does not gather fast");
    return;
  }
  constexpr std::uint32_t features = 70;
  constexpr std::size_t stride = features / 32 + 1;
  constexpr std::size_t count = 3 * WalkingRows::together;
  Stream stream(9);
  std::vector<std::uint64_t> tree;
  append_tree(500, features, stream, tree);
  const PackedNodes nodes{tree.data()};
  std::vector<std::uint32_t> bits(200 * stride);
  for (std::uint32_t& word : bits) word = static_cast<std::uint32_t>(stream.next());
  std::vector<std::uint32_t> rows(count);
  for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(stream.below(200));
  for (const int steps : {1, 5, 60}) {
    std::vector<std::uint32_t> start(count);
    for (std::uint32_t& place : start) place = static_cast<std::uint32_t>(stream.below(tree.size()));
    std::vector<std::uint32_t> gathered = start;
    gather_steps(nodes, steps, bits.data(), stride, {rows.data(), gathered.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t at = start[i];
      for (int s = 0; s < steps; ++s) at = child_of(nodes, bits.data() + rows[i] * stride, at);
      CHECK(gathered[i] == at);
    }
  }
}

TEST_CASE("rows as values, as bits and as words come to the same leaves") {
  const auto few_bits = sparse_data(90, 0, 1);
  for (const std::size_t rows : {1U, 15U, 16U, 17U, 300U, 512U, 513U, 1300U}) {
    CHECK(compare(few_bits, {}, rows) > 0);
    CHECK(compare(few_bits, {.words = false, .bits = true}, rows) > 0);
  }
  const auto many_bits = sparse_data(1300, 0, 1);
  const auto many_values = sparse_data(1300, -2, 3);  // where 0 may go right
  for (const std::size_t rows : {1U, 63U, 64U, 65U, 150U}) {
    CHECK(compare(many_bits, {.words = true, .bits = false}, rows) > 0);
    CHECK(compare(many_values, {.words = true, .bits = false}, rows) > 0);
    CHECK(compare(many_values, {}, rows) > 0);
  }
}

TEST_CASE("a form that does not suit the inputs is not taken") {
  CHECK(compare(sparse_data(90, 0, 2), {.words = false, .bits = true}, 20) == 0);
  CHECK(compare(sparse_data(90, 0, 1), {.words = true, .bits = false}, 20) == 0);
}

TEST_CASE("trees of more features than 16 bits can count are walked in the same ways") {
  const auto data = sparse_data(65600, 0, 1);
  CHECK(compare(data, {}, 40) > 0);
  CHECK(compare(data, {.words = true, .bits = false}, 40) > 0);
  const TreeSet trees = trees_on(data);
  CHECK(trees.node(0, 0).feature > 0xffff);
  // As bits, by hand: rows of so many features would be words.
  const DatasetView view(data);
  const std::size_t words = data->feature_count() / 32 + 1;
  std::vector<std::uint32_t> bits(20 * words, 0);
  for (std::size_t j = 65500; j < data->feature_count(); ++j)
    for (std::uint32_t row = 0; row < 20; ++row)
      if (data->features().column(j).at(row) != 0.0F) bits[row * words + j / 32] |= 1U << (j % 32);
  const std::size_t group_words = data->feature_count() * RowGroup::words;
  std::vector<std::uint64_t> group(group_words, 0);
  for (std::uint32_t row = 0; row < 20; ++row)
    for (std::size_t j = 0; j < data->feature_count(); ++j)
      if (((bits[row * words + j / 32] >> (j % 32)) & 1U) != 0)
        group[j * RowGroup::words] |= std::uint64_t{1} << row;
  std::vector<std::uint32_t> leaves(20);
  trees.leaves_of(1, 2, RowBlock(0, 20, words, bits.data(), group_words, group.data()), leaves.data());
  std::vector<float> inputs(data->feature_count());
  for (std::uint32_t row = 0; row < 20; ++row) {
    for (std::size_t j = 65500; j < inputs.size(); ++j) inputs[j] = data->features().column(j).at(row);
    CHECK(leaves[row] == trees.leaf(1, inputs.data()));
  }
}

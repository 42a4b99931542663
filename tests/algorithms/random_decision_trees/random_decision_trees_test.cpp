#include "algorithms/random_decision_trees/random_decision_trees.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/random_decision_trees/unnecessary_nodes.h"
#include "algorithms/registry.h"
#include "tests/algorithms/fit_by_name.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

std::unique_ptr<Model> fit_random_trees(const DatasetView& train, const RawParameters& raw) {
  return fit_by_name("random-decision-trees", train, raw);
}

/// The same inputs with labels that say nothing new: label sets of one row are one apart.
std::shared_ptr<const Dataset> with_labels(const Dataset& data, LabelSets labels) {
  return std::make_shared<const Dataset>("other", Task::multilabel, data.features(), std::move(labels));
}

}  // namespace

TEST_CASE("random decision trees have the paper's defaults") {
  const auto& description = Registry::instance().get("random-decision-trees").description();
  CHECK(description.find("trees")->default_value == "200");
  CHECK(description.find("max_depth")->default_value == "p/2");
  CHECK(description.find("leaf_size")->default_value == "4");
  CHECK(description.find("transform")->default_value == "binary-relevance");
  CHECK(description.staged()->name == "trees");
}

TEST_CASE("growing does not look at labels") {
  const auto data = small_dataset(Task::multilabel, {.rows = 120});
  // Distinct label sets everywhere, so that no node is unnecessary.
  LabelSets first(120);
  LabelSets second(240);
  for (std::uint32_t row = 0; row < 120; ++row) {
    first.add_row(std::span(&row, 1));
    const std::uint32_t other = 239 - row;
    second.add_row(std::span(&other, 1));
  }
  const auto one =
      fit_random_trees(DatasetView(with_labels(*data, first)), {{"trees", "5"}, {"max_depth", "20"}});
  const auto two =
      fit_random_trees(DatasetView(with_labels(*data, second)), {{"trees", "5"}, {"max_depth", "20"}});
  const TreeSet& a = dynamic_cast<const ForestModel&>(*one).parts().trees;
  const TreeSet& b = dynamic_cast<const ForestModel&>(*two).parts().trees;
  for (std::size_t t = 0; t < 5; ++t) {
    REQUIRE(a.nodes(t) == b.nodes(t));
    CHECK(a.leaves(t) > 10);
    for (std::uint32_t i = 0; i < a.nodes(t); ++i) {
      CHECK(a.node(t, i).feature == b.node(t, i).feature);
      CHECK(a.node(t, i).threshold == b.node(t, i).threshold);
    }
  }
}

TEST_CASE("leaves of random decision trees have few rows or the allowed depth") {
  const auto data = small_dataset(Task::multilabel, {.rows = 200});
  const auto model =
      fit_random_trees(DatasetView(data), {{"trees", "3"}, {"max_depth", "100"}, {"leaf_size", "7"}});
  const ForestParts& parts = dynamic_cast<const ForestModel&>(*model).parts();
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::uint32_t leaf = 0; leaf < parts.trees.leaves(t); ++leaf) {
      const NarrowArray rows = parts.leaf_rows.rows(t, leaf);
      bool equal = true;
      rows.each([&](std::uint32_t row) {
        equal = equal && std::ranges::equal(data->labels()[row], data->labels()[rows[0]]);
      });
      CHECK((rows.size() <= 7 || equal));
    }
  }
  const auto shallow = fit_random_trees(DatasetView(data), {{"trees", "3"}, {"max_depth", "2"}});
  CHECK(shallow->facts().at("depth") == 2.0);
}

TEST_CASE("nodes whose descendants all have one distribution are removed") {
  // Two leaves of the same distribution (1/2 and 2/4), beside one that differs.
  GrownTree tree;
  tree.feature = {0, 1, -1, -1, -1};
  tree.threshold = {0.5F, 0.5F, 0, 0, 0};
  tree.next = {4, 3, 0, 1, 2};
  tree.decrease = {0, 0, 0, 0, 0};
  tree.rows = {0, 1, 2, 3, 4, 5, 6};
  tree.leaf_end = {2, 6, 7};
  tree.depth = 2;
  LabelSets labels(2, {{0}, {}, {0}, {}, {0}, {}, {1}});
  const GrownTree smaller = without_unnecessary_nodes(tree, RowClasses(labels));
  CHECK(smaller.feature == std::vector<std::int32_t>{0, -1, -1});
  CHECK(smaller.leaf_end == std::vector<std::uint32_t>{6, 7});
  CHECK(smaller.rows == tree.rows);
  CHECK(smaller.depth == 1);
  LabelSets equal(2, {{0}, {}, {0}, {}, {0}, {}, {0, 1}});
  CHECK(without_unnecessary_nodes(tree, RowClasses(equal)).leaves() == 2);
  LabelSets same(2, {{1}, {1}, {1}, {1}, {1}, {1}, {1}});
  CHECK(without_unnecessary_nodes(tree, RowClasses(same)).leaves() == 1);
  CHECK(without_unnecessary_nodes(tree, RowClasses::of_sets(same)).leaves() == 1);
}

TEST_CASE("label powerset predicts a set that occurs, the one with the largest share") {
  const auto data = small_dataset(Task::multilabel, {.rows = 150, .outputs = 5});
  const DatasetView train = DatasetView(data).slice(0, 100);
  const DatasetView test = DatasetView(data).slice(100, 150);
  const auto relevance = fit_random_trees(train, {{"trees", "20"}});
  const auto powerset = fit_random_trees(train, {{"trees", "20"}, {"transform", "label-powerset"}});
  const Predictions sets = powerset->predict(test, Context{});
  REQUIRE(sets.decisions().has_value());
  CHECK(!relevance->predict(test, Context{}).decisions().has_value());
  bool differs = false;
  for (std::size_t i = 0; i < test.size(); ++i) {
    bool occurs = false;
    for (const std::uint32_t row : train.rows())
      occurs = occurs || std::ranges::equal(data->labels()[row], (*sets.decisions())[i]);
    CHECK(occurs);
    for (std::uint32_t j = 0; j < 5; ++j)
      differs = differs || (sets.score(i, j) >= 0.5) != sets.decisions()->contains(i, j);
  }
  CHECK(differs);
}

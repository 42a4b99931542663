#include "algorithms/craftml/craftml.h"

#include <algorithm>
#include <cstdlib>

#include <doctest/doctest.h>

#include "algorithms/craftml/craftml_model.h"
#include "algorithms/craftml/inputs.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/metrics/metric.h"
#include "experiments/data/source.h"
#include "tests/algorithms/small_data.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

Parameters parameters_for(const DatasetView& train, const RawParameters& raw) {
  const Dataset& data = train.dataset();
  return resolve(Registry::instance().get("craftml").description().parameters, raw, data.task(),
                 {static_cast<double>(train.size()), static_cast<double>(data.feature_count()),
                  static_cast<double>(data.output_count())});
}

std::unique_ptr<Model> fit(const DatasetView& train, const RawParameters& raw) {
  Context context;
  context.stream = Stream(3);
  return Registry::instance().get("craftml").fit(train, parameters_for(train, raw), context);
}

const craftml::ForestParts& parts_of(const Model& model) {
  return dynamic_cast<const craftml::CraftmlModel&>(model).parts();
}

std::string file_of(const Model& model) {
  ModelWriter writer;
  model.save(writer);
  return writer.bytes(nlohmann::json::object());
}

/// Rows with one of `topics` words and labels each, and some noise.
std::shared_ptr<const Dataset> topics_data(std::size_t rows, std::uint32_t topics) {
  Stream stream(17);
  std::vector<std::vector<std::uint32_t>> present(topics * 3);
  std::vector<std::vector<float>> values(topics * 3);
  LabelSets labels(topics * 2);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto topic = static_cast<std::uint32_t>(stream.below(topics));
    std::vector<std::uint32_t> words{topic * 3, topic * 3 + 1 + static_cast<std::uint32_t>(stream.below(2)),
                                     static_cast<std::uint32_t>(stream.below(topics * 3))};
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::uint32_t word : words) {
      present[word].push_back(row);
      values[word].push_back(1.0F);
    }
    labels.add_row(
        std::vector<std::uint32_t>{topic * 2, topic * 2 + static_cast<std::uint32_t>(stream.below(2))});
  }
  Features features(rows);
  for (std::size_t j = 0; j < present.size(); ++j) features.add_sparse("", present[j], values[j]);
  return std::make_shared<const Dataset>("topics", Task::multilabel, std::move(features), std::move(labels));
}

double precision(const Model& model, const DatasetView& train, const DatasetView& test, const char* name) {
  Scorer scorer({parse_metric(name)}, ScoringContext::of(train));
  test.for_each_batch([&](const DatasetView& batch) { scorer.add(batch, model.predict(batch, Context{})); });
  return scorer.values().at(name);
}

}  // namespace

TEST_CASE("craftml: defaults follow the paper but for three that gain precision (docs/craftml.md)") {
  const AlgorithmDescription& description = Registry::instance().get("craftml").description();
  const auto value = [&](const char* name) { return description.find(name)->default_value; };
  CHECK(value("trees") == "50");
  CHECK(value("leaf_size") == "10");
  CHECK(value("feature_dimension") == "min(p, 10000)");
  CHECK(value("label_dimension") == "min(d, 10000)");
  CHECK(value("sample_size") == "20000");
  CHECK(value("iterations") == "2");
  CHECK(value("projection") == "hashing");
  CHECK(value("diversity") == "SxSy");
  CHECK(value("rows_per_branch") == "4");
  CHECK(value("second_route") == "0.05");
  CHECK(description.staged()->name == "trees");
  const auto branches = [&](double labels) {
    return resolve(description.parameters, {}, Task::multilabel, {1000.0, 50.0, labels}).integer("branches");
  };
  CHECK(branches(1) == 10);
  CHECK(branches(101) == 10);
  CHECK(branches(159) == 12);
  CHECK(branches(983) == 16);
  CHECK(branches(300000) == 16);
}

TEST_CASE("craftml: fewer than two branches, empty leaves and other nonsense are refused with the range") {
  const DatasetView train(topics_data(30, 3));
  const std::vector<std::pair<std::string, std::string>> refused{
      {"branches", "1"},          {"branches", "256"},      {"leaf_size", "0"},
      {"feature_dimension", "0"}, {"trees", "0"},           {"sample_size", "1"},
      {"rows_per_branch", "0"},   {"second_route", "-0.1"}, {"second_route", "1.1"},
      {"label_dimension", "0"},   {"iterations", "0"},      {"feature_dimension", "2147483649"},
      {"top_labels", "0"},        {"leaf_labels", "0"},     {"label_dimension", "4294967296"}};
  for (const auto& [name, value] : refused) {
    CAPTURE(name);
    try {
      fit(train, {{name, value}});
      FAIL_CHECK("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::config);
      CHECK(error.message().find(name) != std::string::npos);
    }
  }
}

TEST_CASE("craftml: a number that 32 bits do not hold is as good as any large one") {
  const DatasetView rows(topics_data(200, 6));
  for (const char* name : {"leaf_size", "rows_per_branch", "sample_size", "centroid_entries", "leaf_labels",
                           "early_exit", "top_labels"}) {
    const auto scores_with = [&](const char* value) {
      RawParameters raw{{"trees", "3"}, {"leaf_size", "2"}};
      raw.insert_or_assign(name, value);
      return fit(rows, raw)->predict(rows, Context{});
    };
    const Predictions expected = scores_with("1000000");
    for (const char* value : {"4294967295", "4294967296", "4294967297"}) {
      CAPTURE(name);
      CAPTURE(value);
      const Predictions found = scores_with(value);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(std::ranges::equal(found.labels(i), expected.labels(i)));
        CHECK(std::ranges::equal(found.scores(i), expected.scores(i)));
      }
    }
  }
}

TEST_CASE("craftml: the memory it announces has no row of all labels in it") {
  const Algorithm& craftml = Registry::instance().get("craftml");
  const auto bytes = [&](double rows, double labels, const char* trees) {
    const Parameters parameters = resolve(craftml.description().parameters, {{"trees", trees}},
                                          Task::multilabel, {rows, 100000.0, labels});
    return craftml.cost(parameters, {rows, 100000.0, labels, 72.0 * rows, 5.0 * rows}).bytes;
  };
  // 500,000 rows of the scale config take 3.2 GB with two fits at once, 0.6 GB of them the data.
  const double whole = bytes(500000.0, 300000.0, "10");
  CHECK(whole > 0.8e9);
  CHECK(whole < 2e9);
  CHECK(bytes(500000.0, 150000.0, "10") > 0.9 * whole);
  CHECK(bytes(250000.0, 300000.0, "10") == doctest::Approx(whole / 2.0).epsilon(0.1));
  CHECK(bytes(500000.0, 300000.0, "50") > bytes(500000.0, 300000.0, "10") + 1e9);
}

TEST_CASE("craftml: every variant learns topics") {
  const auto data = topics_data(600, 12);
  const DatasetView train = DatasetView(data).slice(0, 400);
  const DatasetView test = DatasetView(data).slice(400, 600);
  const std::vector<RawParameters> variants{
      {},
      {{"projection", "gaussian"}},
      {{"diversity", "SxDy"}},
      {{"diversity", "DxSy"}},
      {{"diversity", "DxDy"}},
      {{"projection", "gaussian"}, {"diversity", "DxDy"}},
      {{"inputs", "none"}},
      {{"inputs", "tf-idf"}, {"unit_rows", "true"}},
      {{"label_weighting", "idf"}},
      {{"balanced", "true"}},
      {{"centroid_entries", "10"}},
      {{"leaf_labels", "2"}},
      {{"early_exit", "4"}},
      {{"sample_size", "50"}},
      {{"branches", "2"}},
      {{"branches", "30"}},
      {{"rows_per_branch", "1"}},
      {{"second_route", "0"}},
      {{"second_route", "0.5"}},
      {{"second_route", "0.5"}, {"leaf_labels", "2"}},
      {{"leaf_size", "1"}},
  };
  for (RawParameters raw : variants) {
    CAPTURE(raw.empty() ? std::string("defaults") : raw.begin()->first + " " + raw.begin()->second);
    raw.emplace("trees", "10");
    const auto model = fit(train, raw);
    CHECK(precision(*model, train, test, "precision@1") > 0.85);
    // And it is the same model after saving and loading.
    const auto loaded = craftml::CraftmlModel::load(ModelReader::from_bytes(file_of(*model), "saved"));
    const Predictions expected = model->predict(test, Context{});
    const Predictions found = loaded->predict(test, Context{});
    for (std::size_t i = 0; i < test.size(); ++i) {
      CHECK(std::equal(expected.labels(i).begin(), expected.labels(i).end(), found.labels(i).begin(),
                       found.labels(i).end()));
      CHECK(std::equal(expected.scores(i).begin(), expected.scores(i).end(), found.scores(i).begin()));
    }
  }
}

TEST_CASE("craftml: a training row comes to the leaf it was put in") {
  // So its own labels are among those predicted, and in one tree their score is at least one over the leaf.
  const auto data = topics_data(500, 10);
  for (RawParameters raw :
       std::vector<RawParameters>{{},
                                  {{"diversity", "DxDy"}},
                                  {{"sample_size", "20"}},
                                  {{"centroid_entries", "3"}},
                                  {{"projection", "gaussian"}, {"feature_dimension", "20"}}}) {
    raw.emplace("trees", "1");
    raw.emplace("second_route", "0");
    const auto model = fit(DatasetView(data), raw);
    const Predictions scores = model->predict(DatasetView(data), Context{});
    for (std::size_t row = 0; row < 500; ++row)
      for (const std::uint32_t label : data->labels()[row]) CHECK(scores.score(row, label) > 0.0);
    const craftml::ForestParts& parts = parts_of(*model);
    for (std::uint32_t leaf = 0; leaf < parts.trees.leaves(0); ++leaf) {
      const auto rows = parts.leaves.rows(0, leaf);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t label = data->labels()[rows[i]][0];
        double with_label = 0.0;
        for (std::size_t k = 0; k < rows.size(); ++k)
          with_label += data->labels().contains(rows[k], label) ? 1.0 : 0.0;
        CHECK(scores.score(rows[i], label) == doctest::Approx(with_label / static_cast<double>(rows.size())));
      }
    }
  }
}

TEST_CASE("craftml: so many rows that nodes copy theirs grow and are predicted as any others") {
  // More than a million entries, and so many features that copies have hash codes instead.
  const auto data = topics_data(370000, 3000);
  const DatasetView rows(data);
  const auto model = fit(rows, {{"trees", "1"}, {"second_route", "0"}, {"sample_size", "2000"}});
  const Predictions many = model->predict(rows.slice(0, 1000), Context{});
  std::size_t different = 0;
  std::size_t lost = 0;
  for (std::size_t begin = 0; begin < 1000; begin += 100) {
    // So few are predicted from the rows themselves: each must come to its own leaf.
    const Predictions few = model->predict(rows.slice(begin, begin + 100), Context{});
    for (std::size_t i = 0; i < 100; ++i) {
      different += std::ranges::equal(few.labels(i), many.labels(begin + i)) &&
                           std::ranges::equal(few.scores(i), many.scores(begin + i))
                       ? 0
                       : 1;
      for (const std::uint32_t label : data->labels()[begin + i]) lost += few.score(i, label) > 0.0 ? 0 : 1;
    }
  }
  CHECK(different == 0);
  CHECK(lost == 0);
}

TEST_CASE("craftml: a row between two clusters goes both ways, and each leaf counts half") {
  // Two words, each with a label of its own; the last row has both words.
  Features features(41);
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  LabelSets labels(2);
  for (std::uint32_t row = 0; row < 40; ++row) {
    (row % 2 == 0 ? first : second).push_back(row);
    labels.add_row(std::vector<std::uint32_t>{row % 2});
  }
  first.push_back(40);
  second.push_back(40);
  labels.add_row(std::vector<std::uint32_t>{});
  features.add_sparse("", first, std::vector<float>(first.size(), 1.0F));
  features.add_sparse("", second, std::vector<float>(second.size(), 1.0F));
  const auto data = std::make_shared<const Dataset>("between", Task::multilabel, std::move(features), labels);
  const DatasetView train = DatasetView(data).slice(0, 40);
  const auto scores_with = [&](const char* second_route) {
    return fit(train, {{"trees", "1"}, {"feature_dimension", "1000"}, {"second_route", second_route}})
        ->predict(DatasetView(data), Context{});
  };
  const Predictions one_way = scores_with("0");
  CHECK(one_way.score(40, 0) + one_way.score(40, 1) == 1.0);
  CHECK(std::max(one_way.score(40, 0), one_way.score(40, 1)) == 1.0);
  const Predictions both = scores_with("0.05");
  CHECK(both.score(40, 0) == 0.5);
  CHECK(both.score(40, 1) == 0.5);
  for (std::uint32_t row = 0; row < 40; ++row) CHECK(both.score(row, row % 2) == 1.0);
}

TEST_CASE("craftml: a row divides at the first node that leaves it between two clusters, and only there") {
  // Two pairs of words; the words of a pair share three labels and have one of their own. The last row has
  // all words, so that it is between the pairs, and would be between the words of either pair.
  std::vector<std::vector<std::uint32_t>> words(4);
  LabelSets labels(10);
  for (std::uint32_t row = 0; row < 40; ++row) {
    words[row % 4].push_back(row);
    const std::uint32_t shared = row % 4 < 2 ? 4 : 7;
    labels.add_row(std::vector<std::uint32_t>{row % 4, shared, shared + 1, shared + 2});
  }
  labels.add_row(std::vector<std::uint32_t>{});
  Features features(41);
  for (std::vector<std::uint32_t>& rows : words) {
    rows.push_back(40);
    features.add_sparse("", rows, std::vector<float>(rows.size(), 1.0F));
  }
  const auto data = std::make_shared<const Dataset>("pairs", Task::multilabel, std::move(features), labels);
  const auto model =
      fit(DatasetView(data).slice(0, 40),
          {{"trees", "1"}, {"branches", "2"}, {"leaf_size", "1"}, {"feature_dimension", "1000"}});
  REQUIRE(model->facts().at("leaves") == 4.0);
  const Predictions scores = model->predict(DatasetView(data).slice(40, 41), Context{});
  for (const std::uint32_t shared : {4U, 5U, 6U, 7U, 8U, 9U}) CHECK(scores.score(0, shared) == 0.5);
  for (const std::uint32_t pair : {0U, 2U})
    CHECK(std::max(scores.score(0, pair), scores.score(0, pair + 1)) == 0.5);
  CHECK(scores.labels(0).size() == 8);
}

TEST_CASE("craftml: a row goes the same ways alone as among others") {
  const auto data = topics_data(300, 10);
  const DatasetView train = DatasetView(data).slice(0, 200);
  const DatasetView test = DatasetView(data).slice(200, 300);
  const auto model = fit(train, {{"trees", "5"}, {"second_route", "0.9"}, {"leaf_size", "2"}});
  const Predictions together = model->predict(test, Context{});
  const Predictions one_way =
      fit(train, {{"trees", "5"}, {"second_route", "0"}, {"leaf_size", "2"}})->predict(test, Context{});
  std::size_t changed = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const Predictions alone = model->predict(test.slice(i, i + 1), Context{});
    for (std::uint32_t label = 0; label < 20; ++label) {
      CHECK(alone.score(0, label) == together.score(i, label));
      // The way of largest cosine is one of the two, so at least half of what it says stays.
      CHECK(together.score(i, label) >= 0.5 * one_way.score(i, label) - 1e-12);
      changed += together.score(i, label) != one_way.score(i, label) ? 1 : 0;
    }
  }
  CHECK(changed > 100);
}

TEST_CASE("craftml: a file of version 1 knows no second routes, and predicts without") {
  const auto data = topics_data(300, 10);
  const auto model = fit(DatasetView(data), {{"trees", "3"}, {"second_route", "0.5"}});
  ModelWriter writer;
  model->save(writer);
  writer.facts()["options"].erase("second_route");
  const std::string bytes = writer.bytes(nlohmann::json::object());
  const auto loaded = craftml::CraftmlModel::load(ModelReader::from_bytes(bytes, "old"));
  const Predictions expected =
      fit(DatasetView(data), {{"trees", "3"}, {"second_route", "0"}})->predict(DatasetView(data), Context{});
  const Predictions found = loaded->predict(DatasetView(data), Context{});
  for (std::size_t i = 0; i < data->rows(); ++i)
    CHECK(std::equal(expected.scores(i).begin(), expected.scores(i).end(), found.scores(i).begin(),
                     found.scores(i).end()));
}

TEST_CASE("craftml: stops at leaf_size rows, at equal features and at equal labels") {
  const auto data = topics_data(300, 8);
  CHECK(fit(DatasetView(data), {{"trees", "3"}, {"leaf_size", "300"}})->facts().at("nodes") == 3.0);
  const auto grown = fit(DatasetView(data), {{"trees", "3"}, {"leaf_size", "20"}});
  for (std::size_t t = 0; t < 3; ++t) CHECK(parts_of(*grown).trees.leaves(t) > 8);

  const auto constant = small_dataset(Task::multilabel, {.rows = 50, .inputs = Inputs::constant});
  CHECK(fit(DatasetView(constant), {{"trees", "2"}, {"leaf_size", "1"}})->facts().at("nodes") == 2.0);
  const auto same = small_dataset(Task::multilabel, {.rows = 50, .empty_labels = true});
  CHECK(fit(DatasetView(same), {{"trees", "2"}, {"leaf_size", "1"}})->facts().at("nodes") == 2.0);
}

TEST_CASE("craftml: rows without labels or without features are learnt from and predicted") {
  Features features(40);
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  LabelSets labels(2);
  for (std::uint32_t row = 0; row < 40; ++row) {
    // Ten rows of the first word with label 0, ten of the second with label 1, ten of both without labels,
    // and ten without any word.
    if (row < 10 || (row >= 20 && row < 30)) first.push_back(row);
    if (row >= 10 && row < 30) second.push_back(row);
    labels.add_row(row < 10   ? std::vector<std::uint32_t>{0}
                   : row < 20 ? std::vector<std::uint32_t>{1}
                              : std::vector<std::uint32_t>{});
  }
  features.add_sparse("", first, std::vector<float>(first.size(), 1.0F));
  features.add_sparse("", second, std::vector<float>(second.size(), 1.0F));
  const auto data = std::make_shared<const Dataset>("awkward", Task::multilabel, std::move(features), labels);
  const auto model = fit(DatasetView(data),
                         {{"feature_dimension", "1000"}, {"label_dimension", "1000"}, {"leaf_size", "1"}});
  const Predictions scores = model->predict(DatasetView(data), Context{});
  CHECK(scores.score(0, 0) > 0.9);
  CHECK(scores.score(10, 1) > 0.9);
  CHECK(scores.score(0, 1) < 0.1);
  CHECK(scores.score(25, 0) < 0.5);
  for (std::size_t j = 0; j < 2; ++j) CHECK(scores.score(35, j) <= 1.0);
}

TEST_CASE("craftml: the best labels only, where asked for, with the scores they had") {
  const auto data = topics_data(300, 10);
  const DatasetView rows(data);
  const Predictions all = fit(rows, {{"trees", "7"}})->predict(rows, Context{});
  const Predictions top = fit(rows, {{"trees", "7"}, {"top_labels", "3"}})->predict(rows, Context{});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(top.labels(i).size() == std::min<std::size_t>(3, all.labels(i).size()));
    double lowest = 1.0;
    for (std::size_t e = 0; e < top.labels(i).size(); ++e) {
      CHECK(all.score(i, top.labels(i)[e]) == top.scores(i)[e]);
      lowest = std::min(lowest, top.scores(i)[e]);
    }
    for (std::size_t e = 0; e < all.labels(i).size(); ++e)
      if (all.scores(i)[e] > lowest) CHECK(top.score(i, all.labels(i)[e]) == all.scores(i)[e]);
  }
  // precision@k needs no more than k labels.
  const auto five = fit(rows, {{"trees", "7"}, {"top_labels", "5"}});
  const auto whole = fit(rows, {{"trees", "7"}});
  for (const char* metric : {"precision@1", "precision@5", "ndcg@5", "psp@3"})
    CHECK(precision(*five, rows, rows, metric) == precision(*whole, rows, rows, metric));
  // So a prediction for these metrics alone lists no more, whatever the parameter says.
  Context asked;
  asked.best_labels = 3;
  const Predictions of_whole = whole->predict(rows, asked);
  const Predictions of_five = five->predict(rows, asked);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(std::ranges::equal(of_whole.labels(i), top.labels(i)));
    CHECK(std::ranges::equal(of_five.scores(i), top.scores(i)));
  }
}

TEST_CASE("craftml: leaves that keep their best labels have the most frequent, of equals the first") {
  // One leaf: label 3 in all four rows, labels 1 and 2 in two, label 0 in one.
  Features features(4);
  features.add_sparse("", std::vector<std::uint32_t>{0, 1, 2, 3}, std::vector<float>(4, 1.0F));
  LabelSets labels(5, {{0, 3}, {1, 2, 3}, {2, 3}, {1, 3}});
  const auto data = std::make_shared<const Dataset>("leaf", Task::multilabel, std::move(features), labels);
  const auto listed = [&](const char* kept) {
    const Predictions scores = fit(DatasetView(data), {{"trees", "2"}, {"leaf_labels", kept}})
                                   ->predict(DatasetView(data).slice(0, 1), Context{});
    CHECK(scores.score(0, 3) == 1.0);
    if (scores.labels(0).size() > 1) CHECK(scores.score(0, 1) == 0.5);
    return std::vector<std::uint32_t>(scores.labels(0).begin(), scores.labels(0).end());
  };
  CHECK(listed("1") == std::vector<std::uint32_t>{3});
  CHECK(listed("2") == std::vector<std::uint32_t>{1, 3});
  CHECK(listed("3") == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(listed("9") == std::vector<std::uint32_t>{0, 1, 2, 3});
}

TEST_CASE("craftml: early exit leaves the best labels of settled rows alone, and is staged") {
  const auto data = topics_data(400, 10);
  const DatasetView train = DatasetView(data).slice(0, 300);
  const DatasetView test = DatasetView(data).slice(300, 400);
  const auto model = fit(train, {{"trees", "20"}, {"early_exit", "5"}});
  const std::vector<double> stages{3, 5, 12, 20};
  model->predict_staged(
      test, stages,
      [&](std::size_t index, const Predictions& staged) {
        const std::string trees = std::to_string(static_cast<int>(stages[index]));
        const Predictions separate =
            fit(train, {{"trees", trees}, {"early_exit", "5"}})->predict(test, Context{});
        for (std::size_t i = 0; i < test.size(); ++i)
          for (std::uint32_t j = 0; j < 20; ++j) CHECK(staged.score(i, j) == separate.score(i, j));
      },
      Context{});
  CHECK(precision(*model, train, test, "precision@1") > 0.85);
}

TEST_CASE("craftml: inputs are weighted by inverse frequency where they are sparse counts") {
  const auto sparse = topics_data(100, 10);
  SparseRows rows = SparseRows::of(DatasetView(sparse));
  craftml::Options options;
  const auto fitted = craftml::InputWeights::fit(options, rows, 30);
  REQUIRE(fitted.weights.size() == 30);
  std::size_t frequency = 0;
  for (const std::uint32_t column : rows.columns()) frequency += column == 0 ? 1 : 0;
  CHECK(fitted.weights[0] == doctest::Approx(portable_log(101.0 / (static_cast<double>(frequency) + 1.0))));
  fitted.apply(rows);
  CHECK(rows[0].values[0] == fitted.weights[rows[0].columns[0]]);

  // What is no count has been weighted already; what is dense is no text.
  SparseRows weighted = SparseRows::of(DatasetView(sparse));
  weighted.values_of(0)[0] = 0.5F;
  CHECK(craftml::InputWeights::fit(options, weighted, 30).weights.empty());
  const auto dense = small_dataset(Task::multilabel, {});
  CHECK(craftml::InputWeights::fit(options, SparseRows::of(DatasetView(dense)), 6).weights.empty());
  options.unit_rows = true;
  SparseRows unit = SparseRows::of(DatasetView(dense));
  craftml::InputWeights::fit(options, unit, 6).apply(unit);
  double squares = 0.0;
  for (const float value : unit[4].values) squares += double{value} * double{value};
  CHECK(squares == doctest::Approx(1.0));
}

TEST_CASE("craftml: files without the lengths of centroids predict the same") {
  const auto data = topics_data(300, 10);
  const auto model = fit(DatasetView(data), {{"trees", "3"}, {"leaf_size", "2"}});
  std::vector<craftml::GrownTree> trees;
  const craftml::TreeStore& stored = parts_of(*model).trees;
  for (std::size_t t = 0; t < stored.trees(); ++t) {
    const craftml::TreeStore::Tree tree = stored[t];
    CHECK(tree.scale.size() == tree.children.size());
    craftml::GrownTree& old = trees.emplace_back();
    old.seed = tree.seed;
    old.children.assign(tree.children.begin(), tree.children.end());
    old.link.assign(tree.link.begin(), tree.link.end());
    old.code_begin.assign(tree.code_begin.begin(), tree.code_begin.end());
    old.clusters.assign(tree.clusters.begin(), tree.clusters.end());
    old.routes.assign(tree.routes.begin(), tree.routes.end());
    old.leaf_end.resize(stored.leaves(t));
  }
  craftml::ForestParts parts = parts_of(*model);
  parts.trees = craftml::TreeStore(trees);
  const std::string bytes = file_of(craftml::CraftmlModel(std::move(parts)));
  const auto loaded = craftml::CraftmlModel::load(ModelReader::from_bytes(bytes, "old"));
  CHECK(parts_of(*loaded).trees[0].scale.empty());
  const Predictions expected = model->predict(DatasetView(data), Context{});
  const Predictions found = loaded->predict(DatasetView(data), Context{});
  for (std::size_t i = 0; i < data->rows(); ++i)
    CHECK(std::equal(expected.scores(i).begin(), expected.scores(i).end(), found.scores(i).begin(),
                     found.scores(i).end()));
}

TEST_CASE("craftml: a file whose trees contradict each other is refused") {
  const auto data = topics_data(60, 4);
  const auto model = fit(DatasetView(data), {{"trees", "2"}, {"leaf_size", "2"}});
  const craftml::ForestParts& parts = parts_of(*model);
  const auto damaged = [&](const char* what, auto change) {
    CAPTURE(what);
    craftml::ForestParts other = parts;
    change(other);
    const std::string bytes = file_of(craftml::CraftmlModel(std::move(other)));
    CHECK_THROWS_AS(craftml::CraftmlModel::load(ModelReader::from_bytes(bytes, "damaged")), Error);
  };
  damaged("fewer features", [](auto& p) { p.features = 1; });
  damaged("fewer labels", [](auto& p) { p.outputs = 1; });
  damaged("fewer branches", [](auto& p) { p.options.branches = 2; });
  damaged("fewer rows",
          [](auto& p) { p.training.begin = p.training.begin.first(p.training.begin.size() - 1); });
  damaged("a dimension that codes have no bits for",
          [](auto& p) { p.options.feature_dimension = 0x80000001; });
  damaged("second routes beyond all", [](auto& p) { p.options.second_route = 2.0; });
  damaged("other weights", [](auto& p) { p.weights.weights.resize(1); });
  damaged("no trees", [](auto& p) { p.trees = craftml::TreeStore(std::vector<craftml::GrownTree>{}); });
}

TEST_CASE("craftml: precision on bibtex is that of the paper") {
  const char* folder = std::getenv("COPPICE_DATA");
  if (folder == nullptr || *folder == '\0') {
    MESSAGE("skipped: set COPPICE_DATA to the folder with the staged datasets to run this test");
    return;
  }
  Problems problems;
  const auto source = make_source({"bibtex", {}, {}}, DataPath::standard(folder), problems);
  problems.raise();
  const auto data = source->load(Stream(1));
  REQUIRE(data->given_split());
  const DatasetView train(data, data->given_split()->train);
  const DatasetView test(data, data->given_split()->test);
  // 20 trees, for speed; 50 reach 65.1 / 40.1 / 29.4 (docs/craftml.md).
  const auto weighted = fit(train, {{"trees", "20"}});
  CHECK(precision(*weighted, train, test, "precision@1") > 0.63);
  CHECK(precision(*weighted, train, test, "precision@3") > 0.38);
  CHECK(precision(*weighted, train, test, "precision@5") > 0.275);
  const auto raw = fit(train, {{"trees", "20"}, {"inputs", "none"}});
  CHECK(precision(*raw, train, test, "precision@1") + 0.01 <
        precision(*weighted, train, test, "precision@1"));
}

// Times tree ensembles on one dataset.
//
//   trees_bench export DATASET FOLDER                      the split as raw arrays, for other programs
//   trees_bench run DATASET ALGORITHM TREES SEED THREADS [NAME=VALUE...]
//
// `run` fits, predicts (the best of seven), saves, loads and prints one line of JSON: CPU and wall seconds,
// peak memory, accuracy, size. DATASET is a catalogue name; `scm-like` is drawn here (16 correlated targets,
// 280 inputs), `labels-N` has 4000 rows and N labels, `rows-N` N rows and 20 labels, and the inputs of both
// do not depend on N. Datasets without a split are cut in halves, even rows to learn from. Driven by trees.py
// beside this file, which compares with scikit-learn.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/metrics/metric.h"
#include "experiments/data/source.h"
#include "tests/bench/measure.h"

using namespace coppice;
using namespace coppice::bench;

namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// 280 inputs, 16 targets that share latent factors: the shape of the supply-chain sets.
std::shared_ptr<const Dataset> scm_like() {
  constexpr std::size_t rows = 9803;
  constexpr std::size_t inputs = 280;
  constexpr std::size_t factors = 12;
  constexpr std::size_t targets = 16;
  Stream stream = Stream(4).at("scm-like");
  std::vector<double> latent(rows * factors);
  for (double& value : latent) value = stream.normal();
  Features features(rows);
  std::vector<float> column(rows);
  for (std::size_t j = 0; j < inputs; ++j) {
    for (std::size_t i = 0; i < rows; ++i)
      column[i] =
          static_cast<float>(std::round(100.0 * (latent[i * factors + j % factors] + stream.normal())));
    features.add_dense("", column);
  }
  std::vector<double> mixing(factors * targets);
  for (double& value : mixing) value = stream.normal();
  std::vector<double> values(rows * targets);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < targets; ++t) {
      for (std::size_t f = 0; f < factors; ++f)
        values[i * targets + t] += mixing[f * targets + t] * std::abs(latent[i * factors + f]);
      values[i * targets + t] += 0.3 * stream.normal();
    }
  return std::make_shared<const Dataset>("scm-like", std::move(features),
                                         RealTargets(targets, std::move(values)));
}

/// Rows of 50 inputs and 5 labels each, out of as many as asked for.
std::shared_ptr<const Dataset> random_labels(const std::string& name, std::size_t rows,
                                             std::uint32_t labels) {
  Stream stream = Stream(4).at("labels");
  Features features(rows);
  std::vector<float> column(rows);
  for (std::size_t j = 0; j < 50; ++j) {
    for (float& value : column) value = static_cast<float>(stream.normal());
    features.add_dense("", column);
  }
  LabelSets sets(labels);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::uint32_t> present;
    for (int l = 0; l < 5; ++l) present.push_back(static_cast<std::uint32_t>(stream.below(labels)));
    sets.add_row(present);
  }
  return std::make_shared<const Dataset>(name, Task::multilabel, std::move(features), std::move(sets));
}

std::shared_ptr<const Dataset> load(const std::string& name) {
  if (name == "scm-like") return scm_like();
  if (name.starts_with("labels-"))
    return random_labels(name, 4000, static_cast<std::uint32_t>(std::stoul(name.substr(7))));
  if (name.starts_with("rows-")) return random_labels(name, std::stoul(name.substr(5)), 20);
  Problems problems;
  const auto source = make_source({name, {}, {}}, DataPath::standard(""), problems);
  problems.raise();
  return source->load(Stream(1));
}

/// The rows without missing inputs, in the given split or else even and odd.
Split split_of(const Dataset& dataset) {
  Split split;
  if (dataset.given_split()) {
    split = *dataset.given_split();
  } else {
    for (std::uint32_t row = 0; row < dataset.rows(); ++row)
      (row % 2 == 0 ? split.train : split.test).push_back(row);
  }
  if (!dataset.features().has_missing()) return split;
  std::vector<bool> missing(dataset.rows(), false);
  for (std::size_t j = 0; j < dataset.feature_count(); ++j) {
    const ColumnView column = dataset.features().column(j);
    for (std::uint32_t row = 0; row < dataset.rows(); ++row)
      if (std::isnan(column.at(row))) missing[row] = true;
  }
  std::erase_if(split.train, [&](std::uint32_t row) { return missing[row]; });
  std::erase_if(split.test, [&](std::uint32_t row) { return missing[row]; });
  return split;
}

template <typename T>
void write_array(const std::filesystem::path& path, const std::vector<T>& values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

void export_dataset(const std::string& name, const std::filesystem::path& folder) {
  const auto dataset = load(name);
  const Split split = split_of(*dataset);
  std::filesystem::create_directories(folder);
  std::vector<std::uint64_t> column_begin{0};
  std::vector<std::uint32_t> column_rows;
  std::vector<float> column_values;
  for (std::size_t j = 0; j < dataset->feature_count(); ++j) {
    const ColumnView column = dataset->features().column(j);
    for (std::size_t e = 0; e < column.values.size(); ++e) {
      if (column.values[e] == 0.0F) continue;
      column_rows.push_back(column.dense ? static_cast<std::uint32_t>(e) : column.rows[e]);
      column_values.push_back(column.values[e]);
    }
    column_begin.push_back(column_rows.size());
  }
  write_array(folder / "x_begin", column_begin);
  write_array(folder / "x_rows", column_rows);
  write_array(folder / "x_values", column_values);
  const auto offsets = dataset->labels().offsets();
  const auto labels = dataset->labels().labels();
  const auto targets = dataset->targets().values();
  write_array(folder / "y_begin", std::vector<std::uint64_t>(offsets.begin(), offsets.end()));
  write_array(folder / "y_labels", std::vector<std::uint32_t>(labels.begin(), labels.end()));
  write_array(folder / "y_values", std::vector<double>(targets.begin(), targets.end()));
  write_array(folder / "train", split.train);
  write_array(folder / "test", split.test);
  fmt::print("{{\"rows\": {}, \"features\": {}, \"outputs\": {}, \"regression\": {}}}\n", dataset->rows(),
             dataset->feature_count(), dataset->output_count(), !has_labels(dataset->task()));
}

/// One fit, predicted, saved and loaded.
void run(const std::string& name, const std::string& algorithm_name, RawParameters raw, std::uint64_t seed,
         int threads) {
  const auto dataset = load(name);
  const Split split = split_of(*dataset);
  const DatasetView train(dataset, split.train);
  const DatasetView test(dataset, split.test);
  const Algorithm& algorithm = Registry::instance().get(algorithm_name);
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(dataset->feature_count()),
                                  static_cast<double>(dataset->output_count())};
  const Parameters parameters = resolve(algorithm.description().parameters, raw, dataset->task(), sizes);
  const double data_peak = 1e-6 * peak_bytes();
  Context context;
  context.stream = Stream(seed);
  in_arena(threads, [&] {
    const double start = cpu_seconds();
    const double start_wall = wall_seconds();
    const auto model = algorithm.fit(train, parameters, context);
    const double fit = cpu_seconds() - start;
    const double fit_wall = wall_seconds() - start_wall;
    const double fit_peak = 1e-6 * peak_bytes();
    double predict = std::numeric_limits<double>::infinity();
    double predict_wall = predict;
    Predictions predictions;
    for (int i = 0; i < 7; ++i) {
      const double before = cpu_seconds();
      const double before_wall = wall_seconds();
      predictions = model->predict(test, context);
      predict = std::min(predict, cpu_seconds() - before);
      predict_wall = std::min(predict_wall, wall_seconds() - before_wall);
    }
    const std::string metric = has_labels(dataset->task()) ? "lrap" : "r2-macro";
    Scorer scorer({parse_metric(metric)}, ScoringContext::of(train));
    scorer.add(test, predictions);
    const double peak = 1e-6 * peak_bytes();
    const std::string bytes =
        model_bytes(*model, algorithm_name, parameters, ModelSchema::of(*dataset), nlohmann::json::object());
    const auto facts = model->facts();
    fmt::print(
        "{{\"fit_cpu\": {:.4f}, \"fit_wall\": {:.4f}, \"predict_cpu\": {:.4f}, \"predict_wall\": {:.4f}, "
        "\"score\": {:.5f}, \"data_mb\": {:.1f}, \"fit_peak_mb\": {:.1f}, \"peak_mb\": {:.1f}, \"model_mb\": "
        "{:.3f}, "
        "\"nodes\": {:.0f}, \"depth\": {:.0f}}}\n",
        fit, fit_wall, predict, predict_wall, scorer.values().at(metric), data_peak, fit_peak, peak,
        static_cast<double>(bytes.size()) * 1e-6, facts.at("nodes"), facts.at("depth"));
  });
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  try {
    if (words.size() == 3 && words[0] == "export") {
      export_dataset(words[1], words[2]);
      return 0;
    }
    if (words.size() >= 6 && words[0] == "run") {
      RawParameters raw;
      if (words[3] != "0") raw["trees"] = words[3];
      for (std::size_t i = 6; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        raw[words[i].substr(0, equals)] = words[i].substr(equals + 1);
      }
      run(words[1], words[2], raw, std::stoull(words[4]), std::stoi(words[5]));
      return 0;
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_code(error.kind());
  }
  fmt::print(stderr,
             "usage: trees_bench export DATASET FOLDER\n"
             "       trees_bench run DATASET ALGORITHM TREES SEED THREADS [NAME=VALUE...]\n");
  return 2;
}

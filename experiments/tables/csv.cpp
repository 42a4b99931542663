#include "experiments/tables/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "experiments/tables/score_grid.h"

namespace coppice {

namespace {

/// A row and its place in the file.
struct PlacedRow {
  std::size_t dataset, algorithm;
  int repeat, fold;
  std::size_t stage, metric;
  const ResultRow* row;

  auto trial() const { return std::tuple(dataset, algorithm, repeat, fold); }
};

/// Rows of listed names, trial by trial; within a trial the stages are numbered as they come.
std::vector<PlacedRow> placed_rows(const ResultSet& results) {
  const NameIndex dataset_index(results.datasets);
  const NameIndex algorithm_index(results.algorithms);
  std::vector<std::string> metric_names;
  for (const Metric& metric : results.metrics) metric_names.push_back(metric.name);
  const NameIndex metric_index(metric_names);

  std::vector<PlacedRow> placed;
  placed.reserve(results.rows.size());
  for (const ResultRow& row : results.rows) {
    const auto dataset = dataset_index.find(row.dataset);
    const auto algorithm = algorithm_index.find(row.algorithm);
    const auto metric = metric_index.find(row.metric);
    if (dataset && algorithm && metric)
      placed.push_back({*dataset, *algorithm, row.repeat, row.fold, 0, *metric, &row});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const PlacedRow& a, const PlacedRow& b) { return a.trial() < b.trial(); });
  std::map<std::string_view, std::size_t> stages;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i > 0 && placed[i].trial() != placed[i - 1].trial()) stages.clear();
    placed[i].stage = stages.emplace(placed[i].row->stage, stages.size()).first->second;
  }
  std::stable_sort(placed.begin(), placed.end(), [](const PlacedRow& a, const PlacedRow& b) {
    return std::tuple_cat(a.trial(), std::tuple(a.stage, a.metric)) <
           std::tuple_cat(b.trial(), std::tuple(b.stage, b.metric));
  });
  return placed;
}

}  // namespace

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + '"';
}

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(fields[i]);
  }
  return line + '\n';
}

std::string number_text(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string results_csv(const ResultSet& results) {
  std::string text = "dataset,algorithm,repeat,fold,stage,metric,value\n";
  for (const PlacedRow& placed : placed_rows(results)) {
    const ResultRow& row = *placed.row;
    text += csv_line(std::array{row.dataset, row.algorithm, fmt::format("{}", row.repeat),
                                fmt::format("{}", row.fold), row.stage, row.metric, number_text(row.value)});
  }
  return text;
}

std::string summary_csv(const ResultSet& results) {
  std::vector<ScoreGrid> grids;
  for (const Metric& metric : results.metrics) grids.emplace_back(results, metric);
  std::string text = "dataset,algorithm,metric,mean,std,count\n";
  for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset) {
    for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm) {
      for (const ScoreGrid& grid : grids) {
        const GridCell& cell = grid.cell(dataset, algorithm);
        if (!cell.has_value() && cell.undefined == 0) continue;
        const Summary& summary = cell.summary;
        text += csv_line(std::array{results.datasets[dataset], results.algorithms[algorithm],
                                    grid.metric().name, number_text(summary.mean),
                                    summary.deviation ? number_text(*summary.deviation) : std::string(),
                                    fmt::format("{}", summary.count)});
      }
    }
  }
  return text;
}

}  // namespace coppice

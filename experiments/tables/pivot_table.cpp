#include "experiments/tables/pivot_table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace coppice {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Rows of a pivot table: the series, then the algorithms that do not sweep the parameter.
std::vector<SweptSeries> all_series(const ResultSet& results, const std::string& parameter) {
  std::vector<SweptSeries> series = swept_series(results, parameter);
  std::vector<bool> used(results.algorithms.size(), false);
  for (const SweptSeries& each : series)
    for (const auto& [value, algorithm] : each.points) used[algorithm] = true;
  for (std::size_t algorithm = 0; algorithm < used.size(); ++algorithm)
    if (!used[algorithm]) series.push_back({results.algorithms[algorithm], {{"", algorithm}}});
  return series;
}

/// Marks the best mean of a row, if there are two to choose from.
void mark_best(std::vector<TableCell>& line, bool higher_is_better) {
  std::vector<double> means;
  for (const TableCell& cell : line)
    if (cell.numbers) means.push_back(*cell.numbers->mean);
  if (means.size() < 2) return;
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  const double best = higher_is_better ? *high : *low;
  for (TableCell& cell : line)
    if (cell.numbers && *cell.numbers->mean == best) cell.emphasis = Emphasis::best;
}

}  // namespace

std::vector<std::string> swept_parameters(const ResultSet& results) {
  std::vector<std::string> names;
  for (const std::string& algorithm : results.algorithms)
    if (const AlgorithmDetail* detail = results.algorithm_detail(algorithm))
      for (const auto& [parameter, value] : detail->swept) add_once(names, parameter);
  return names;
}

std::vector<SweptSeries> swept_series(const ResultSet& results, const std::string& parameter) {
  std::vector<SweptSeries> series;
  std::map<std::string, std::size_t> places;
  for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm) {
    const AlgorithmDetail* detail = results.algorithm_detail(results.algorithms[algorithm]);
    if (detail == nullptr) continue;
    std::string name = detail->id;
    const std::string* own_value = nullptr;
    for (const auto& [other, value] : detail->swept) {
      if (other == parameter) {
        own_value = &value;
      } else {
        name += fmt::format(" {}={}", other, value);
      }
    }
    if (own_value == nullptr) continue;
    const auto [place, added] = places.emplace(name, series.size());
    if (added) series.push_back({name, {}});
    series[place->second].points.emplace_back(*own_value, algorithm);
  }
  return series;
}

Table pivot_table(const ResultSet& results, const Metric& metric, const std::string& parameter,
                  TableRows rows) {
  const std::vector<std::string> known = swept_parameters(results);
  if (std::find(known.begin(), known.end(), parameter) == known.end())
    throw Error(ErrorKind::usage,
                known.empty()
                    ? fmt::format("no algorithm sweeps '{}': there is no sweep in this experiment", parameter)
                    : fmt::format("no algorithm sweeps '{}'{}", parameter, did_you_mean(parameter, known)));
  const ScoreGrid grid(results, metric);
  const std::vector<SweptSeries> series = all_series(results, parameter);
  std::vector<std::string> values;
  for (const SweptSeries& each : series)
    for (const auto& [value, algorithm] : each.points) add_once(values, value);

  Table table;
  table.title = fmt::format("{} by {}, mean ± std, {} is better", metric.name, parameter,
                            metric.description->higher_is_better ? "higher" : "lower");
  table.row_kind = "dataset, algorithm";
  table.column_kind = parameter;
  for (const std::string& value : values)
    table.columns.push_back(
        {value.empty() ? fmt::format("no {}", parameter) : fmt::format("{}={}", parameter, value)});
  bool any_holes = false;
  for (std::size_t dataset = 0; dataset < grid.datasets(); ++dataset) {
    if (grid.inapplicable(dataset)) continue;
    const NumberFormat format = dataset_format(grid, dataset);
    for (const SweptSeries& each : series) {
      std::vector<TableCell> line(values.size(), TableCell{no_value});
      for (const auto& [value, algorithm] : each.points) {
        const GridCell& cell = grid.cell(dataset, algorithm);
        any_holes = any_holes || cell.has_holes();
        if (!cell.has_value()) continue;
        const auto place = std::find(values.begin(), values.end(), value) - values.begin();
        line[static_cast<std::size_t>(place)] = {
            summary_text(format, cell.summary) + (cell.has_holes() ? incomplete_mark : ""), Emphasis::none,
            CellNumbers{cell.summary.mean, cell.summary.deviation, std::nullopt, cell.summary.count}};
      }
      mark_best(line, metric.description->higher_is_better);
      table.rows.push_back({fmt::format("{}, {}", results.datasets[dataset], each.name)});
      table.cells.push_back(std::move(line));
    }
  }
  if (any_holes) table.notes.push_back(fmt::format("{}, †: some or all trials have no result.", no_value));
  return rows == TableRows::datasets ? table : table.transposed();
}

}  // namespace coppice

#include "experiments/tables/joined_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coppice {

Table joined_table(const ResultSet& results, const std::vector<Metric>& metrics,
                   const ComparisonOptions& options) {
  ComparisonOptions upright = options;
  upright.rows = TableRows::datasets;
  Table joined;
  std::vector<TableHeader> last_rows;
  std::vector<std::vector<TableCell>> last_cells;
  std::vector<std::string> directions;
  const bool one_dataset = results.datasets.size() == 1;
  for (const Metric& metric : metrics) {
    Table part = comparison_table(results, metric, upright);
    joined.column_kind = part.column_kind;
    joined.columns = part.columns;
    directions.push_back(
        fmt::format("{} ({})", metric.name, metric.description->higher_is_better ? "higher" : "lower"));
    for (std::size_t row = 0; row < part.rows.size(); ++row) {
      TableHeader header = part.rows[row];
      // What is set apart closes the whole table.
      auto& rows = header.apart ? last_rows : joined.rows;
      auto& cells = header.apart ? last_cells : joined.cells;
      header.text =
          one_dataset && !header.apart ? metric.name : fmt::format("{}, {}", metric.name, header.text);
      header.apart = header.apart && last_rows.empty();
      rows.push_back(std::move(header));
      cells.push_back(std::move(part.cells[row]));
    }
    for (std::string& note : part.notes)
      if (std::find(joined.notes.begin(), joined.notes.end(), note) == joined.notes.end())
        joined.notes.push_back(std::move(note));
  }
  std::move(last_rows.begin(), last_rows.end(), std::back_inserter(joined.rows));
  std::move(last_cells.begin(), last_cells.end(), std::back_inserter(joined.cells));
  joined.row_kind = one_dataset ? "metric" : "metric, dataset";
  joined.title =
      fmt::format("{}mean ± std{}; what is better: {}", one_dataset ? results.datasets[0] + ", " : "",
                  options.ranks ? " (rank)" : "", fmt::join(directions, ", "));
  return options.rows == TableRows::datasets ? joined : joined.transposed();
}

}  // namespace coppice

#include "algorithms/input_checks.h"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

std::size_t missing_values(std::span<const float> values, std::span<const std::uint32_t> rows) {
  std::size_t missing = 0;
  for (const std::uint32_t row : rows) missing += std::isnan(values[row]) ? 1 : 0;
  return missing;
}

}  // namespace

void require_rows(const DatasetView& view, const std::string& who) {
  if (view.size() > 0) return;
  throw Error(ErrorKind::fit,
              fmt::format("{} was given no training rows of dataset '{}'; it needs at least one", who,
                          view.dataset().name()));
}

void require_no_missing(const DatasetView& view, const std::string& who) {
  const Features& features = view.dataset().features();
  if (!features.has_missing()) return;
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    // Columns that miss nothing are passed over by a loop without a branch.
    if (column.dense && missing_values(column.values, view.rows()) == 0) continue;
    for (const std::uint32_t row : view.rows())
      if (std::isnan(column.at(row)))
        throw Error(
            ErrorKind::fit,
            fmt::format("dataset '{}': feature '{}' is missing in row {}, and {} cannot work with missing "
                        "values; fill them in with 'prepare: [impute]' or drop the rows",
                        view.dataset().name(), features.name(j), row, who));
  }
}

}  // namespace coppice

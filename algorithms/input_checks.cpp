#include "algorithms/input_checks.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

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

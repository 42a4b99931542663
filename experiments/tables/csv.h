#pragma once

#include <span>
#include <string>
#include <string_view>

#include "experiments/results/result_set.h"

namespace coppice {

/// A field of a CSV file (RFC 4180): quoted where it has a comma, a quote, a line break, or a space at an
/// end.
std::string csv_field(std::string_view text);

/// The fields with commas between them and a line break.
std::string csv_line(std::span<const std::string> fields);

/// The shortest digits that read back as the same number; `NaN`, `inf` and `-inf` for those.
std::string number_text(double value);

/// Every number that was measured: `dataset,algorithm,repeat,fold,stage,metric,value`. In the order of the
/// config, then by repeat, fold, stage and the config's metrics, whatever the order of the rows.
std::string results_csv(const ResultSet& results);

/// `dataset,algorithm,metric,mean,std,count`: what ScoreGrid says of every metric. The deviation is left
/// empty where there are fewer than two values; a combination that was never measured has no line.
std::string summary_csv(const ResultSet& results);

}  // namespace coppice

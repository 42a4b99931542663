#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "experiments/results/result_set.h"

namespace coppice {

/// What the report says besides the results.
struct ReportContext {
  std::string title;    ///< the experiment's name
  std::string made;     ///< when, in words
  std::string program;  ///< name and version of what made it
  std::string config;   ///< the config as it was understood
  nlohmann::json provenance = nlohmann::json::object();
  double alpha = 0.05;
  int refresh_seconds = 0;  ///< the page loads itself anew after so long, for `--watch`; 0: never
};

/// One self-contained page: no network, readable without JavaScript, every name from data escaped. Works on
/// unfinished results, marks what is missing and says which comparisons are already decided.
std::string report_html(const ResultSet& results, const ReportContext& context);

}  // namespace coppice

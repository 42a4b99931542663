#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/results/result_set.h"

namespace coppice {

/// The hyper-parameters that tuning chose for one trial.
struct ChosenParameters {
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  std::vector<std::pair<std::string, std::string>> values;
};

/// What the report says besides the results.
struct ReportContext {
  std::string title;    ///< the experiment's name
  std::string made;     ///< when, in words
  std::string program;  ///< name and version of what made it
  std::string config;   ///< the config as it was understood
  nlohmann::json provenance = nlohmann::json::object();
  std::vector<ChosenParameters> chosen;
  double alpha = 0.05;
  int refresh_seconds = 0;  ///< the page loads itself anew after so long, for `--watch`; 0: never
};

/// One self-contained page: no network, readable without JavaScript, every name from data escaped. Works on
/// unfinished results, marks what is missing and says which comparisons are already decided.
std::string report_html(const ResultSet& results, const ReportContext& context);

/// A file of `report --figures`.
struct FigureFile {
  std::string name;
  std::string content;
};

/// Every chart of the report as SVG with its data as CSV, and the critical-difference diagrams as SVG and
/// TikZ.
std::vector<FigureFile> figure_files(const ResultSet& results, double alpha = 0.05);

}  // namespace coppice

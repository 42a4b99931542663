#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"

namespace coppice {

/// A file of `report --figures`.
struct FigureFile {
  std::string name;
  std::string content;
};

/// Every chart of the report as SVG with its data as CSV, and the critical-difference diagrams as SVG and
/// TikZ with their ranks as CSV.
std::vector<FigureFile> figure_files(const ResultSet& results, double alpha);

}  // namespace coppice

#include "experiments/report/figure_files.h"

#include <map>

#include <fmt/format.h>

#include "experiments/report/figures.h"
#include "experiments/report/metric_comparisons.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"

namespace coppice {

std::vector<FigureFile> figure_files(const ResultSet& results, double alpha) {
  std::vector<FigureFile> files;
  std::map<std::string, int> used;
  for (const Figure& figure : all_figures(results)) {
    // Names that differ only in signs that a file name should not have.
    const int times = ++used[figure.name];
    const std::string name = times == 1 ? figure.name : fmt::format("{}-{}", figure.name, times);
    files.push_back({name + ".svg", figure_svg(figure)});
    files.push_back({name + ".csv", figure_csv(figure)});
  }
  for (const MetricComparison& each : compare_all_metrics(results, alpha)) {
    if (!each.comparison || !each.comparison->nemenyi) continue;
    const std::string name = figure_name({"critical-difference", each.metric->name});
    files.push_back({name + ".svg", cd_diagram_svg(*each.comparison, PictureUse::file)});
    files.push_back({name + ".tex", cd_diagram_tikz(*each.comparison)});
    files.push_back({name + ".csv", render_csv(rank_summary_table(*each.comparison))});
  }
  return files;
}

}  // namespace coppice

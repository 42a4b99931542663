#include <memory>

#include <fmt/format.h>

#include "experiments/forecast/forecast.h"
#include "experiments/plan/plan_diff.h"
#include "experiments/run.h"
#include "experiments/store/result_folder.h"
#include "tools/cli.h"
#include "tools/quantities.h"

namespace coppice {

namespace {

struct DiffArguments {
  std::string before;
  std::string after;
  std::string data;
  double probe = 2.0;
  bool json = false;
};

void show(const DiffArguments& options) {
  require_probe(options.probe);
  const DataPath path = DataPath::standard(options.data);
  const Plan before = plan_experiment(options.before, {}, path);
  const Plan after = plan_experiment(options.after, {}, path);
  const PlanDiff diff = diff_plans(before, after);
  const JournalContent journal = read_journal(ResultFolder{results_folder(after.experiment, "")}.journal());
  const double seconds =
      make_forecast(after, diff.added_fits, journal, options.probe, stop_flag()).cpu_seconds();
  if (options.json) {
    nlohmann::ordered_json json{{"added", diff.added},       {"reused", diff.reused},
                                {"orphaned", diff.orphaned}, {"fits-to-run", diff.added_fits.size()},
                                {"cpu-seconds", seconds},    {"cells", nlohmann::json::array()}};
    for (const CellDiff& cell : diff.cells)
      json["cells"].push_back({{"dataset", cell.dataset},
                               {"algorithm", cell.algorithm},
                               {"added", cell.added},
                               {"reused", cell.reused},
                               {"orphaned", cell.orphaned}});
    print_json(json);
    return;
  }
  std::vector<std::pair<std::string, std::string>> lines;
  for (const CellDiff& cell : diff.cells) {
    if (cell.added == 0 && cell.orphaned == 0) continue;
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
      if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(cell.added, "added");
    add(cell.reused, "reused");
    add(cell.orphaned, "orphaned");
    lines.emplace_back(fmt::format("{}, {}", cell.dataset, cell.algorithm), text);
  }
  print(two_columns(lines) +
        fmt::format("{} trials added (in {} fits, about {} of CPU time), {} reused, {} orphaned\n",
                    diff.added, diff.added_fits.size(), duration_text(seconds), diff.reused, diff.orphaned));
}

}  // namespace

void add_diff(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "diff", "Compare two configs: which trials the second adds, reuses and orphans, and what that costs");
  const auto options = std::make_shared<DiffArguments>();
  verb->add_option("A", options->before, "The YAML file of an experiment")->required();
  verb->add_option("B", options->after, "The one that follows it")->required();
  verb->add_option("--data", options->data,
                   "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  verb->add_option("--probe", options->probe, "Seconds to spend on measuring what the added trials cost");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice

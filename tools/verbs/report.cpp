#include "experiments/report/report.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "core/base/version.h"
#include "experiments/report/figure_files.h"
#include "experiments/store/files.h"
#include "experiments/store/provenance.h"
#include "experiments/store/result_folder.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct ReportArguments {
  std::string folder;
  std::string figures;
  double alpha = default_alpha;
  bool watch = false;
  int seconds = 5;
};

/// Writes report.html; in a page that is watched a line makes the browser load it anew.
void write_page(const ReportArguments& options, const ResultSet& results, int refresh_seconds) {
  const ResultFolder folder{options.folder};
  ReportContext context;
  context.title = nlohmann::json::parse(read_text(folder.plan())).value("experiment", "");
  context.made = utc_time();
  context.program = "coppice " + version_text();
  context.alpha = options.alpha;
  context.refresh_seconds = refresh_seconds;
  if (std::filesystem::exists(folder.experiment())) context.config = read_text(folder.experiment());
  if (std::filesystem::exists(folder.provenance()))
    context.provenance = nlohmann::json::parse(read_text(folder.provenance()), nullptr, false);
  write_atomically(folder.folder / "report.html", report_html(results, context));
}

void write_figures(const ReportArguments& options, const ResultSet& results) {
  if (options.figures.empty()) return;
  make_folder(options.figures);
  for (const FigureFile& figure : figure_files(results, options.alpha))
    write_atomically(std::filesystem::path(options.figures) / figure.name, figure.content);
}

bool finished(const ResultSet& results) {
  return results.finished_trials + results.failed_trials >= results.planned_trials;
}

/// Changes whenever a trial is recorded or the plan is another.
auto state_of(const ResultFolder& folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto size = fs::file_size(folder.journal(), code);
  return std::pair(code ? 0 : size, fs::last_write_time(folder.plan(), code));
}

/// Waits until the state differs from the one given; false when the user had enough.
template <typename State>
bool wait_for_change(const ResultFolder& folder, const State& before, int seconds) {
  while (state_of(folder) == before) {
    // In short steps, so that Ctrl-C is heard at once.
    for (int step = 0; step < seconds * 10; ++step) {
      if (stop_flag().requested()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  return !stop_flag().requested();
}

/// Makes the page anew while trials come in, until none is missing.
int watch(const ReportArguments& options) {
  const ResultFolder folder{options.folder};
  catch_interrupts();
  while (true) {
    const auto state = state_of(folder);
    const ResultSet results = load_results(options.folder);
    const bool last = finished(results);
    write_page(options, results, last ? 0 : options.seconds);
    write_figures(options, results);
    print(fmt::format("{}: {} of {} trials, {} failed\n", (folder.folder / "report.html").string(),
                      results.finished_trials, results.planned_trials, results.failed_trials));
    if (last) return 0;
    if (!wait_for_change(folder, state, options.seconds)) return 130;
  }
}

int report(const ReportArguments& options) {
  check_alpha(options.alpha);
  if (options.seconds < 1)
    throw Error(ErrorKind::usage,
                fmt::format("--every: expected a number of seconds of 1 or more, found {}", options.seconds));
  if (options.watch) return watch(options);
  const ResultSet results = load_results(options.folder);
  write_page(options, results, 0);
  write_figures(options, results);
  print((std::filesystem::path(options.folder) / "report.html").string() + "\n");
  if (!finished(results))
    print(fmt::format("{} of {} trials so far; make it again later, or use --watch\n",
                      results.finished_trials + results.failed_trials, results.planned_trials));
  if (!options.figures.empty()) print(options.figures + "\n");
  return 0;
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand(
      "report", "Write report.html into a results folder: tables, diagrams, curves, provenance in one page");
  const auto options = std::make_shared<ReportArguments>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote, finished or not")->required();
  verb->add_option("--figures", options->figures,
                   "Also write each chart as SVG with its data as CSV into this folder");
  verb->add_option("--alpha", options->alpha, "Level of significance of the tests; 0.05 by default");
  verb->add_flag("--watch", options->watch,
                 "Make it anew while trials come in, until none is missing; the open page follows");
  verb->add_option("--every", options->seconds,
                   "With --watch: look for more trials after so many seconds; 5");
  verb->callback([options, &session] { session.exit_code = report(*options); });
}

}  // namespace coppice

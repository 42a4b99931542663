#include "experiments/report/report.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "core/base/version.h"
#include "experiments/store/files.h"
#include "experiments/store/provenance.h"
#include "experiments/store/result_folder.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct Options {
  std::string folder;
  std::string figures;
};

void report(const Options& options) {
  const ResultFolder folder{options.folder};
  const ResultSet results = load_results(options.folder);
  ReportContext context;
  context.title = nlohmann::json::parse(read_text(folder.plan())).value("experiment", "");
  context.made = utc_time();
  context.program = "coppice " + version_text();
  if (std::filesystem::exists(folder.experiment())) context.config = read_text(folder.experiment());
  if (std::filesystem::exists(folder.provenance()))
    context.provenance = nlohmann::json::parse(read_text(folder.provenance()), nullptr, false);
  const std::filesystem::path page = folder.folder / "report.html";
  write_atomically(page, report_html(results, context));
  print(page.string() + "\n");
  if (options.figures.empty()) return;
  make_folder(options.figures);
  for (const FigureFile& figure : figure_files(results))
    write_atomically(std::filesystem::path(options.figures) / figure.name, figure.content);
  print(options.figures + "\n");
}

}  // namespace

void add_report(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "report", "Write report.html into a results folder: tables, diagrams, curves, provenance in one page");
  const auto options = std::make_shared<Options>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote, finished or not")->required();
  verb->add_option("--figures", options->figures,
                   "Also write each chart as SVG with its data as CSV into this folder");
  verb->callback([options] { report(*options); });
}

}  // namespace coppice

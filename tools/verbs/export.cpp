#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/export/mlflow.h"
#include "experiments/export/tidy.h"
#include "experiments/store/files.h"
#include "experiments/store/result_folder.h"
#include "experiments/tables/csv.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct ExportArguments {
  std::string folder;
  std::string format = "csv";
  std::string out;
};

void export_results(const ExportArguments& options) {
  const ResultFolder folder{options.folder};
  const std::filesystem::path out = options.out;
  const auto write = [&](const std::string& name, const std::string& content) {
    make_folder(out);
    write_atomically(out / name, content);
    print((out / name).string() + "\n");
  };
  if (options.format == "csv") {
    const ResultSet results = load_results(options.folder);
    write("results.csv", results_csv(results));
    write("summary.csv", summary_csv(results));
    write("algorithms.csv", algorithms_csv(results));
  } else if (options.format == "json") {
    write("results.json", results_json(read_plan(folder), read_journal(folder.journal())));
  } else if (options.format == "mlflow") {
    const std::size_t runs = export_mlflow(folder, out);
    print(fmt::format("{}: {} run{}\n", out.string(), runs, runs == 1 ? "" : "s"));
  } else {
    const std::vector<std::string> known{"csv", "json", "mlflow"};
    throw Error(ErrorKind::usage, fmt::format("results cannot be exported as '{}'{}", options.format,
                                              did_you_mean(options.format, known)));
  }
}

}  // namespace

void add_export(CLI::App& app, Session& /*session*/) {
  CLI::App* verb =
      app.add_subcommand("export", "Write the results so far for other programs: csv, json or mlflow");
  const auto options = std::make_shared<ExportArguments>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote, finished or not")->required();
  verb->add_option("--format", options->format,
                   "csv (results, summary, algorithms), json (as 'coppice schema results' says) or mlflow "
                   "(a file store)");
  verb->add_option("--out", options->out, "The folder to write into")->required();
  verb->callback([options] { export_results(*options); });
}

}  // namespace coppice

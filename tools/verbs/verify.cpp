#include "experiments/audit/verify.h"

#include <memory>

#include <fmt/format.h>

#include "experiments/tables/csv.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct VerifyArguments {
  std::string folder;
  long long sample = 10;
  std::uint64_t seed = 1;
  std::string only;
  std::string data;
  int jobs = default_jobs();
  bool json = false;
};

int verify(const VerifyArguments& options) {
  require_jobs(options.jobs);
  if (options.sample < 0)
    throw Error(ErrorKind::usage,
                fmt::format("--sample: expected a number of trials, or 0 for all, found {}", options.sample));
  catch_interrupts();
  const Verification result = verify_results(options.folder, static_cast<std::size_t>(options.sample),
                                             options.seed, TrialSelection::parse(options.only),
                                             DataPath::standard(options.data), options.jobs, stop_flag());
  const bool fine = result.mismatches.empty() && result.unexplained == 0 && result.verified > 0;
  if (options.json) {
    nlohmann::ordered_json json{{"finished", result.finished},
                                {"verified", result.verified},
                                {"unexplained", result.unexplained},
                                {"mismatches", nlohmann::json::array()}};
    for (const Mismatch& each : result.mismatches)
      json["mismatches"].push_back({{"trial", each.trial},
                                    {"dataset", each.dataset},
                                    {"algorithm", each.algorithm},
                                    {"repeat", each.repeat},
                                    {"fold", each.fold},
                                    {"metric", each.metric},
                                    {"recorded", each.recorded},
                                    {"found", each.found},
                                    {"error", each.error}});
    print_json(json);
    return fine ? 0 : 1;
  }
  std::string text;
  for (const Mismatch& each : result.mismatches)
    text += fmt::format(
        "{} on {}, repeat {}, fold {}: {}\n", each.algorithm, each.dataset, each.repeat, each.fold,
        each.error.empty() ? fmt::format("{} is recorded as {} and came out as {}", each.metric,
                                         number_text(each.recorded), number_text(each.found))
                           : "failed: " + each.error);
  if (result.unexplained > 0)
    text += fmt::format(
        "{} finished trials are no longer what this config, data and version give; 'coppice run' "
        "computes them anew\n",
        result.unexplained);
  text +=
      fmt::format("{} of {} finished trials run again: {}\n", result.verified, result.finished,
                  result.verified == 0 ? "nothing to compare; 'coppice run' runs what is missing or failed"
                  : result.mismatches.empty() ? "every number is the same"
                                              : fmt::format("{} numbers differ", result.mismatches.size()));
  print(text);
  return fine ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("verify", "Run a sample of finished trials again and compare");
  const auto options = std::make_shared<VerifyArguments>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote")->required();
  verb->add_option("--sample", options->sample, "How many trials; 0 means all");
  verb->add_option("--seed", options->seed, "Another seed draws another sample");
  verb->add_option("--only", options->only,
                   "From a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_option("--data", options->data,
                   "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  verb->add_option("--jobs,-j", options->jobs, "Threads; all cores by default");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options, &session] { session.exit_code = verify(*options); });
}

}  // namespace coppice

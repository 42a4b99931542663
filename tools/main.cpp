#include <csignal>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "algorithms/faulty/faulty.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/version.h"
#include "experiments/store/shell_word.h"
#include "tools/cli.h"

namespace {

/// What was wrong with the command line, with the nearest verb where one was mistyped.
int report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
  std::string what = error.what();
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const auto nearest = coppice::nearest_name(argv[1], verbs);
    what = fmt::format("no verb '{}'{}", argv[1], nearest ? fmt::format("; did you mean {}?", *nearest) : "");
  }
  const auto chosen = app.get_subcommands();
  const std::string verb = chosen.empty() ? "" : " " + chosen[0]->get_name();
  fmt::print(stderr, "coppice{}: {}\nSee 'coppice{} --help'.\n", verb, what, verb);
  return 2;
}

int run(int argc, char** argv) {
  coppice::Session session;
  // For tests of what a run makes of crashes and the like.
  if (std::getenv("COPPICE_FAULTY") != nullptr) coppice::Registry::instance().add(coppice::make_faulty());
  for (int i = 0; i < argc; ++i) session.command += i > 0 ? " " + coppice::shell_word(argv[i]) : "coppice";

  CLI::App app{
      "Experiments with multi-label and multi-output tree ensembles: one YAML file in, comparison tables "
      "out.",
      "coppice"};
  app.set_version_flag("--version", coppice::version_text());
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  for (const auto add :
       {coppice::add_run, coppice::add_check, coppice::add_plan, coppice::add_table, coppice::add_compare,
        coppice::add_report, coppice::add_export, coppice::add_list, coppice::add_describe, coppice::add_data,
        coppice::add_train, coppice::add_predict, coppice::add_evaluate, coppice::add_inspect,
        coppice::add_schema, coppice::add_diff, coppice::add_explain, coppice::add_verify})
    add(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, argc, argv);
  }
  return session.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const coppice::Error& error) {
    if (error.kind() != coppice::ErrorKind::interrupted)
      fmt::print(stderr, "{}{}\n",
                 error.kind() == coppice::ErrorKind::config ? "" : "coppice: ", error.what());
    return coppice::exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "coppice: out of memory\n");
    return 1;
  } catch (const std::exception& exception) {
    fmt::print(stderr, "coppice: internal error: {}; please report it\n", exception.what());
    return 1;
  }
}

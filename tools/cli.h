#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/base/context.h"
#include "experiments/data/source.h"
#include "experiments/tables/table.h"

namespace coppice {

/// What a verb gets from main and leaves for it.
struct Session {
  std::string command;  ///< as typed
  int exit_code = 0;
};

/// Set by Ctrl-C; a second one ends the process at once.
StopFlag& stop_flag();
/// From now on Ctrl-C and SIGTERM set the flag instead of ending the process.
void catch_interrupts();

/// The number of threads to use when the user does not say.
int default_jobs();
/// Throw Error(usage) for numbers that say nothing.
void require_jobs(int jobs);
void require_probe(double seconds);

/// Writes text to standard output as a whole; a reader that went away is no error.
void print(std::string_view text);
void print_json(const nlohmann::ordered_json& json);
/// How tables are laid out on standard output: in the width of the terminal and with bold, or plainly if it
/// is none.
TextLayout stdout_layout();

/// The level of significance where the user names none.
inline constexpr double default_alpha = 0.05;
/// Throws Error(usage) for a level that is not between 0 and 1.
void check_alpha(double alpha);

/// Lines of `name  text`, aligned.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& lines);

/// Each adds one verb to the application; one file each in tools/verbs.
void add_run(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_plan(CLI::App& app, Session& session);
void add_table(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_describe(CLI::App& app, Session& session);
void add_data(CLI::App& app, Session& session);
void add_train(CLI::App& app, Session& session);
void add_predict(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_schema(CLI::App& app, Session& session);
void add_diff(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_verify(CLI::App& app, Session& session);

}  // namespace coppice

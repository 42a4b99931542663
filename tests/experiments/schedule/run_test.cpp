#include "experiments/run.h"

#include <cmath>
#include <sstream>

#include <doctest/doctest.h>

#include "experiments/store/result_folder.h"
#include "tests/support/experiment.h"
#include "tests/support/impatient_user.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;

namespace {

RunSummary run(const Plan& plan, const std::filesystem::path& folder, int jobs, const StopFlag& stop = {}) {
  return testing::run_quietly(plan, folder, testing::with_jobs(jobs), stop);
}

std::string faulty_experiment(const std::string& how) {
  return "name: faulty\nseed: 1\ndatasets: [friedman1-chain: {train: 20, test: 10}]\nprotocol: {repeats: 4}\n"
         "algorithms: [constant, faulty: {how: " +
         how + "}]\nmetrics: [r2-macro]\n";
}

std::string read(const std::filesystem::path& folder, const char* name) {
  return read_text(folder / name);
}

}  // namespace

TEST_SUITE("scheduler") {
  TEST_CASE("any number of threads gives the same results, byte for byte") {
    const testing::TemporaryFolder one;
    const testing::TemporaryFolder four;
    run(plan_of(testing::small_experiment), one.path(), 1);
    run(plan_of(testing::small_experiment), four.path(), 4);
    for (const char* name : {"results.csv", "summary.csv", "experiment.yaml", "plan.json", "tables/lrap.txt",
                             "tables/r2-macro.tex"})
      CHECK_MESSAGE(read(one.path(), name) == read(four.path(), name), name);
  }

  TEST_CASE("what is done is not run again, and a cut journal is completed to the same results") {
    const testing::TemporaryFolder whole;
    const testing::TemporaryFolder cut;
    const Plan plan = plan_of(testing::small_experiment);
    CHECK(run(plan, whole.path(), 2).done == plan.trials.size());
    CHECK(run(plan_of(testing::small_experiment), whole.path(), 2).done == 0);
    const std::string journal = read(whole.path(), "trials.jsonl");
    for (const std::size_t share : {1U, 2U, 3U}) {
      std::filesystem::copy(
          whole.path(), cut.path(),
          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
      write_atomically(cut.path() / "trials.jsonl", journal.substr(0, journal.size() * share / 4));
      const RunSummary again = run(plan_of(testing::small_experiment), cut.path(), 2);
      CHECK(again.done > 0);
      CHECK(again.done < plan.trials.size());
      CHECK(read(cut.path(), "results.csv") == read(whole.path(), "results.csv"));
    }
  }

  TEST_CASE("a changed grid runs only what is new, and a new metric is filled in") {
    const testing::TemporaryFolder folder;
    run(plan_of(testing::small_experiment), folder.path(), 2);
    std::string grown = testing::small_experiment;
    grown.replace(grown.find("[2, 5]"), 6, "[2, 5, 8]");
    CHECK(run(plan_of(grown), folder.path(), 2).done == 2 * 3);
    grown.replace(grown.find("nodes]"), 6, "nodes, hamming-loss]");
    CHECK(run(plan_of(grown), folder.path(), 2).done == 5 * 3);  // the multi-label half
  }

  TEST_CASE("a staged sweep gives what separate fits give") {
    const testing::TemporaryFolder together;
    run(plan_of(testing::small_experiment), together.path(), 2);
    const ResultSet shared = load_results(together.path());
    for (const char* trees : {"2", "5"}) {
      const testing::TemporaryFolder apart;
      std::string text = testing::small_experiment;
      text.replace(text.find("[2, 5]"), 6, std::string("[") + trees + "]");
      run(plan_of(text), apart.path(), 2);
      for (const ResultRow& row : load_results(apart.path()).rows)
        CHECK(std::any_of(shared.rows.begin(), shared.rows.end(), [&](const ResultRow& other) {
          return other.dataset == row.dataset && other.algorithm == row.algorithm &&
                 other.repeat == row.repeat && other.metric == row.metric && other.stage == row.stage &&
                 (other.value == row.value || (std::isnan(other.value) && std::isnan(row.value)));
        }));
    }
  }

  TEST_CASE("preparation is fitted on the training part and is part of a trial's identity") {
    const testing::TemporaryFolder folder;
    const std::string text =
        "name: prepared\nseed: 1\ndatasets: [friedman1: {train: 300, test: 3000, prepare: "
        "[standardise-targets]}]\n"
        "algorithms: [constant]\nmetrics: [mse]\n";
    std::string plain = text;
    plain.erase(plain.find(", prepare: [standardise-targets]"), 32);
    run(plan_of(text), folder.path(), 1);
    // The mean and deviation of the training part are not those of the test part, only near them.
    const double error = load_results(folder.path()).rows.at(0).value;
    CHECK(error == doctest::Approx(1.0).epsilon(0.2));
    CHECK(error != 1.0);
    CHECK(plan_of(text).trials[0].hash != plan_of(plain).trials[0].hash);
    std::string problems;
    std::string wrong = text;
    wrong.replace(wrong.find("standardise-targets"), 19, "standardize-targets");
    plan_of(wrong, &problems);
    CHECK(problems.find("did you mean standardise-targets?") != std::string::npos);
  }

  TEST_CASE("two entries that mean the same trial run once and show twice") {
    const testing::TemporaryFolder folder;
    const std::string text =
        "name: twice\nseed: 1\ndatasets: [friedman1-chain: {train: 20, test: 10}, other: {generator: "
        "friedman1-chain, train: 20, test: 10}]\n"
        "algorithms: [constant, constant: {id: again}, random-forest: {trees: 5}, random-forest: {id: RF, "
        "sweep: {trees: [2, 5]}}]\nmetrics: [r2-macro]\n";
    CHECK(run(plan_of(text), folder.path(), 2).done == 3);
    const ResultSet results = load_results(folder.path());
    CHECK(results.finished_trials == 10);
    CHECK(results.holes.empty());
    CHECK(run(plan_of(text), folder.path(), 2).done == 0);
  }

  TEST_CASE("a trial that fails is a recorded outcome, the others finish, and the next run tries again") {
    const testing::Registered registered(make_faulty());
    for (const auto& [how, message] :
         std::vector<std::pair<std::string, std::string>>{{"error", "asked to fail"},
                                                          {"exception", "internal error: surprise"},
                                                          {"number", "internal error: something was thrown"},
                                                          {"memory", "out of memory"}}) {
      const testing::TemporaryFolder folder;
      const RunSummary summary = run(plan_of(faulty_experiment(how)), folder.path(), 2);
      CHECK(summary.done == 4);
      CHECK(summary.failed == 4);
      const ResultSet results = load_results(folder.path());
      CHECK(results.finished_trials == 4);
      REQUIRE(results.holes.size() == 4);
      CHECK(results.holes[0].reason.find(message) != std::string::npos);
      CHECK(run(plan_of(faulty_experiment(how)), folder.path(), 1).failed == 4);
    }
  }

  TEST_CASE("an interruption stops soon, keeps what is finished, and the run can go on") {
    const testing::Registered registered(make_faulty());
    const testing::TemporaryFolder folder;
    StopFlag stop;
    testing::ImpatientUser user(folder.path(), stop);
    const RunSummary summary = run(plan_of(faulty_experiment("loop")), folder.path(), 2, stop);
    CHECK(user.waited() < std::chrono::seconds(5));
    CHECK(summary.interrupted);
    const ResultSet results = load_results(folder.path());
    CHECK(results.finished_trials == summary.done);
    CHECK(results.finished_trials >= 1);
    CHECK(results.failed_trials == 0);
  }

  TEST_CASE("a folder of another experiment is refused unless fresh") {
    const testing::TemporaryFolder folder;
    const Plan plan = plan_of(testing::small_experiment);
    write_atomically(folder.path() / "notes.txt", "mine");
    CHECK_THROWS_WITH_AS(run(plan, folder.path(), 1),
                         doctest::Contains("not a results folder (it has 'notes.txt')"), Error);
    RunOptions options;
    options.folder = folder.path();
    options.fresh = true;
    options.quiet = true;
    run_experiment(plan, options, {});
    std::string other = testing::small_experiment;
    other.replace(other.find("small"), 5, "other");
    CHECK_THROWS_WITH_AS(run(plan_of(other), folder.path(), 1),
                         doctest::Contains("holds the results of experiment 'small', not of 'other'"), Error);
    run_experiment(plan_of(other), options, {});
    CHECK(read_text(folder.path() / "notes.txt") == "mine");
  }

  TEST_CASE("a part can be selected, and the rest is missing until it is run") {
    const testing::TemporaryFolder folder;
    RunOptions options;
    options.folder = folder.path();
    options.quiet = true;
    options.only = TrialSelection::parse("dataset=multilabel,algorithm=RF");
    CHECK(run_experiment(plan_of(testing::small_experiment), options, {}).done == 2 * 3);
    CHECK(load_results(folder.path()).holes.size() == 24 - 6);
    options.only = TrialSelection::parse("algorithm=RG");
    CHECK_THROWS_WITH_AS(run_experiment(plan_of(testing::small_experiment), options, {}),
                         doctest::Contains("no algorithm 'RG'"), Error);
    CHECK_THROWS_AS(TrialSelection::parse("algo=RF"), Error);
  }
}

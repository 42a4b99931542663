#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/parameters/declare.h"
#include "experiments/schedule/schedule.h"
#include "experiments/store/result_folder.h"
#include "tests/support/experiment.h"
#include "tests/support/impatient_user.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::run_quietly;
using coppice::testing::with_jobs;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

std::string misbehaving(const std::string& settings, int repeats = 3) {
  return fmt::format(
      "name: failing\nseed: 1\ndatasets: [friedman1-chain: {{train: 20, test: 10}}]\nprotocol: {{repeats: "
      "{}}}\n"
      "algorithms: [constant, faulty: {{{}}}]\nmetrics: [r2-macro]\n",
      repeats, settings);
}

std::string first_reason(const std::filesystem::path& folder) {
  const ResultSet results = load_results(folder);
  return results.holes.empty() ? "" : results.holes[0].reason;
}

ScheduleOptions isolated(int jobs) {
  ScheduleOptions options = with_jobs(jobs);
  options.isolate = true;
  return options;
}

/// Takes a moment and remembers how many fits there were at the same time.
class Crowd : public Algorithm {
 public:
  Crowd() {
    description_.name = "crowd";
    description_.summary = "Counts the fits that run at the same time.";
    description_.parameters = {
        number_parameter("bytes", ParameterType::integer, "1", "1", "Memory that it needs.", "", "test")};
  }
  const AlgorithmDescription& description() const override { return description_; }
  FitCost cost(const Parameters& parameters, const ProblemSize& /*size*/) const override {
    return {1.0, parameters.number("bytes")};
  }
  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters&,
                             const Context& context) const override {
    const int now = running.fetch_add(1) + 1;
    for (int seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    running.fetch_sub(1);
    return Registry::instance().get("constant").fit(train, {}, context);
  }
  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    reader->fail("cannot be loaded");
  }

  static inline std::atomic<int> running{0};
  static inline std::atomic<int> most{0};

 private:
  AlgorithmDescription description_;
};

}  // namespace

TEST_CASE("alone in its process, whatever a trial does is an outcome and the others finish") {
  const testing::Registered registered(make_faulty());
  for (const auto& [how, message] :
       std::vector<std::pair<std::string, std::string>>{{"error", "asked to fail"},
                                                        {"exception", "internal error: surprise"},
                                                        {"number", "something was thrown"},
                                                        {"memory", "out of memory"},
                                                        {"abort", "signal 6"},
                                                        {"crash", "signal 11"},
                                                        {"exit", "ended with code 3"}}) {
    CAPTURE(how);
    const testing::TemporaryFolder folder;
    const RunSummary summary = run_quietly(plan_of(misbehaving("how: " + how)), folder.path(), isolated(2));
    CHECK(summary.done == 3);
    CHECK(summary.failed == 3);
    CHECK(first_reason(folder.path()).find(message) != std::string::npos);
  }
}

TEST_CASE("a process that takes all memory is stopped at its limit") {
  if (sanitized) {
    MESSAGE("skipped: a sanitizer's own memory counts against the limit");
    return;
  }
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  ScheduleOptions options = isolated(1);
  options.memory = 400e6;
  const RunSummary summary = run_quietly(plan_of(misbehaving("how: allocate", 1)), folder.path(), options);
  CHECK(summary.done == 1);
  CHECK(summary.failed == 1);
  CHECK(first_reason(folder.path()).find("out of memory") != std::string::npos);
}

TEST_CASE("isolated trials give the numbers of any other run") {
  const testing::TemporaryFolder together;
  const testing::TemporaryFolder apart;
  run_quietly(plan_of(testing::small_experiment), together.path(), with_jobs(2));
  run_quietly(plan_of(testing::small_experiment), apart.path(), isolated(3));
  CHECK(read_text(together.path() / "results.csv") == read_text(apart.path() / "results.csv"));
}

TEST_CASE(
    "a trial that takes too long has failed: one that listens anywhere, one that does not in its process") {
  const testing::Registered registered(make_faulty());
  for (const bool isolate : {false, true}) {
    const testing::TemporaryFolder folder;
    ScheduleOptions options = with_jobs(2);
    options.isolate = isolate;
    options.trial_seconds = 0.2;
    const auto start = std::chrono::steady_clock::now();
    const RunSummary summary =
        run_quietly(plan_of(misbehaving(isolate ? "how: hang" : "how: loop")), folder.path(), options);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    CHECK(summary.done == 3);
    CHECK(summary.failed == 3);
    CHECK_FALSE(summary.interrupted);
    CHECK(first_reason(folder.path()).find("time limit of 0.2 s") != std::string::npos);
  }
}

TEST_CASE("an interruption ends isolated trials soon, and what is finished stays") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  StopFlag stop;
  testing::ImpatientUser user(folder.path(), stop);
  const RunSummary summary = run_quietly(plan_of(misbehaving("how: hang")), folder.path(), isolated(2), stop);
  CHECK(user.waited() < std::chrono::seconds(5));
  CHECK(summary.interrupted);
  CHECK(load_results(folder.path()).failed_trials == 0);
  CHECK(load_results(folder.path()).finished_trials >= 1);
}

TEST_CASE("the next run tries failures again, leaves them, or does everything again, as asked") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  const std::string text = misbehaving("how: error");
  run_quietly(plan_of(text), folder.path());
  const auto again = [&](Retry retry) { return run_quietly(plan_of(text), folder.path(), {}, {}, retry); };
  CHECK(again(Retry::none).failed == 0);
  CHECK(again(Retry::none).done == 0);
  CHECK(load_results(folder.path()).failed_trials == 3);
  CHECK(again(Retry::failed).failed == 3);
  CHECK(again(Retry::failed).done == 0);
  const RunSummary all = again(Retry::all);
  CHECK(all.done == 3);
  CHECK(all.failed == 3);
  CHECK(parse_retry("none") == Retry::none);
  CHECK_THROWS_WITH_AS(parse_retry("some"), doctest::Contains("failed, none or all"), Error);
}

TEST_CASE("trials that do not fit into memory together run one after the other, and a larger one alone") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  std::string text = misbehaving("milliseconds: 20, bytes: 600", 4);
  text =
      testing::replaced_in(text, "faulty: {", "faulty: {id: big, bytes: 5000, milliseconds: 20}, faulty: {");
  for (const bool isolate : {false, true}) {
    if (isolate && sanitized) continue;
    ScheduleOptions options = with_jobs(4);
    options.isolate = isolate;
    options.memory = 1e6;
    const Plan plan = plan_of(text);
    CHECK(fit_memory(plan, plan.fits[1]) == 5000.0);
    const RunSummary summary = run_quietly(plan, folder.path() / (isolate ? "b" : "a"), options);
    CHECK(summary.done == 12);
    options.memory = 1000.0;
    CHECK(run_quietly(plan_of(text), folder.path() / (isolate ? "d" : "c"), options).done == 12);
  }
}

TEST_CASE("a stated limit of memory refuses what needs more, with the figure") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  RunOptions options;
  options.folder = folder.path();
  options.quiet = true;
  options.schedule.memory = 100e6;
  options.refuse_too_large = true;
  const RunSummary summary = run_experiment(plan_of(misbehaving("bytes: 3e9", 1)), options, {});
  CHECK(summary.done == 1);
  CHECK(summary.failed == 1);
  CHECK(first_reason(folder.path()).find("needs about 2861 MiB of memory, more than the 95 MiB allowed") !=
        std::string::npos);
}

TEST_CASE("the models of a search keep to the memory: the largest of them, and those at the same time") {
  const testing::Registered registered(std::make_unique<Crowd>());
  const Plan plan = plan_of(R"(name: crowded
seed: 1
datasets: [friedman1: {train: 20, test: 10}]
protocol: {select: {kfold: 6}}
algorithms: [crowd: {tune: {bytes: [1000000, 2000000]}}]
metrics: [mse]
)");
  CHECK(fit_memory(plan, plan.fits[0]) == 2e6);
  CHECK(data_memory(plan, plan.fits) > 0.0);
  CHECK(data_memory(plan, plan.fits) < 1e5);
  for (const auto& [memory, most] : {std::pair{3e6, 1}, {5e6, 2}, {100e6, 4}}) {
    CAPTURE(memory);
    const testing::TemporaryFolder folder;
    Crowd::most.store(0);
    ScheduleOptions options = with_jobs(4);
    options.memory = memory;
    CHECK(run_quietly(plan, folder.path(), options).done == 1);
    CHECK(Crowd::most.load() <= most);
  }
}

TEST_CASE("what would take longer than there is time is not started, and what does not is") {
  const testing::Registered registered(make_faulty());
  const Plan plan = plan_of(misbehaving("milliseconds: 1", 2));
  ScheduleOptions options = with_jobs(2);
  options.run_seconds = 100.0;
  for (const Fit& fit : plan.fits)
    options.expected_seconds[plan.trials[fit.trials[0]].hash] = fit.entry == 0 ? 1.0 : 1000.0;
  for (const bool isolate : {false, true}) {
    const testing::TemporaryFolder folder;
    options.isolate = isolate;
    const RunSummary summary = run_quietly(plan, folder.path(), options);
    CHECK(summary.done == 2);
    CHECK(summary.not_started == 2);
    // With more threads for it, it ends in time.
    ScheduleOptions wide = options;
    wide.jobs = 16;
    CHECK(run_quietly(plan, folder.path(), wide).done == (isolate ? 0 : 2));
  }
}

TEST_CASE("when the time allowed is over nothing is started any more, and the rest is counted") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  ScheduleOptions options = with_jobs(1);
  options.run_seconds = 0.15;
  const std::string text = misbehaving("milliseconds: 50", 20);
  const RunSummary summary = run_quietly(plan_of(text), folder.path(), options);
  CHECK(summary.done >= 2);
  CHECK(summary.not_started > 10);
  CHECK(summary.done + summary.not_started == 40);
  CHECK_FALSE(summary.interrupted);
  CHECK(run_quietly(plan_of(text), folder.path(), with_jobs(4)).done == summary.not_started);
}

TEST_CASE("exclusive timing runs one trial at a time") {
  const testing::Registered registered(make_faulty());
  const testing::TemporaryFolder folder;
  const std::string text = misbehaving("milliseconds: 40", 5) + "timing: exclusive\n";
  const auto start = std::chrono::steady_clock::now();
  CHECK(run_quietly(plan_of(text), folder.path(), with_jobs(5)).done == 10);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(5 * 40));
  std::string problems;
  plan_of(misbehaving("how: well") + "timing: alone\n", &problems);
  CHECK(problems.find("timing: expected shared or exclusive") != std::string::npos);
}

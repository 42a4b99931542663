#include "experiments/forecast/forecast.h"

#include <cmath>

#include <doctest/doctest.h>

#include "algorithms/registry.h"
#include "experiments/schedule/schedule.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::replaced_in;

namespace {

const std::string forecast_experiment = R"(name: forecast
seed: 3
datasets: [friedman1-chain: {train: 150, test: 50, targets: 4}]
protocol: {repeats: 2}
algorithms:
  - random-forest: {id: RF, trees: 40}
  - extra-trees: {id: ET, sweep: {trees: [10, 40]}}
metrics: [r2-macro]
)";

/// A journal in which every fit of a plan took so many CPU seconds for each tree.
JournalContent journal_of(const Plan& plan, double seconds_of_tree) {
  JournalContent journal;
  for (const Fit& fit : plan.fits)
    for (const std::size_t index : fit.trials) {
      TrialRecord record;
      record.trial = plan.trials[index].hash;
      record.metrics["r2-macro"] = 0.5;
      record.details = {{"fit-cpu-seconds", seconds_of_tree * fit.parameters.number("trees")}};
      journal.records[record.trial] = record;
    }
  return journal;
}

/// An algorithm that takes as long as `seconds` says, for a cost model that says `work`.
Calibration probed(const std::function<double(double, double)>& seconds,
                   const std::function<double(double, double)>& work, std::size_t rows, double last_stage,
                   double probe_seconds, std::size_t* fits = nullptr) {
  ProbeTask task;
  task.rows = rows;
  task.last_stage = last_stage;
  task.scored = 100;
  task.work = work;
  task.measure = [&](std::size_t some, double stage) {
    if (fits != nullptr) ++*fits;
    return ProbeMeasurement{seconds(static_cast<double>(some), stage), 0.001 + 0.0002 * stage};
  };
  return calibrate(task, probe_seconds);
}

}  // namespace

TEST_CASE("a probe tells what comes once in a fit from what comes with every stage") {
  const auto work = [](double rows, double stage) { return rows * stage; };
  const auto seconds = [](double rows, double stage) { return 3e-6 * rows + 2e-6 * rows * stage; };
  for (const double spent : {0.0, 0.01, 1.0, 100.0}) {
    const Calibration found = probed(seconds, work, 5000, 200, spent);
    CHECK(found.fit_seconds(work(5000, 200)) == doctest::Approx(seconds(5000, 200)));
    CHECK(found.per_predicted == doctest::Approx(0.0002 / 100));
    CHECK(found.per_scored == doctest::Approx(0.001 / 100));
  }
}

TEST_CASE("a probe sees where an algorithm grows otherwise than its cost model says") {
  const auto linear = [](double rows, double stage) { return rows * stage; };
  for (const double power : {0.7, 1.0, 1.3}) {
    const auto seconds = [&](double rows, double stage) { return 1e-6 * std::pow(rows, power) * stage; };
    // It can afford a sixteenth of the rows, and a few stages of hundreds.
    const double forecast = probed(seconds, linear, 64000, 300, 0.3).fit_seconds(linear(64000, 300));
    CHECK(forecast > seconds(64000, 300) / 2.0);
    CHECK(forecast < seconds(64000, 300) * 2.0);
  }
}

TEST_CASE("a probe keeps to its time, and what the first fit makes for all is told apart") {
  std::size_t fits = 0;
  const auto work = [](double rows, double stage) { return rows * stage; };
  const auto seconds = [&](double rows, double stage) {
    return 1e-5 * rows * stage + (fits == 1 ? 0.04 : 0.0);
  };
  const Calibration found = probed(seconds, work, 100000, 100, 0.0, &fits);
  CHECK(fits == 3);
  CHECK(found.once == doctest::Approx(0.04));
  CHECK(found.fit_seconds(work(100000, 100)) == doctest::Approx(100.0));
  // Without stages, and with noise that would have a fit of more stages be quicker.
  CHECK(
      probed([](double rows, double) { return 2e-6 * rows; }, work, 100, 1, 1.0).fit_seconds(work(100, 1)) ==
      doctest::Approx(2e-4));
  CHECK(probed([](double, double stage) { return stage > 1.0 ? 1.0 : 2.0; }, work, 100, 8, 0.0)
            .fit_seconds(work(100, 8)) > 0.0);
}

TEST_CASE("earlier results of the same settings are the forecast, whatever stages they shared") {
  const Plan plan = plan_of(forecast_experiment);
  const JournalContent journal = journal_of(plan, 0.5);
  const Plan more = plan_of(replaced_in(forecast_experiment, "repeats: 2", "repeats: 3"));
  const auto all = [](const Trial&) { return true; };
  const auto never = [](const Fit&, const Parameters&, double) -> Calibration {
    FAIL("nothing is left to probe");
    return {};
  };
  const std::vector<Fit> rest = missing_fits(more, journal, all);
  REQUIRE(rest.size() == 2);
  const Forecast forecast = make_forecast(more, rest, journal, 1.0, never);
  CHECK(forecast.measured == 2);
  CHECK(forecast.probed == 0);
  CHECK(forecast.cpu_seconds() == doctest::Approx(2 * 20.0).epsilon(1e-4));
  CHECK(forecast.wall_seconds(2) == doctest::Approx(forecast.cpu_seconds() / 2.0));
  CHECK(forecast.wall_seconds(3, true) == doctest::Approx(20.0).epsilon(1e-4));
  CHECK(forecast.disk_bytes > 3.0 * 1000.0);
  CHECK(forecast.peak_bytes(2) > forecast.data_bytes);
  // Other settings of the same entry follow by the ratio of their work.
  const Plan larger = plan_of(replaced_in(forecast_experiment, "[10, 40]", "[10, 40, 80]"));
  const Forecast grown = make_forecast(larger, missing_fits(larger, journal, all), journal, 1.0, never);
  CHECK(grown.fits.size() == 2);
  CHECK(grown.cpu_seconds() == doctest::Approx(2 * 40.0).epsilon(1e-4));
}

TEST_CASE("what is not known is probed, one of every algorithm and dataset even without time for it") {
  const std::string swept =
      replaced_in(forecast_experiment, "trees: 40}", "trees: 40, sweep: {features: [1, 2, 3]}}");
  const Plan plan = plan_of(swept);
  std::vector<std::string> asked;
  const auto prober = [&](const Fit& fit, const Parameters&, double) {
    asked.push_back(plan.experiment.algorithms[fit.entry].id);
    Calibration unit;
    unit.per_work = 1e-9;
    return unit;
  };
  CHECK(make_forecast(plan, plan.fits, {}, 0.0, prober).probed == 2);
  asked.clear();
  CHECK(make_forecast(plan, plan.fits, {}, 1e6, prober).probed == 3 + 1);
  CHECK(std::count(asked.begin(), asked.end(), "RF") == 3);
  // A fit that fails is expected to fail in the run, at no cost.
  const auto failing = [](const Fit&, const Parameters&, double) -> Calibration {
    throw Error(ErrorKind::fit, "no");
  };
  CHECK(make_forecast(plan, plan.fits, {}, 1.0, failing).cpu_seconds() < 1.0);
  // The real probe measures something.
  CHECK(make_forecast(plan, plan.fits, {}, 0.0, StopFlag{}).cpu_seconds() > 0.0);
}

TEST_CASE("costs grow with trees, rows, features and separate outputs, for every algorithm") {
  const ProblemSize small{1000, 20, 5, 20000, 2000};
  const ProblemSize large{4000, 20, 5, 80000, 8000};
  for (const std::string& name : Registry::instance().names()) {
    CAPTURE(name);
    const Algorithm& algorithm = Registry::instance().get(name);
    const Parameters parameters =
        resolve(algorithm.description().parameters, {}, Task::multilabel, {1000, 20, 5});
    const FitCost less = algorithm.cost(parameters, small);
    const FitCost more = algorithm.cost(parameters, large);
    CHECK(less.work > 0.0);
    CHECK(less.bytes > 0.0);
    CHECK(more.work > less.work);
    CHECK(more.bytes >= less.bytes);
    if (const ParameterSpec* staged = algorithm.description().staged()) {
      Parameters twice = parameters;
      twice.set_number(staged->name, 2.0 * parameters.number(staged->name));
      CHECK(algorithm.cost(twice, small).work == doctest::Approx(2.0 * less.work).epsilon(0.2));
    }
  }
}

TEST_CASE("the forecast of a search counts its inner fits and the curves that they are scored on") {
  const auto prober = [](const Fit&, const Parameters&, double) {
    Calibration unit;
    unit.start = 1.0;  // every fit takes a second, every scored row a tenth
    unit.per_scored = 0.1;
    return unit;
  };
  const Plan plain = plan_of(forecast_experiment);
  CHECK(make_forecast(plain, plain.fits, {}, 1.0, prober).cpu_seconds() ==
        doctest::Approx(2 * (1.0 + 5.0) + 2 * (1.0 + 2 * 5.0)).epsilon(1e-4));
  const std::string tuned = replaced_in(forecast_experiment, "id: RF, trees: 40",
                                        "id: RF, tune: {trees: [10, 40], min_samples_leaf: [1, 2, 3, 4, 5]}");
  const Plan plan =
      plan_of(replaced_in(tuned, "repeats: 2", "repeats: 2, select: {kfold: 2, metric: r2-macro}"));
  std::size_t inner = 0;
  for (const Fit& fit : plan.fits) inner += inner_fits(plan, fit);
  CHECK(inner == 5 * 2 * 2);
  // Two repeats of: the last fit, and five settings on two halves, each with the rows of the other scored
  // twice.
  CHECK(make_forecast(plan, plan.fits, {}, 1.0, prober).cpu_seconds() ==
        doctest::Approx(2 * (1.0 + 5.0 + 5 * 2 * (1.0 + 2 * 7.5)) + 2 * (1.0 + 2 * 5.0)).epsilon(1e-4));
}

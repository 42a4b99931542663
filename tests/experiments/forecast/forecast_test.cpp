#include "experiments/forecast/forecast.h"

#include <doctest/doctest.h>

#include "algorithms/registry.h"
#include "experiments/schedule/schedule.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::run_quietly;

namespace {

const std::string forecast_experiment = R"(name: forecast
seed: 3
datasets: [friedman1-chain: {train: 1500, test: 1500, targets: 4}]
protocol: {repeats: 2}
algorithms:
  - random-forest: {id: RF, trees: 40}
  - extra-trees: {id: ET, trees: 40}
metrics: [r2-macro]
)";

/// CPU seconds that the trials in a journal took, without what is not forecast.
double taken_seconds(const JournalContent& journal) {
  double sum = 0.0;
  for (const auto& [hash, record] : journal.records)
    for (const char* part : {"fit-cpu-seconds", "predict-cpu-seconds", "tuning-cpu-seconds"})
      if (record.details.contains(part)) sum += record.details[part].get<double>();
  return sum;
}

}  // namespace

TEST_CASE("a probe forecasts the time of a run, and earlier results do it better") {
  const Plan plan = plan_of(forecast_experiment);
  const Forecast probed = make_forecast(plan, plan.fits, {}, 1.0, {});
  CHECK(probed.probed == 2);
  CHECK(probed.measured == 0);
  const testing::TemporaryFolder folder;
  run_quietly(plan, folder.path());
  const JournalContent journal = read_journal(folder.path() / "trials.jsonl");
  const double taken = taken_seconds(journal);
  // A factor of 4 here, where others keep the machine busy; docs/benchmarks.md has what was measured.
  CHECK(probed.cpu_seconds() > taken / 4.0);
  CHECK(probed.cpu_seconds() < taken * 4.0);
  const Forecast measured = make_forecast(plan, plan.fits, journal, 0.0, {});
  CHECK(measured.measured == 2);
  CHECK(measured.probed == 0);
  CHECK(measured.cpu_seconds() > taken / 2.0);
  CHECK(measured.cpu_seconds() < taken * 2.0);
  CHECK(measured.wall_seconds(2) == doctest::Approx(measured.cpu_seconds() / 2.0));
  CHECK(measured.disk_bytes > 4.0 * 1000.0);
  CHECK(measured.peak_bytes(2) > measured.data_bytes);
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

TEST_CASE("the forecast of a search counts its inner fits") {
  const std::string tuned =
      testing::replaced_in(forecast_experiment, "id: ET, trees: 40",
                           "id: ET, trees: 40, tune: {min_samples_leaf: [1, 2, 3, 4, 5]}");
  const Plan plan = plan_of(tuned);
  const Plan plain = plan_of(forecast_experiment);
  std::size_t inner = 0;
  for (const Fit& fit : plan.fits) inner += inner_fits(plan, fit);
  CHECK(inner == 5 * 2);
  CHECK(make_forecast(plan, plan.fits, {}, 0.2, {}).cpu_seconds() >
        1.2 * make_forecast(plain, plain.fits, {}, 0.2, {}).cpu_seconds());
}

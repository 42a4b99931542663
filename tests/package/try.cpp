// Runs an experiment with the example algorithm; checks that it beats the constant and predicts the same
// after save and load.
#include <cstdio>

#include "algorithms/registry.h"
#include "experiments/run.h"
#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"

namespace coppice {
std::unique_ptr<Algorithm> make_best_line();
}

namespace {

using namespace coppice;

bool beats_the_constant(const Plan& plan, const char* folder) {
  RunOptions options;
  options.folder = folder;
  options.quiet = true;
  options.fresh = true;
  if (run_experiment(plan, options, {}).failed > 0) return false;
  const ResultSet results = load_results(options.folder);
  const ScoreGrid grid(results, results.metrics[0]);
  std::fputs(render(comparison_table(results, results.metrics[0]), TableFormat::text).c_str(), stdout);
  return grid.cell(0, 1).summary.mean > grid.cell(0, 0).summary.mean;
}

bool survives_a_file(const Plan& plan) {
  const DatasetView rows(plan.pool->get(0, 0));
  const Algorithm& algorithm = Registry::instance().get("best-line");
  const Parameters parameters = resolve(algorithm.description().parameters, {}, rows.dataset().task(), {});
  const auto model = algorithm.fit(rows, parameters, {});
  const auto saved = load_model(ModelReader::from_bytes(
      model_bytes(*model, "best-line", parameters, ModelSchema::of(rows.dataset()), nlohmann::json::object()),
      "memory"));
  const Predictions before = model->predict(rows, {});
  const Predictions after = saved.model->predict(rows, {});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (before.score(i, 0) != after.score(i, 0)) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    Registry::instance().add(make_best_line());
    const Plan plan = plan_experiment(argv[1], {}, DataPath{});
    return beats_the_constant(plan, argv[2]) && survives_a_file(plan) ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

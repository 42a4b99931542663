// How the path of a compressed forest grows with rows and trees: path_bench ROWS TREES STEPS
// [centred|standardised].

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/registry.h"
#include "core/data/generators/generator.h"
#include "core/path/stagewise.h"
#include "tests/bench/measure.h"

using namespace coppice;
using namespace coppice::bench;

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: path_bench ROWS TREES STEPS [centred|standardised]\n");
    return 2;
  }
  const Generator& generator = *find_generator("friedman1");
  const auto data = std::make_shared<const Dataset>(generator.generate(
      resolve(generator.description().parameters, {{"train", argv[1]}, {"test", "0"}}, Task::regression, {}),
      Stream(1)));
  const DatasetView train(data);
  const Algorithm& trees = Registry::instance().get("extra-trees");
  const ExpressionVariables sizes{static_cast<double>(train.size()), 10, 1};
  const double start = cpu_seconds();
  const auto model =
      trees.fit(train, resolve(trees.description().parameters, {{"trees", argv[2]}}, Task::regression, sizes),
                {.stream = Stream(2)});
  const double grown = cpu_seconds();
  const NodeIndicators indicators(dynamic_cast<const ForestModel&>(*model).parts().trees, train, {}, {});
  const double lifted = cpu_seconds();
  PathTargets targets;
  targets.rows = train.size();
  targets.column = [&](std::size_t) {
    const auto values = data->targets().values();
    return std::vector<double>(values.begin(), values.end());
  };
  StagewiseOptions options;
  options.scale = argc > 4 && std::strcmp(argv[4], "standardised") == 0 ? IndicatorScale::standardised
                                                                        : IndicatorScale::centred;
  options.length = options.step * std::atof(argv[3]);
  const NodePath path = stagewise_path(indicators, targets, options, {});
  const double followed = cpu_seconds();
  fmt::print(
      "{} rows, {} trees, {} indicators: forest {:.2f} s, indicators {:.2f} s, {} steps {:.3f} s, peak "
      "{:.0f} MB\n",
      argv[1], argv[2], indicators.nodes(), grown - start, lifted - grown, path.knots() - 1,
      followed - lifted, peak_bytes() / 1e6);
  return 0;
}

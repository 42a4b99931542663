#include "experiments/plan/plan.h"

#include <algorithm>

#include "core/data/encode.h"
#include "core/data/splits/splits.h"

namespace coppice {

std::vector<Metric> Plan::metrics_for(std::size_t dataset) const {
  std::vector<Metric> metrics;
  for (const Metric& metric : experiment.metrics)
    if (metric.applies_to(datasets[dataset].task)) metrics.push_back(metric);
  return metrics;
}

Parameters Plan::parameters_at(const Fit& fit, const Trial& trial) const {
  Parameters parameters = fit.parameters;
  if (trial.stage)
    parameters.set_number(experiment.algorithms[fit.entry].description.staged()->name, *trial.stage);
  return parameters;
}

std::shared_ptr<const Splits> Plan::splits_of(std::size_t dataset, int repeat) const {
  return splits->get(pool->source(dataset).data_name(), *pool->get(dataset, repeat), repeat);
}

Split Plan::split(std::size_t dataset, int repeat, int fold) const {
  Split split = (*splits_of(dataset, repeat))[static_cast<std::size_t>(fold)];
  if (const auto kept = pool->source(dataset).training_rows(split.train.size()))
    split.train = random_part(split.train, *kept,
                              Stream(experiment.seed)
                                  .at("repeat", static_cast<std::uint64_t>(repeat))
                                  .at("fold", static_cast<std::uint64_t>(fold))
                                  .at("training-rows"));
  return split;
}

std::size_t Plan::most_folds() const {
  std::size_t most = 1;
  for (const PlannedDataset& dataset : datasets) most = std::max(most, dataset.folds);
  return most;
}

std::shared_ptr<const Dataset> data_for(DatasetPool& pool, std::size_t dataset, int repeat,
                                        const Split& split, const Capabilities& capabilities) {
  const std::vector<PrepareStep>& steps = pool.source(dataset).preparation();
  if (steps.empty())
    return capabilities.categorical ? pool.get(dataset, repeat) : pool.get_encoded(dataset, repeat);
  Dataset prepared = prepare(*pool.get(dataset, repeat), split.train, steps);
  if (!capabilities.categorical && prepared.features().categorical_columns() > 0)
    prepared = one_hot_encoded(prepared);
  return std::make_shared<const Dataset>(std::move(prepared));
}

Stream model_stream(std::uint64_t seed, int repeat, int fold, const std::string& algorithm) {
  return Stream(seed)
      .at("repeat", static_cast<std::uint64_t>(repeat))
      .at("fold", static_cast<std::uint64_t>(fold))
      .at("algorithm", std::string_view(algorithm));
}

}  // namespace coppice

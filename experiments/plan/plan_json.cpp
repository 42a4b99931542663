#include "experiments/plan/plan.h"

namespace coppice {

nlohmann::json plan_json(const Plan& plan) {
  nlohmann::json json{{"experiment", plan.experiment.name},
                      {"seed", plan.experiment.seed},
                      {"seed_location", plan.experiment.seed_location.text()}};
  for (std::size_t i = 0; i < plan.datasets.size(); ++i) {
    const PlannedDataset& dataset = plan.datasets[i];
    json["datasets"].push_back({{"name", dataset.name},
                                {"source", source_name(plan.experiment.datasets[i])},
                                {"part", plan.pool->source(i).training_rows(1).has_value()},
                                {"location", plan.experiment.datasets[i].location.text()},
                                {"task", task_name(dataset.task)},
                                {"rows", dataset.rows},
                                {"features", dataset.features},
                                {"outputs", dataset.outputs},
                                {"train", dataset.train},
                                {"test", dataset.test},
                                {"folds", dataset.folds},
                                {"fingerprints", dataset.fingerprints}});
  }
  for (const DatasetEntry& entry : plan.absent) json["absent"].push_back(entry.name);
  json["protocol"] = plan.experiment.protocol.test_text();
  for (const AlgorithmRow& row : plan.algorithms) {
    json["algorithms"].push_back(row.id);
    const AlgorithmEntry& entry = plan.experiment.algorithms[row.entry];
    nlohmann::json swept = nlohmann::json::array();
    for (const SweepAxis& axis : entry.sweep)
      swept.push_back({axis.parameter, row.parameters.at(axis.parameter)});
    json["algorithm_details"].push_back({{"name", row.id},
                                         {"id", entry.id},
                                         {"algorithm", entry.description.name},
                                         {"location", entry.location.text()},
                                         {"swept", std::move(swept)}});
  }
  for (const Metric& metric : plan.experiment.metrics) json["metrics"].push_back(metric.name);
  for (const Location& location : plan.experiment.metric_locations)
    json["metric_locations"].push_back(location.text());
  json["expect"] = {{"source", plan.experiment.expect_source}, {"values", nlohmann::json::array()}};
  for (const ExpectedValue& expected : plan.experiment.expected)
    json["expect"]["values"].push_back(
        {{"metric", expected.metric},
         {"dataset", expected.dataset},
         {"algorithm", expected.algorithm},
         {"value", expected.value},
         {"deviation", expected.deviation ? nlohmann::json(*expected.deviation) : nullptr}});
  for (const Trial& trial : plan.trials)
    json["trials"].push_back({{"trial", trial.hash},
                              {"dataset", trial.dataset},
                              {"algorithm", trial.algorithm},
                              {"repeat", trial.repeat},
                              {"fold", trial.fold},
                              {"stage", trial.stage ? nlohmann::json(*trial.stage) : nullptr}});
  return json;
}

}  // namespace coppice

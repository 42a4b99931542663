#include "algorithms/boosting/known_structure.h"

#include "algorithms/boosting/boosting_fit.h"

namespace coppice {

namespace {

std::string structure_named(const std::string& dataset) {
  if (dataset.ends_with("-chain")) return "chain";
  return dataset.ends_with("-group") ? "group" : "independent";
}

/// The same inputs with one output: the first, or the mean of all.
DatasetView one_output(const DatasetView& train, bool mean) {
  const Dataset& dataset = train.dataset();
  const auto outputs = static_cast<double>(dataset.output_count());
  std::vector<double> values(dataset.rows());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto targets = dataset.targets()[row];
    values[row] = mean ? 0.0 : targets[0];
    for (std::size_t j = 0; mean && j < targets.size(); ++j) values[row] += targets[j] / outputs;
  }
  return {
      std::make_shared<const Dataset>(dataset.name(), dataset.features(), RealTargets(1, std::move(values))),
      Rows(train.rows().begin(), train.rows().end())};
}

}  // namespace

std::unique_ptr<Model> fit_known_structure(const DatasetView& train, const std::string& structure,
                                           const BoostingOptions& options, const Context& context) {
  const std::string known = structure == "named" ? structure_named(train.dataset().name()) : structure;
  if (known == "independent") return fit_boosted(train, options, context);
  const auto learnt = fit_boosted(one_output(train, known == "group"), options, context);
  BoostedParts parts = learnt->parts();
  parts.copies = train.dataset().output_count();
  return std::make_unique<BoostedModel>(std::move(parts));
}

}  // namespace coppice

#include "core/model/model.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

ModelSchema ModelSchema::of(const Dataset& dataset) {
  ModelSchema schema;
  schema.task = dataset.task();
  for (std::size_t j = 0; j < dataset.feature_count(); ++j)
    schema.features.push_back(dataset.features().name(j));
  for (std::size_t j = 0; j < dataset.output_count(); ++j) schema.outputs.push_back(dataset.output_name(j));
  return schema;
}

void ModelSchema::require_match(const Dataset& dataset) const {
  const ModelSchema other = of(dataset);
  const auto compare = [&](const char* what, const auto& mine, const auto& theirs) {
    if (mine.size() != theirs.size())
      throw Error(
          ErrorKind::data,
          fmt::format("dataset '{}' has {} {}, the model was fitted on {}; use data with the same columns",
                      dataset.name(), theirs.size(), what, mine.size()));
    for (std::size_t j = 0; j < mine.size(); ++j)
      if (mine[j] != theirs[j])
        throw Error(ErrorKind::data, fmt::format("dataset '{}': number {} of its {} is '{}', where the model "
                                                 "was fitted on '{}'; use data with "
                                                 "the same columns in the same order",
                                                 dataset.name(), j + 1, what, theirs[j], mine[j]));
  };
  if (task != other.task)
    throw Error(ErrorKind::data, fmt::format("dataset '{}' is a {} task, the model was fitted for {}",
                                             dataset.name(), task_name(other.task), task_name(task)));
  compare("features", features, other.features);
  compare("outputs", outputs, other.outputs);
}

void Model::predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                           const Context& context) const {
  const Predictions predictions = predict(rows, context);
  for (std::size_t i = 0; i < stages.size(); ++i) emit(i, predictions);
}

}  // namespace coppice

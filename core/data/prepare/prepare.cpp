#include "core/data/prepare/prepare.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/prepare/steps.h"

namespace coppice {

RealTargets standardise_targets(const RealTargets& targets, std::span<const std::uint32_t> weights) {
  const std::size_t outputs = targets.outputs();
  std::vector<double> means(outputs, 0.0);
  std::vector<double> deviations(outputs, 0.0);
  double count = 0.0;
  for (std::size_t row = 0; row < targets.rows(); ++row) {
    count += weights[row];
    for (std::size_t j = 0; j < outputs; ++j) means[j] += static_cast<double>(weights[row]) * targets[row][j];
  }
  for (double& mean : means) mean /= count;
  for (std::size_t row = 0; row < targets.rows(); ++row)
    for (std::size_t j = 0; j < outputs; ++j) {
      const double difference = targets[row][j] - means[j];
      deviations[j] += static_cast<double>(weights[row]) * difference * difference;
    }
  for (double& deviation : deviations) {
    deviation = std::sqrt(deviation / count);
    if (deviation == 0.0) deviation = 1.0;
  }
  std::vector<double> values(targets.values().begin(), targets.values().end());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (values[i] - means[i % outputs]) / deviations[i % outputs];
  return {outputs, std::move(values)};
}

namespace {

/// The parts of a dataset while steps change them.
struct Parts {
  Features features;
  LabelSets labels;
  RealTargets targets;
  DatasetExtras extras;
};

void drop_empty_labels(Parts& parts, std::span<const std::uint32_t> weights) {
  std::vector<std::uint64_t> support(parts.labels.label_count(), 0);
  for (std::size_t row = 0; row < parts.labels.rows(); ++row)
    for (const std::uint32_t label : parts.labels[row]) support[label] += weights[row];
  constexpr std::uint32_t dropped = 0xffffffffU;
  std::vector<std::uint32_t> renumbered(support.size(), dropped);
  std::vector<std::string> names;
  std::uint32_t kept = 0;
  for (std::size_t label = 0; label < support.size(); ++label) {
    if (support[label] == 0) continue;
    renumbered[label] = kept++;
    if (!parts.extras.output_names.empty()) names.push_back(std::move(parts.extras.output_names[label]));
  }
  if (kept == 0)
    throw Error(ErrorKind::data, "drop-empty-labels: no label has a training row; nothing is left to learn");
  LabelSets labels(kept);
  std::vector<std::uint32_t> row_labels;
  for (std::size_t row = 0; row < parts.labels.rows(); ++row) {
    row_labels.clear();
    for (const std::uint32_t label : parts.labels[row])
      if (renumbered[label] != dropped) row_labels.push_back(renumbered[label]);
    labels.add_row(row_labels);
  }
  parts.labels = std::move(labels);
  parts.extras.output_names = std::move(names);
}

void apply(PrepareStep step, Task task, std::span<const std::uint32_t> weights, Parts& parts) {
  switch (step) {
    case PrepareStep::impute:
      parts.features = impute(parts.features, weights);
      return;
    case PrepareStep::standardise_inputs:
      parts.features = standardise_inputs(parts.features, weights);
      return;
    case PrepareStep::standardise_targets:
      if (task != Task::regression)
        throw Error(ErrorKind::data,
                    fmt::format("standardise-targets: a {} task has no real targets", task_name(task)));
      parts.targets = standardise_targets(parts.targets, weights);
      return;
    case PrepareStep::unit_rows:
      parts.features = unit_rows(parts.features);
      return;
    case PrepareStep::idf:
      parts.features = apply_idf(parts.features, weights);
      return;
    case PrepareStep::tf_idf:
      parts.features = unit_rows(apply_idf(parts.features, weights));
      return;
    case PrepareStep::drop_empty_labels:
      if (task != Task::multilabel)
        throw Error(ErrorKind::data,
                    fmt::format("drop-empty-labels: a {} task has no label sets", task_name(task)));
      drop_empty_labels(parts, weights);
      return;
  }
}

}  // namespace

const std::vector<PrepareDescription>& prepare_steps() {
  static const std::vector<PrepareDescription> all{
      {PrepareStep::impute, "impute",
       "Missing inputs become the median of the training rows, or the most frequent category."},
      {PrepareStep::standardise_inputs, "standardise-inputs",
       "Inputs get mean 0 and standard deviation 1 on the training rows; sparse columns are scaled only."},
      {PrepareStep::standardise_targets, "standardise-targets",
       "Real targets get mean 0 and standard deviation 1 on the training rows."},
      {PrepareStep::unit_rows, "unit-rows", "Every row of inputs is scaled to Euclidean length 1."},
      {PrepareStep::idf, "idf",
       "Inputs are weighed by ln((1 + n) / (1 + m)) + 1, m being the training rows where they are not 0."},
      {PrepareStep::tf_idf, "tf-idf", "idf, then unit-rows."},
      {PrepareStep::drop_empty_labels, "drop-empty-labels", "Labels without a training row are left out."},
  };
  return all;
}

std::optional<PrepareStep> parse_prepare_step(std::string_view name) {
  for (const PrepareDescription& description : prepare_steps())
    if (description.name == name) return description.step;
  return std::nullopt;
}

std::string_view prepare_step_name(PrepareStep step) {
  return prepare_steps()[static_cast<std::size_t>(step)].name;
}

Dataset prepare(const Dataset& dataset, std::span<const std::uint32_t> train,
                std::span<const PrepareStep> steps) {
  if (train.empty()) throw Error(ErrorKind::data, "there are no training rows to prepare the data by");
  std::vector<std::uint32_t> weights(dataset.rows(), 0);
  for (const std::uint32_t row : train) ++weights[row];
  Parts parts{dataset.features(), dataset.labels(), dataset.targets(), dataset.extras()};
  for (const PrepareStep step : steps) apply(step, dataset.task(), weights, parts);
  if (dataset.task() == Task::regression)
    return {dataset.name(), std::move(parts.features), std::move(parts.targets), std::move(parts.extras)};
  return {dataset.name(), dataset.task(), std::move(parts.features), std::move(parts.labels),
          std::move(parts.extras)};
}

}  // namespace coppice

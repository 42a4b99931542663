#include "tests/algorithms/small_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice::testing {

namespace {

/// Column by column; every value of a row is repeated for its copies.
std::vector<std::vector<float>> draw_inputs(const Shape& shape, const Stream& stream) {
  std::vector<std::vector<float>> columns(shape.features);
  for (std::size_t j = 0; j < shape.features; ++j) {
    Stream numbers = stream.at("column", j);
    for (std::size_t i = 0; i < shape.rows; ++i) {
      auto value = static_cast<float>(numbers.normal());
      const bool zero = numbers.uniform() < 0.85;
      if ((shape.inputs == Inputs::sparse || shape.inputs == Inputs::sparse_dense) && zero) value = 0.0F;
      // Some sparse columns have whole numbers, some only ones.
      if (shape.inputs == Inputs::sparse || shape.inputs == Inputs::sparse_dense) {
        if (j % 3 == 1) value = std::round(2.0F * value);
        if (j % 3 == 2 && value != 0.0F) value = 1.0F;
      }
      if (shape.inputs == Inputs::constant) value = 2.5F;
      if (shape.inputs == Inputs::missing && i == 3 && j == 1)
        value = std::numeric_limits<float>::quiet_NaN();
      columns[j].insert(columns[j].end(), shape.copies, value);
    }
  }
  return columns;
}

Features make_features(const Shape& shape, const std::vector<std::vector<float>>& columns) {
  Features features(shape.rows * shape.copies);
  for (const auto& column : columns) {
    if (shape.inputs != Inputs::sparse) {
      features.add_dense("", column);
      continue;
    }
    std::vector<std::uint32_t> rows;
    std::vector<float> values;
    for (std::uint32_t i = 0; i < column.size(); ++i) {
      if (column[i] == 0.0F) continue;
      rows.push_back(i);
      values.push_back(column[i]);
    }
    features.add_sparse("", rows, values);
  }
  return features;
}

}  // namespace

std::shared_ptr<const Dataset> small_dataset(Task task, const Shape& shape, std::uint64_t seed) {
  const Stream stream = Stream(seed).at("small");
  const auto columns = draw_inputs(shape, stream);
  Features features = make_features(shape, columns);
  Stream noise = stream.at("noise");
  std::vector<double> targets;
  LabelSets labels(shape.outputs);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    std::vector<double> signal(shape.outputs);
    for (std::size_t j = 0; j < signal.size(); ++j) {
      const float input = columns[j % shape.features][row * shape.copies];
      signal[j] = (std::isnan(input) ? 0.0 : 2.0 * input) + 0.3 * noise.normal();
    }
    std::vector<std::uint32_t> present;
    if (task == Task::multiclass)
      present.push_back(
          shape.empty_labels
              ? 0U
              : static_cast<std::uint32_t>(std::max_element(signal.begin(), signal.end()) - signal.begin()));
    else if (!shape.empty_labels)
      for (std::uint32_t j = 0; j < shape.outputs; ++j)
        if (signal[j] > 0.3) present.push_back(j);
    for (std::size_t copy = 0; copy < shape.copies; ++copy) {
      labels.add_row(present);
      targets.insert(targets.end(), signal.begin(), signal.end());
    }
  }
  if (task == Task::regression)
    return std::make_shared<const Dataset>("small", std::move(features),
                                           RealTargets(shape.outputs, std::move(targets)));
  return std::make_shared<const Dataset>("small", task, std::move(features), std::move(labels));
}

}  // namespace coppice::testing

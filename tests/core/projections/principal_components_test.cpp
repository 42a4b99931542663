#include "core/projections/principal_components.h"

#include <cmath>

#include <doctest/doctest.h>

#include "core/data/dataset.h"
#include "core/projections/output_columns.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// The rows of Φ.
std::vector<std::vector<double>> directions(const OutputColumns& columns, std::size_t size) {
  ProjectionSetting setting{.size = size, .outputs = columns.outputs()};
  setting.learned = &columns;
  const auto projection = principal_components(setting, Context{});
  std::vector<std::vector<double>> rows(size, std::vector<double>(columns.outputs()));
  ProjectionColumn column;
  for (std::uint32_t j = 0; j < columns.outputs(); ++j) {
    projection->column(j, column);
    for (std::size_t c = 0; c < size; ++c) rows[c][j] = column.values[c];
  }
  return rows;
}

/// C v for the covariance of label sets, from its definition.
std::vector<double> covariance_times(const LabelSets& labels, const std::vector<double>& v) {
  const std::size_t d = v.size();
  const auto n = static_cast<double>(labels.rows());
  std::vector<double> mean(d, 0.0);
  for (const std::uint32_t label : labels.labels()) mean[label] += 1.0 / n;
  std::vector<double> result(d, 0.0);
  for (std::size_t row = 0; row < labels.rows(); ++row) {
    double product = 0.0;
    for (std::size_t j = 0; j < d; ++j)
      product += ((labels.contains(row, static_cast<std::uint32_t>(j)) ? 1.0 : 0.0) - mean[j]) * v[j];
    for (std::size_t j = 0; j < d; ++j)
      result[j] +=
          ((labels.contains(row, static_cast<std::uint32_t>(j)) ? 1.0 : 0.0) - mean[j]) * product / n;
  }
  return result;
}

void check_eigenvectors(const LabelSets& labels, const std::vector<std::vector<double>>& rows) {
  double before = 1e300;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const auto image = covariance_times(labels, rows[c]);
    double value = 0.0;
    for (std::size_t j = 0; j < image.size(); ++j) value += image[j] * rows[c][j];
    CHECK(value <= before + 1e-9);
    before = value;
    for (std::size_t j = 0; j < image.size(); ++j) CHECK(std::abs(image[j] - value * rows[c][j]) < 1e-7);
    for (std::size_t other = 0; other <= c; ++other) {
      double product = 0.0;
      for (std::size_t j = 0; j < image.size(); ++j) product += rows[c][j] * rows[other][j];
      CHECK(std::abs(product - (other == c ? 1.0 : 0.0)) < 1e-9);
    }
  }
}

/// Label sets in which some labels come often and together.
LabelSets many_labels(std::uint32_t count) {
  LabelSets labels(count);
  Stream stream(4);
  for (int row = 0; row < 120; ++row) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t label = 0; label < count; ++label) {
      const double chance = label < 6 ? 0.5 - 0.05 * label : 1.0 / static_cast<double>(label);
      if (stream.uniform() < chance) set.push_back(label);
    }
    labels.add_row(set);
  }
  return labels;
}

}  // namespace

TEST_CASE("principal components are the leading eigenvectors of the covariance of the labels") {
  const auto data = small_dataset(Task::multilabel, {.rows = 80, .outputs = 9});
  check_eigenvectors(data->labels(), directions(OutputColumns{DatasetView(data)}, 9));
}

TEST_CASE("with many labels they come from products with the covariance alone") {
  const LabelSets labels = many_labels(400);
  Features features(labels.rows());
  features.add_dense("", std::vector<float>(labels.rows(), 0.0F));
  const auto data = std::make_shared<const Dataset>("many", Task::multilabel, std::move(features), labels);
  check_eigenvectors(labels, directions(OutputColumns{DatasetView(data)}, 5));
}

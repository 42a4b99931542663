#include "algorithms/craftml/inputs.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"

namespace coppice::craftml {

namespace {

/// Inputs with at least this share of values that are not 0 are measurements rather than words.
constexpr double dense_share = 0.25;

/// Sparse counts are worth weighting. Whole numbers only: other values have been weighted before.
InputWeighting chosen_weighting(const Options& options, SparseRowsView rows, std::size_t features) {
  if (options.inputs != InputWeighting::automatic) return options.inputs;
  const double cells = static_cast<double>(rows.rows()) * static_cast<double>(features);
  const bool sparse = static_cast<double>(rows.columns.size()) < dense_share * cells;
  const bool counts = std::all_of(rows.values.begin(), rows.values.end(),
                                  [](float value) { return value == std::floor(value); });
  return sparse && counts ? InputWeighting::idf : InputWeighting::none;
}

float logarithmic(float value) {
  const double size = std::abs(double{value});
  if (size <= 1.0) return value;
  return static_cast<float>(std::copysign(1.0 + portable_log(size), double{value}));
}

}  // namespace

float inverse_frequency(std::size_t rows, std::size_t frequency) {
  return static_cast<float>(
      portable_log((static_cast<double>(rows) + 1.0) / (static_cast<double>(frequency) + 1.0)));
}

InputWeights InputWeights::fit(const Options& options, const SparseRows& rows, std::size_t features) {
  InputWeights fitted;
  fitted.unit_rows = options.unit_rows;
  const InputWeighting weighting = chosen_weighting(options, rows.view(), features);
  fitted.logarithm = weighting == InputWeighting::tf_idf;
  if (weighting == InputWeighting::none) return fitted;
  std::vector<std::size_t> frequency(features, 0);
  for (const std::uint32_t column : rows.columns()) ++frequency[column];
  for (const std::size_t count : frequency) {
    const float weight = inverse_frequency(rows.rows(), count);
    fitted.weights.push_back(weighting == InputWeighting::sqrt_idf ? std::sqrt(weight) : weight);
  }
  return fitted;
}

void InputWeights::apply(SparseRows& rows) const {
  const auto values = rows.values();
  const auto columns = rows.columns();
  if (logarithm)
    for (float& value : values) value = logarithmic(value);
  if (!weights.empty())
    for (std::size_t e = 0; e < values.size(); ++e) values[e] *= weights[columns[e]];
  if (!unit_rows) return;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double squares = 0.0;
    for (const float value : rows.values_of(i)) squares += double{value} * double{value};
    if (squares <= 0.0) continue;
    const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
    for (float& value : rows.values_of(i)) value *= scale;
  }
}

std::vector<float> label_weights(const LabelSets& labels, std::span<const std::uint32_t> rows) {
  std::vector<std::size_t> frequency(labels.label_count(), 0);
  for (const std::uint32_t row : rows)
    for (const std::uint32_t label : labels[row]) ++frequency[label];
  std::vector<float> weights;
  for (const std::size_t count : frequency) weights.push_back(inverse_frequency(rows.size(), count));
  return weights;
}

}  // namespace coppice::craftml

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/data/layout.h"
#include "core/data/prepare/steps.h"

namespace coppice {

namespace {

std::size_t row_of(const ColumnView& column, std::size_t i) {
  return column.dense ? i : column.rows[i];
}

/// The column with every stored value changed; zeros of sparse columns are not stored and stay.
template <typename Change>
void add_changed(Features& changed, const Features& features, std::size_t index, const Change& change) {
  const ColumnView column = features.column(index);
  std::vector<float> values(column.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(row_of(column, i), column.values[i]);
  if (column.kind == FeatureKind::categorical)
    changed.add_categorical(features.own_name(index), values, features.categories(index));
  else if (column.dense)
    changed.add_dense(features.own_name(index), values);
  else
    changed.add_sparse(features.own_name(index), column.rows, values);
}

double total_weight(std::span<const std::uint32_t> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// The median of the training values, zeros that are not stored included; 0 if there are none.
float median(const ColumnView& column, std::span<const std::uint32_t> weights) {
  std::vector<float> values;
  double stored = 0.0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::uint32_t weight = weights[row_of(column, i)];
    stored += weight;
    if (!std::isnan(column.values[i])) values.insert(values.end(), weight, column.values[i]);
  }
  const auto zeros = static_cast<std::size_t>(column.dense ? 0.0 : total_weight(weights) - stored);
  values.insert(values.end(), zeros, 0.0F);
  if (values.empty()) return 0.0F;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const float below = *std::max_element(values.begin(), middle);
  return static_cast<float>((static_cast<double>(below) + static_cast<double>(*middle)) / 2.0);
}

/// The first of the categories with most training rows.
float most_frequent(const ColumnView& column, std::size_t categories,
                    std::span<const std::uint32_t> weights) {
  std::vector<std::uint64_t> counts(categories, 0);
  for (std::size_t row = 0; row < column.values.size(); ++row)
    if (!std::isnan(column.values[row])) counts[static_cast<std::size_t>(column.values[row])] += weights[row];
  return static_cast<float>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

struct Moments {
  double mean = 0.0;
  double deviation = 1.0;
};

/// Of the training values that are there; a column without spread keeps its scale.
Moments moments(const ColumnView& column, std::span<const std::uint32_t> weights) {
  double count = column.dense ? 0.0 : total_weight(weights);
  double sum = 0.0;
  const auto visit = [&](const auto& body) {
    for (std::size_t i = 0; i < column.values.size(); ++i) body(weights[row_of(column, i)], column.values[i]);
  };
  visit([&](std::uint32_t weight, float value) {
    if (std::isnan(value)) {
      if (!column.dense) count -= weight;
      return;
    }
    if (column.dense) count += weight;
    sum += static_cast<double>(weight) * static_cast<double>(value);
  });
  if (count == 0.0) return {};
  const double mean = sum / count;
  double squares = 0.0;
  double stored = 0.0;
  visit([&](std::uint32_t weight, float value) {
    if (std::isnan(value)) return;
    const double difference = static_cast<double>(value) - mean;
    squares += static_cast<double>(weight) * difference * difference;
    stored += weight;
  });
  squares += (count - stored) * mean * mean;
  const double deviation = std::sqrt(squares / count);
  return {mean, deviation > 0.0 ? deviation : 1.0};
}

}  // namespace

Features impute(const Features& features, std::span<const std::uint32_t> weights) {
  Features filled(features.rows());
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    const bool missing =
        std::any_of(column.values.begin(), column.values.end(), [](float v) { return std::isnan(v); });
    if (!missing) {
      filled.add_copy(features.own_name(j), features, j);
      continue;
    }
    const float fill = column.kind == FeatureKind::categorical
                           ? most_frequent(column, features.categories(j).size(), weights)
                           : median(column, weights);
    add_changed(filled, features, j,
                [&](std::size_t, float value) { return std::isnan(value) ? fill : value; });
  }
  return filled;
}

Features standardise_inputs(const Features& features, std::span<const std::uint32_t> weights) {
  Features standardised(features.rows());
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    if (column.kind == FeatureKind::categorical) {
      standardised.add_copy(features.own_name(j), features, j);
      continue;
    }
    const Moments found = moments(column, weights);
    const double shift = column.dense ? found.mean : 0.0;
    add_changed(standardised, features, j, [&](std::size_t, float value) {
      return static_cast<float>((static_cast<double>(value) - shift) / found.deviation);
    });
  }
  return standardised;
}

Features apply_idf(const Features& features, std::span<const std::uint32_t> weights) {
  const double rows = total_weight(weights);
  Features weighted(features.rows());
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    if (column.kind == FeatureKind::categorical) {
      weighted.add_copy(features.own_name(j), features, j);
      continue;
    }
    double present = 0.0;
    for (std::size_t i = 0; i < column.values.size(); ++i)
      if (column.values[i] != 0.0F) present += weights[row_of(column, i)];
    const double weight = portable_log((1.0 + rows) / (1.0 + present)) + 1.0;
    add_changed(weighted, features, j, [&](std::size_t, float value) {
      return static_cast<float>(static_cast<double>(value) * weight);
    });
  }
  return weighted;
}

Features unit_rows(const Features& features) {
  if (features.has_missing())
    throw Error(ErrorKind::data,
                fmt::format("rows with missing values have no length, and there are {} missing values; "
                            "put 'impute' before it",
                            features.missing()));
  std::vector<double> squares(features.rows(), 0.0);
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    if (column.kind == FeatureKind::categorical) continue;
    for (std::size_t i = 0; i < column.values.size(); ++i)
      squares[row_of(column, i)] +=
          static_cast<double>(column.values[i]) * static_cast<double>(column.values[i]);
  }
  Features scaled(features.rows());
  for (std::size_t j = 0; j < features.columns(); ++j) {
    if (features.column(j).kind == FeatureKind::categorical) {
      scaled.add_copy(features.own_name(j), features, j);
      continue;
    }
    add_changed(scaled, features, j, [&](std::size_t row, float value) {
      return squares[row] == 0.0 ? value
                                 : static_cast<float>(static_cast<double>(value) / std::sqrt(squares[row]));
    });
  }
  return scaled;
}

}  // namespace coppice

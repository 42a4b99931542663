// Theorem 1 of Joly et al. 2014: variances of projected outputs are those of the outputs, up to ε.

#include <cmath>

#include <doctest/doctest.h>

#include "core/projections/draw_rows.h"
#include "core/projections/output_columns.h"
#include "core/projections/projection.h"
#include "tests/algorithms/small_data.h"
#include "tests/support/real_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// Rows of `width` values each.
struct Table {
  std::vector<double> values;
  std::size_t width;

  double squared_distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < width; ++j) sum += std::pow(values[a * width + j] - values[b * width + j], 2);
    return sum;
  }
  /// The sum over the columns of the variance of some rows.
  double variance(std::span<const std::uint32_t> rows) const {
    double total = 0.0;
    const auto n = static_cast<double>(rows.size());
    for (std::size_t j = 0; j < width; ++j) {
      double sum = 0.0;
      double squares = 0.0;
      for (const std::uint32_t row : rows) {
        sum += values[row * width + j];
        squares += std::pow(values[row * width + j], 2);
      }
      total += squares / n - sum / n * (sum / n);
    }
    return total;
  }
};

Table projected(const std::string& kind, std::size_t size, const OutputColumns& columns,
                const Stream& stream) {
  ProjectionSetting setting{.size = size, .outputs = columns.outputs(), .sparsity = 3.0};
  const auto projection = projection_kind(kind).make(setting, stream, Context{});
  return {project(*projection, columns), size};
}

Table unprojected(const OutputColumns& columns) {
  return projected("identity", columns.outputs(), columns, Stream(0));
}

/// The share of random subsamples, each with a projection of its own, whose variance changes by at most ε.
double share_within(const std::string& kind, std::size_t size, double epsilon, const Dataset& data,
                    const OutputColumns& columns) {
  const Table truth = unprojected(columns);
  int within = 0;
  const int trials = 120;
  for (int trial = 0; trial < trials; ++trial) {
    const Stream stream = Stream(7).at("trial", static_cast<std::uint64_t>(trial));
    const auto rows = draw_without_replacement(40, data.rows(), stream.at("rows"));
    const double expected = truth.variance(rows);
    const double found = projected(kind, size, columns, stream).variance(rows);
    within += std::abs(found - expected) <= epsilon * expected ? 1 : 0;
  }
  return static_cast<double>(within) / trials;
}

void check_promised_share(const std::shared_ptr<const Dataset>& data) {
  if (!data) return;
  const OutputColumns columns{DatasetView(data)};
  for (const std::string kind : {"gaussian", "rademacher", "achlioptas"}) {
    CAPTURE(kind);
    CAPTURE(data->name());
    const std::size_t q = 64;
    const double epsilon = 0.4;
    // The bound that proves the lemma: a squared length leaves [1 - ε, 1 + ε] with at most this probability.
    const double promised = 1.0 - 2.0 * std::exp(-64.0 * (std::pow(epsilon, 2) - std::pow(epsilon, 3)) / 4.0);
    REQUIRE(promised > 0.5);
    const double share = share_within(kind, q, epsilon, *data, columns);
    CHECK(share >= promised);
    CHECK(share_within(kind, 1, epsilon, *data, columns) < share);
  }
}

/// Where all distances are kept up to ε, so is the variance of every subsample; returns in how many
/// projections they were.
int check_theorem(const std::shared_ptr<const Dataset>& data) {
  const OutputColumns columns{DatasetView(data)};
  const Table truth = unprojected(columns);
  int kept = 0;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const Stream stream = Stream(11).at("trial", trial);
    const auto rows = draw_without_replacement(20, data->rows(), stream.at("rows"));
    // q ≥ 8 ln(n) / ε² for n = 20 and ε = 0.6.
    const Table image = projected("gaussian", 67, columns, stream);
    double epsilon = 0.0;
    for (const std::uint32_t a : rows)
      for (const std::uint32_t b : rows)
        if (truth.squared_distance(a, b) > 0.0)
          epsilon =
              std::max(epsilon, std::abs(image.squared_distance(a, b) / truth.squared_distance(a, b) - 1.0));
    kept += epsilon <= 0.6 ? 1 : 0;
    for (std::size_t size = 2; size <= rows.size(); ++size) {
      const auto part = std::span(rows).first(size);
      CHECK(std::abs(image.variance(part) - truth.variance(part)) <= epsilon * truth.variance(part) + 1e-9);
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("the variance of projected label sets is within epsilon for the promised share of subsamples") {
  check_promised_share(small_dataset(Task::multilabel, {.rows = 150, .outputs = 40}));
  check_promised_share(real_dataset("yeast"));
  check_promised_share(real_dataset("emotions"));
}

TEST_CASE("theorem 1: kept distances keep the variance of every subsample") {
  CHECK(check_theorem(small_dataset(Task::multilabel, {.rows = 150, .outputs = 40})) >= 10);
  if (const auto data = real_dataset("yeast")) CHECK(check_theorem(data) >= 10);
}

#include "core/path/lasso.h"

#include <cmath>

#include <doctest/doctest.h>

#include "tests/algorithms/small_data.h"
#include "tests/core/path/dense_design.h"
#include "tests/core/path/hand_trees.h"
#include "tests/core/path/small_forest.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// What scikit-learn 1.2.1 gives: lasso_path, and MultiTaskLasso for two outputs, on the same indicators with
/// penalties λ_max·1000^(-k/99), tol=1e-14. Weights of nodes that say the same of all rows are not unique;
/// what is fitted and the sum of the weights is. Printed by golden/make_lasso_golden.py.
struct Golden {
  IndicatorScale scale;
  std::size_t knot;
  double length;
  std::vector<double> fitted;
};

void check_golden(const Golden& golden, std::size_t outputs) {
  const DatasetView rows(twelve_rows());
  const NodeIndicators indicators(two_trees(), rows, {}, {});
  LassoOptions options;
  options.scale = golden.scale;
  options.length = 1e9;
  options.shared = outputs > 1;
  options.tolerance = 1e-14;
  const NodePath path = lasso_path(indicators, regression_targets(rows, outputs), options, {});
  REQUIRE(path.knots() > golden.knot);
  CHECK(path.lengths[golden.knot] == doctest::Approx(golden.length).epsilon(1e-7));
  PathScores scores(path, indicators);
  const auto fitted = scores.at(path.lengths[golden.knot]);
  REQUIRE(fitted.size() == golden.fitted.size());
  for (std::size_t i = 0; i < fitted.size(); ++i) CHECK(std::abs(fitted[i] - golden.fitted[i]) < 1e-6);
}

}  // namespace

TEST_CASE("the Lasso path is that of scikit-learn") {
  check_golden({IndicatorScale::centred,
                10,
                1.5073911599322876,
                {0.7544892259, 0.7544892259, 0.7544892259, 0.7544892259, 1.085387071, 0.4556344772,
                 1.085387071, 0.1174301676, 0.7471827614, 0.1174301676, 0.4556344772, 1.617956903}},
               1);
  check_golden({IndicatorScale::centred,
                60,
                5.205023619347041,
                {1.0, 1.095609565, 1.0, 1.095609565, 1.113658509, 0.3726829814, 1.113658509, -1.013902112,
                 1.836585093, -1.013902112, -0.6639021118, 2.763902112}},
               1);
  check_golden({IndicatorScale::standardised,
                30,
                1.4370256088897444,
                {0.9444470041, 0.9444470041, 0.9444470041, 0.9444470041, 1.107054369, 0.5663962851,
                 1.107054369, -0.7216990637, 1.485105088, -0.7216990637, -0.4441843016, 2.544184302}},
               1);
  check_golden({IndicatorScale::standardised,
                99,
                1.889722434281306,
                {1.00058795, 1.100305434, 1.00058795, 1.100305434, 1.10266295, 0.3961382317, 1.10266295,
                 -1.04733705, 1.8914232, -1.04733705, -0.697925, 2.797925}},
               1);
}

TEST_CASE("a shared penalty is that of scikit-learn's multi-task Lasso") {
  check_golden({IndicatorScale::centred,
                30,
                11.564983846752517,
                {0.9462410055,  -0.03960597432, 1.107954118,   0.9133901476, 0.9462410055, -0.03960597432,
                 1.107954118,   0.9133901476,   1.085215615,   0.8948523643, 0.3405492904, -0.9551566566,
                 1.085215615,   0.8948523643,   -0.8753395604, 1.012802758,  1.658569636,  -0.3637719046,
                 -0.8753395604, 1.012802758,    -0.4076039595, 0.5380438256, 2.580342676,  0.01800614375}},
               2);
  check_golden({IndicatorScale::standardised,
                60,
                5.618453074195721,
                {0.9945637022, -0.0452164031, 1.100475059,   0.9866717259, 0.9945637022, -0.0452164031,
                 1.100475059,  0.9866717259,  1.101877418,   1.103771736,  0.3956532982, -1.242427196,
                 1.101877418,  1.103771736,   -1.026397512,  1.128914461,  1.854408456,  -0.7268643006,
                 -1.026397512, 1.128914461,   -0.6677738453, 0.5065617116, 2.776674757,  -0.08555325503}},
               2);
}

TEST_CASE("between two knots the Lasso path is linear") {
  const DatasetView rows(twelve_rows());
  const NodeIndicators indicators(two_trees(), rows, {}, {});
  LassoOptions options;
  options.length = 3.0;
  const NodePath path = lasso_path(indicators, regression_targets(rows, 1), options, {});
  CHECK(path.lengths.back() >= 3.0);
  CHECK(path.lengths[path.knots() - 2] < 3.0);
  PathScores scores(path, indicators);
  const auto before = scores.at(path.lengths[5]);
  const std::vector<double> low(before.begin(), before.end());
  const double middle = 0.5 * (path.lengths[5] + path.lengths[6]);
  const auto at = scores.at(middle);
  const std::vector<double> between(at.begin(), at.end());
  const auto after = scores.at(path.lengths[6]);
  for (std::size_t i = 0; i < low.size(); ++i)
    CHECK(between[i] == doctest::Approx(0.5 * (low[i] + after[i])));
}

TEST_CASE("on a forest with far more nodes than rows every knot is where the gradients say") {
  const auto data = small_dataset(Task::regression, {.rows = 60, .outputs = 1});
  const DatasetView rows(data);
  const TreeSet trees = small_forest(rows, "12");
  const NodeIndicators indicators(trees, rows, {}, {});
  auto columns = dense_design(trees, rows);
  std::vector<double> outputs = regression_targets(rows, 1).column(0);
  std::vector<double> scaled = outputs;
  standardise(scaled, true);
  double mean = 0.0;
  for (const double value : outputs) mean += value / 60.0;
  const double deviation = (outputs[0] - mean) / scaled[0];
  for (const IndicatorScale scale : {IndicatorScale::centred, IndicatorScale::standardised}) {
    for (auto& column : columns) standardise(column, scale == IndicatorScale::standardised);
    LassoOptions options;
    options.scale = scale;
    options.length = 1e9;
    const NodePath path = lasso_path(indicators, regression_targets(rows, 1), options, {});
    REQUIRE(path.knots() > 80);
    PathScores scores(path, indicators);
    double first = 0.0;
    std::size_t weighted = 0;
    for (std::size_t knot = 0; knot < path.knots(); ++knot) {
      CAPTURE(knot);
      const auto fitted = scores.at(path.lengths[knot]);
      std::vector<double> products(columns.size(), 0.0);
      for (std::size_t node = 0; node < columns.size(); ++node)
        for (std::size_t i = 0; i < 60; ++i)
          products[node] += columns[node][i] * (scaled[i] - (fitted[i] - mean) / deviation) / 60.0;
      double largest = 0.0;
      for (const double product : products) largest = std::max(largest, std::abs(product));
      if (knot == 0) first = largest;
      const double penalty = first * std::pow(1e-3, static_cast<double>(knot) / 99.0);
      REQUIRE(largest == doctest::Approx(penalty).epsilon(1e-3));
      for (const auto& weight : path.weights_at({knot, 0.0})) {
        if (std::abs(weight.weight) < 1e-6) continue;
        REQUIRE(products[weight.node] * (weight.weight > 0.0 ? 1.0 : -1.0) ==
                doctest::Approx(penalty).epsilon(1e-2));
        ++weighted;
      }
    }
    CHECK(weighted > 1000);
  }
}

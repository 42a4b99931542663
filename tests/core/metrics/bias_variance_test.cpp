#include "core/metrics/bias_variance.h"

#include <cmath>

#include <doctest/doctest.h>

#include "core/base/random.h"

namespace {

using namespace coppice;

/// Models whose parts are known: truth + bias + effects of the learning set, the projection and the seed.
std::map<std::string, double> simulate(std::size_t sets, std::size_t projections, std::size_t seeds,
                                       std::uint64_t seed) {
  const std::size_t points = 40;
  const std::size_t outputs = 3;
  Stream stream(seed);
  std::vector<double> truth(points * outputs);
  std::vector<double> observed(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    truth[i] = 10.0 * stream.normal();
    observed[i] = truth[i] + 0.5 * stream.normal();
  }
  const auto effect = [&](double deviation) {
    std::vector<double> values(truth.size());
    for (double& value : values) value = deviation * stream.normal();
    return values;
  };
  BiasVariance parts(points, outputs, sets, projections, seeds);
  for (std::size_t l = 0; l < sets; ++l) {
    const auto of_set = effect(2.0);
    for (std::size_t p = 0; p < projections; ++p) {
      const auto of_projection = effect(1.5);
      for (std::size_t a = 0; a < seeds; ++a) {
        auto prediction = effect(1.0);
        for (std::size_t i = 0; i < truth.size(); ++i)
          prediction[i] += truth[i] + 0.7 + of_set[i] + of_projection[i];
        parts.add(l, prediction);
      }
    }
  }
  return parts.parts(observed, truth);
}

}  // namespace

TEST_CASE("bias and the three parts of the variance come out as they were put in") {
  const auto parts = simulate(40, 4, 3, 1);
  // Three outputs each; the tolerance is about four standard errors of such an experiment.
  CHECK(parts.at("variance-algorithm") == doctest::Approx(3.0 * 1.0).epsilon(0.05));
  CHECK(parts.at("variance-projection") == doctest::Approx(3.0 * 2.25).epsilon(0.08));
  CHECK(parts.at("variance-learning-set") == doctest::Approx(3.0 * 4.0).epsilon(0.12));
  CHECK(parts.at("squared-bias") == doctest::Approx(3.0 * 0.49).epsilon(0.35));
  CHECK(parts.at("residual-error") == doctest::Approx(3.0 * 0.25).epsilon(0.4));
  CHECK(parts.at("variance") ==
        doctest::Approx(parts.at("variance-learning-set") + parts.at("variance-projection") +
                        parts.at("variance-algorithm")));
  CHECK(parts.at("expected-error") ==
        doctest::Approx(parts.at("residual-error") + parts.at("squared-bias") + parts.at("variance")));
}

TEST_CASE("few learning sets do not bias the parts") {
  std::map<std::string, double> mean;
  const int runs = 150;
  for (int run = 0; run < runs; ++run)
    for (const auto& [name, value] : simulate(3, 2, 2, 100 + static_cast<std::uint64_t>(run)))
      mean[name] += value / runs;
  CHECK(mean.at("variance-algorithm") == doctest::Approx(3.0).epsilon(0.03));
  CHECK(mean.at("variance-projection") == doctest::Approx(6.75).epsilon(0.05));
  CHECK(mean.at("variance-learning-set") == doctest::Approx(12.0).epsilon(0.06));
  CHECK(mean.at("squared-bias") == doctest::Approx(1.47).epsilon(0.25));
}

TEST_CASE("a single projection and a single seed leave everything to the learning set") {
  const auto parts = simulate(60, 1, 1, 3);
  CHECK(parts.at("variance-algorithm") == 0.0);
  CHECK(parts.at("variance-projection") == 0.0);
  CHECK(parts.at("variance-learning-set") == doctest::Approx(3.0 * (4.0 + 2.25 + 1.0)).epsilon(0.1));
}

TEST_CASE("without the noise-free truth the squared bias contains the noise") {
  BiasVariance parts(2, 1, 2, 1, 1);
  parts.add(0, std::vector<double>{1.0, 2.0});
  parts.add(1, std::vector<double>{3.0, 2.0});
  const auto found = parts.parts(std::vector<double>{0.0, 2.0}, std::nullopt);
  CHECK(found.at("residual-error") == 0.0);
  // The mean is 2, the variance of two values 1 and 3 is 2: half of it belongs to the mean of two.
  CHECK(found.at("variance") == doctest::Approx(1.0));
  CHECK(found.at("squared-bias") == doctest::Approx((4.0 - 1.0) / 2.0));
}

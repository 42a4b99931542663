#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"

namespace coppice {

/// A paired t-test of the hypothesis that the mean difference is zero, two-sided.
struct PairedTTest {
  std::size_t pairs = 0;
  double mean_difference = 0;
  double deviation = 0;  ///< of the differences
  double t = 0;
  double p = 1;
  double cohen_d = 0;  ///< mean over deviation of the differences; infinite where they are all the same
};

/// At least two pairs. `test_to_train` is 0 for Student's test, which takes the pairs as independent. Where
/// they come from resampled splits of one dataset they are not, as training parts overlap: the size of the
/// test part over that of the training part then corrects the variance (Nadeau and Bengio 2003).
PairedTTest paired_t_test(std::span<const double> first, std::span<const double> second,
                          double test_to_train = 0.0);

/// Holm's step-down adjustment (Holm 1979): reject where the adjusted value is at most alpha.
std::vector<double> holm_adjusted(std::span<const double> probabilities);

/// The Bayesian signed-rank test (Benavoli et al. 2014, 2017): how probable it is that the first algorithm is
/// practically better, that both are practically equal, and that the second is better, on a further dataset.
struct BayesianSignedRank {
  double rope = 0;
  double first_better = 0;
  double equal = 0;
  double second_better = 0;
};

/// Differences up to `rope` mean nothing in practice. The posterior is a Dirichlet process with prior
/// strength 0.5 placed on a difference of zero, sampled 50,000 times. `higher_is_better` says which sign is
/// better.
BayesianSignedRank bayesian_signed_rank(std::span<const double> first, std::span<const double> second,
                                        double rope, bool higher_is_better, Stream stream);

}  // namespace coppice

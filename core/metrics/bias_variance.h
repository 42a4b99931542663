#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Decomposes the mean squared error of a learning algorithm (thesis 4.1, 5.2; Joly et al. 2014, 3.3) from
/// the predictions of models that were fitted on several learning sets, with several projections of the
/// outputs on each, and with several seeds of the algorithm for each projection. Values are sums over the
/// outputs, means over the points.
///
/// The parts are those of a nested analysis of variance and free of bias: the variance over seeds is taken
/// out of what the means of projections show, and so on upwards. An estimate of a part that is small can
/// therefore come out below zero.
class BiasVariance {
 public:
  /// `points` predictions of `outputs` values each.
  BiasVariance(std::size_t points, std::size_t outputs, std::size_t learning_sets, std::size_t projections,
               std::size_t seeds);

  /// The predictions of one model, point by point. Models of different learning sets may come from different
  /// threads; those of one learning set come one after another, the seeds of a projection together.
  void add(std::size_t learning_set, std::span<const double> predictions);

  /// The parts by the names of their metrics, from what the points are (`observed`) and, where it is known,
  /// what they would be without noise. Where it is not, the squared bias contains the noise.
  std::map<std::string, double> parts(std::span<const double> observed,
                                      std::optional<std::span<const double>> noise_free) const;

 private:
  /// What the models of one learning set say.
  struct LearningSet {
    std::size_t models = 0;
    std::vector<double> seed_sum;      ///< over the seeds of the projection at hand
    std::vector<double> seed_squares;  ///< likewise of the squares, less the first model's predictions
    std::vector<double> first;         ///< predictions of the first model: sums are taken around them
    std::vector<double> mean_sum;      ///< over projections, of the mean over seeds
    std::vector<double> mean_squares;  ///< likewise of the squares
    double seed_variance = 0.0;        ///< over projections, of the variance over seeds
  };
  void close_projection(LearningSet& set) const;

  std::size_t points_;
  std::size_t outputs_;
  std::size_t projections_;
  std::size_t seeds_;
  std::vector<LearningSet> sets_;
};

}  // namespace coppice

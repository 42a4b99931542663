#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/data/sparse_rows.h"

namespace coppice {

/// Linear models of the same rows for one target after another: coefficients that minimise the squared error
/// plus `penalty` times their squares; the intercept is free. What does not depend on the target is computed
/// once: a factorisation of as many rows and columns as there are features, or rows if those are fewer.
class WeakRidge {
 public:
  /// Throws Error(fit) if both are too many.
  WeakRidge(SparseRows inputs, std::size_t features, double penalty);
  ~WeakRidge();
  WeakRidge(const WeakRidge&) = delete;
  WeakRidge& operator=(const WeakRidge&) = delete;

  /// The intercept, then a coefficient for each feature.
  std::vector<double> fit(std::span<const double> targets) const;
  /// What a linear model says of each row.
  std::vector<double> values(std::span<const double> coefficients) const;

 private:
  struct Factors;
  SparseRows inputs_;
  std::unique_ptr<Factors> factors_;
};

/// The value of a linear model: its intercept, then a coefficient for each feature.
double linear_value(std::span<const double> coefficients, const SparseRow& row);

}  // namespace coppice

#include "algorithms/boosting/weak_ridge.h"

#include <algorithm>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

/// X is centred in theory only: with m the means of the columns, (X - 1m')'(X - 1m') = X'X - n·mm', and
/// (X - 1m')(X - 1m')' = XX' less what its rows and columns have in common.
struct WeakRidge::Factors {
  bool by_rows = false;  ///< whether it is XX' that was factorised
  Eigen::VectorXd means;
  Eigen::LLT<Eigen::MatrixXd> decomposition;
};

namespace {

constexpr std::size_t most_factorised = 8192;

/// (X - 1m') v for a vector over features.
Eigen::VectorXd centred_product(const SparseRows& inputs, const Eigen::VectorXd& means,
                                const Eigen::VectorXd& v) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(inputs.rows()));
  const double offset = means.dot(v);
  for (std::size_t i = 0; i < inputs.rows(); ++i) {
    double sum = -offset;
    const SparseRow row = inputs[i];
    for (std::size_t e = 0; e < row.size(); ++e)
      sum += static_cast<double>(row.values[e]) * v[static_cast<Eigen::Index>(row.columns[e])];
    result[static_cast<Eigen::Index>(i)] = sum;
  }
  return result;
}

/// (X - 1m')' u for a vector over rows.
Eigen::VectorXd centred_transposed(const SparseRows& inputs, const Eigen::VectorXd& means,
                                   const Eigen::VectorXd& u) {
  Eigen::VectorXd result = -u.sum() * means;
  for (std::size_t i = 0; i < inputs.rows(); ++i) {
    const SparseRow row = inputs[i];
    for (std::size_t e = 0; e < row.size(); ++e)
      result[static_cast<Eigen::Index>(row.columns[e])] +=
          static_cast<double>(row.values[e]) * u[static_cast<Eigen::Index>(i)];
  }
  return result;
}

}  // namespace

WeakRidge::WeakRidge(SparseRows inputs, std::size_t features, double penalty)
    : inputs_(std::move(inputs)), factors_(std::make_unique<Factors>()) {
  const std::size_t rows = inputs_.rows();
  const std::size_t size = std::min(rows, features);
  if (size > most_factorised)
    throw Error(ErrorKind::fit,
                fmt::format("weak: ridge needs at most {} rows or features, and here are {} and {}; use "
                            "weak: decision-tree",
                            most_factorised, rows, features));
  const auto p = static_cast<Eigen::Index>(features);
  const auto n = static_cast<Eigen::Index>(rows);
  factors_->by_rows = rows < features;
  factors_->means = Eigen::VectorXd::Zero(p);
  for (std::size_t i = 0; i < rows; ++i) {
    const SparseRow row = inputs_[i];
    for (std::size_t e = 0; e < row.size(); ++e)
      factors_->means[static_cast<Eigen::Index>(row.columns[e])] +=
          static_cast<double>(row.values[e]) / static_cast<double>(rows);
  }
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(factors_->by_rows ? n : p, factors_->by_rows ? n : p);
  if (factors_->by_rows) {
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::VectorXd row = -factors_->means;
      const SparseRow listed = inputs_[static_cast<std::size_t>(i)];
      for (std::size_t e = 0; e < listed.size(); ++e)
        row[static_cast<Eigen::Index>(listed.columns[e])] += static_cast<double>(listed.values[e]);
      gram.col(i) = centred_product(inputs_, factors_->means, row);
    }
  } else {
    gram = -static_cast<double>(rows) * (factors_->means * factors_->means.transpose());
    for (std::size_t i = 0; i < rows; ++i) {
      const SparseRow row = inputs_[i];
      for (std::size_t a = 0; a < row.size(); ++a)
        for (std::size_t b = 0; b < row.size(); ++b)
          gram(static_cast<Eigen::Index>(row.columns[a]), static_cast<Eigen::Index>(row.columns[b])) +=
              static_cast<double>(row.values[a]) * static_cast<double>(row.values[b]);
    }
  }
  gram.diagonal().array() += penalty;
  factors_->decomposition.compute(gram);
  if (factors_->decomposition.info() != Eigen::Success)
    throw Error(ErrorKind::fit,
                "weak: ridge cannot be solved on these inputs, whose columns depend on each other; use a "
                "larger penalty");
}

WeakRidge::~WeakRidge() = default;

std::vector<double> WeakRidge::fit(std::span<const double> targets) const {
  const auto n = static_cast<Eigen::Index>(targets.size());
  Eigen::VectorXd centred(n);
  double mean = 0.0;
  for (const double target : targets) mean += target / static_cast<double>(n);
  for (Eigen::Index i = 0; i < n; ++i) centred[i] = targets[static_cast<std::size_t>(i)] - mean;
  Eigen::VectorXd solved;
  if (factors_->by_rows)
    solved = centred_transposed(inputs_, factors_->means, factors_->decomposition.solve(centred));
  else
    solved = factors_->decomposition.solve(centred_transposed(inputs_, factors_->means, centred));
  std::vector<double> coefficients{mean - factors_->means.dot(solved)};
  coefficients.insert(coefficients.end(), solved.data(), solved.data() + solved.size());
  return coefficients;
}

std::vector<double> WeakRidge::values(std::span<const double> coefficients) const {
  std::vector<double> told(inputs_.rows());
  for (std::size_t i = 0; i < told.size(); ++i) told[i] = linear_value(coefficients, inputs_[i]);
  return told;
}

double linear_value(std::span<const double> coefficients, const SparseRow& row) {
  double sum = coefficients[0];
  for (std::size_t e = 0; e < row.size(); ++e)
    sum += static_cast<double>(row.values[e]) * coefficients[1 + row.columns[e]];
  return sum;
}

}  // namespace coppice

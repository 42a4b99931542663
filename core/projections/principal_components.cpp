#include "core/projections/principal_components.h"

#include <algorithm>

#include <Eigen/Dense>
#include <Spectra/SymEigsSolver.h>

#include "core/base/error.h"
#include "core/projections/output_columns.h"

namespace coppice {

namespace {

/// Up to so many outputs the covariance is formed and decomposed as a whole.
constexpr std::size_t small = 256;

/// Products with the covariance of the training outputs: Cv = Y'(Yv)/n - μ(μ'v), in as many steps as there
/// are labels.
class Covariance {
 public:
  using Scalar = double;

  explicit Covariance(const OutputColumns& outputs)
      : outputs_(&outputs), mean_(Eigen::VectorXd::Zero(rows())), scores_(outputs.dataset_rows(), 0.0) {
    for (std::uint32_t output = 0; output < outputs.outputs(); ++output) {
      double sum = 0.0;
      for_each(output, [&](std::uint32_t, double value) { sum += value; });
      mean_[output] = sum / row_count();
    }
  }

  Eigen::Index rows() const { return static_cast<Eigen::Index>(outputs_->outputs()); }
  Eigen::Index cols() const { return rows(); }

  // The name is Spectra's.
  void perform_op(const double* in, double* out) const {
    std::fill(scores_.begin(), scores_.end(), 0.0);
    double along_mean = 0.0;
    for (std::uint32_t output = 0; output < outputs_->outputs(); ++output) {
      along_mean += mean_[output] * in[output];
      for_each(output, [&](std::uint32_t row, double value) { scores_[row] += value * in[output]; });
    }
    for (std::uint32_t output = 0; output < outputs_->outputs(); ++output) {
      double sum = 0.0;
      for_each(output, [&](std::uint32_t row, double value) { sum += value * scores_[row]; });
      out[output] = sum / row_count() - mean_[output] * along_mean;
    }
  }

 private:
  double row_count() const { return static_cast<double>(outputs_->rows().size()); }
  template <typename Visit>
  void for_each(std::uint32_t output, const Visit& visit) const {
    if (outputs_->has_labels()) {
      for (const std::uint32_t row : outputs_->rows_of(output)) visit(row, 1.0);
      return;
    }
    for (const std::uint32_t row : outputs_->rows())
      visit(row, outputs_->values()[row * outputs_->outputs() + output]);
  }

  const OutputColumns* outputs_;
  Eigen::VectorXd mean_;
  mutable std::vector<double> scores_;
};

/// The eigenvectors of the q largest eigenvalues as columns, the largest first.
Eigen::MatrixXd directions(const Covariance& covariance, std::size_t q) {
  const Eigen::Index d = covariance.rows();
  const auto wanted = static_cast<Eigen::Index>(q);
  if (static_cast<std::size_t>(d) <= small || wanted >= d - 1) {
    Eigen::MatrixXd matrix(d, d);
    for (Eigen::Index j = 0; j < d; ++j) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(d, j);
      covariance.perform_op(unit.data(), matrix.col(j).data());
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((matrix + matrix.transpose()) / 2.0);
    return solver.eigenvectors().rightCols(wanted).rowwise().reverse();
  }
  const Eigen::Index space = std::min<Eigen::Index>(d, std::max<Eigen::Index>(2 * wanted + 1, 20));
  Covariance operation = covariance;
  Spectra::SymEigsSolver<Covariance> solver(operation, wanted, space);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-10);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw Error(ErrorKind::fit,
                "pca: the eigenvalues of the outputs' covariance did not converge; use another "
                "projection or a smaller size");
  return solver.eigenvectors();
}

class PrincipalComponents : public Projection {
 public:
  PrincipalComponents(const ProjectionSetting& setting, Eigen::MatrixXd directions)
      : Projection(setting.size, setting.outputs), directions_(std::move(directions)) {
    for (Eigen::Index c = 0; c < directions_.cols(); ++c) {
      Eigen::Index largest = 0;
      directions_.col(c).cwiseAbs().maxCoeff(&largest);
      if (directions_(largest, c) < 0.0) directions_.col(c) *= -1.0;
    }
  }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = true;
    column.values.resize(size());
    for (std::size_t c = 0; c < size(); ++c)
      column.values[c] = directions_(static_cast<Eigen::Index>(output), static_cast<Eigen::Index>(c));
  }

 private:
  Eigen::MatrixXd directions_;  ///< d × q: what learning left; there is no other place it could come from
};

}  // namespace

std::unique_ptr<Projection> principal_components(const ProjectionSetting& setting, const Context& context) {
  context.check_stop();
  return std::make_unique<PrincipalComponents>(setting,
                                               directions(Covariance(*setting.learned), setting.size));
}

}  // namespace coppice

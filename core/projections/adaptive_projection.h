#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/projections/projection.h"

namespace coppice {

/// What is known of the negative gradients G of a boosted model, n rows × d outputs, between two steps.
struct ResidualMoments {
  std::vector<double> squares;        ///< Σ g² over the rows, for each output
  std::vector<double> first_squares;  ///< the same before the first step
  /// result = G'(G v)
  std::function<void(std::span<const double> v, std::span<double> result)> product;
};

/// A projection that follows the residuals from step to step.
struct AdaptiveProjectionDescription {
  std::string name;
  std::string summary;
  std::string reference;
  bool needs_product = false;  ///< reads ResidualMoments::product
};

const std::vector<AdaptiveProjectionDescription>& adaptive_projections();
bool is_adaptive_projection(const std::string& name);
/// Why there is no such projection; empty if there is.
std::string adaptive_projection_problem(const std::string& name, const ProjectionSetting& setting);
std::unique_ptr<Projection> make_adaptive_projection(const std::string& name,
                                                     const ProjectionSetting& setting,
                                                     const ResidualMoments& residuals, const Stream& stream);

}  // namespace coppice

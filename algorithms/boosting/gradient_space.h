#pragma once

#include <string>
#include <vector>

#include "algorithms/boosting/training_scores.h"
#include "algorithms/boosting/weak_tree.h"
#include "core/base/context.h"
#include "core/projections/projection.h"

namespace coppice {

/// The negative gradients of all outputs as targets of a weak model: as they are, or projected anew in each
/// step.
class GradientSpace {
 public:
  /// `projection` names a kind; empty: gradients as they are.
  GradientSpace(const DatasetView& train, const TrainingScores& scores, const std::string& projection,
                const ProjectionSetting& setting, const Context& context);
  ~GradientSpace();
  GradientSpace(const GradientSpace&) = delete;
  GradientSpace& operator=(const GradientSpace&) = delete;

  /// The targets of all rows at the present scores; valid until those change.
  TargetColumns targets(const Stream& stream, const Context& context);

 private:
  std::unique_ptr<Projection> projection(const Stream& stream, const Context& context);
  std::vector<double> squares(const Context& context) const;
  /// Calls visit(output, gradients) for every output that `wanted` has, on blocks of rows in parallel.
  template <typename Wanted, typename Visit>
  void each_block(const Wanted& wanted, const Visit& visit, const Context& context) const;

  const TrainingScores* scores_;
  std::string projection_;
  ProjectionSetting setting_;
  std::vector<double> projected_;           ///< one component after another
  std::unique_ptr<OutputColumns> learned_;  ///< what learning projections look at
  std::vector<double> first_squares_;       ///< of an adaptive projection
};

}  // namespace coppice

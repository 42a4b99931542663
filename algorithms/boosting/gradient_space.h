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

  /// The targets of all rows at the present scores; valid until those change. `stream` is that of the step.
  TargetColumns targets(const Stream& stream, const Context& context);

  /// Before scores change for the last time in a step: what moves an output's scores may then add its
  /// gradients to the next step's projection while they are in the cache. Outputs come in groups, which may
  /// be worked on at the same time.
  void begin_ahead(const Stream& next, const Context& context);
  void add_ahead(std::size_t output);
  /// The outputs of a group: few enough to share work, enough for few sums.
  std::size_t outputs_of_group() const { return outputs_of_group_; }

 private:
  std::unique_ptr<Projection> projection(const Stream& stream, const Context& context);
  std::vector<ProjectionColumn> columns(const Stream& stream, const Context& context);
  void begin_groups(const std::vector<ProjectionColumn>& columns);
  void finish_groups(const Context& context);
  void project_all(const std::vector<ProjectionColumn>& columns, const Context& context);
  std::vector<double> squares(const Context& context) const;
  /// Calls visit(output, gradients) for every output that `wanted` has, on blocks of rows in parallel.
  template <typename Wanted, typename Visit>
  void each_block(const Wanted& wanted, const Visit& visit, const Context& context) const;

  const TrainingScores* scores_;
  std::string projection_;
  ProjectionSetting setting_;
  std::vector<double> projected_;  ///< one component after another
  std::size_t outputs_of_group_ = 1;
  std::vector<double> factors_;             ///< one component: that of each output…
  std::vector<double> group_sums_;          ///< …and the part of each group of outputs
  bool ahead_ = false;                      ///< the parts are those of the step to come
  std::unique_ptr<OutputColumns> learned_;  ///< what learning projections look at
  std::vector<double> first_squares_;       ///< of an adaptive projection
};

}  // namespace coppice

#include "algorithms/boosting/gradient_space.h"

#include <algorithm>
#include <numeric>

#include "core/projections/adaptive_projection.h"
#include "core/projections/output_columns.h"

namespace coppice {

namespace {

/// Rows whose gradients are computed at a time: an output's part stays in the first cache.
constexpr std::size_t block_rows = 2048;

}  // namespace

GradientSpace::GradientSpace(const DatasetView& train, const TrainingScores& scores,
                             const std::string& projection, const ProjectionSetting& setting,
                             const Context& context)
    : scores_(&scores),
      projection_(projection),
      setting_(setting),
      outputs_of_group_(std::clamp<std::size_t>(scores.outputs() / 16, 1, 16)) {
  if (projection_.empty()) return;
  if (is_adaptive_projection(projection_)) {
    first_squares_ = squares(context);
  } else if (projection_kind(projection_).description().learns) {
    learned_ = std::make_unique<OutputColumns>(train);
    setting_.learned = learned_.get();
  }
}

GradientSpace::~GradientSpace() = default;

template <typename Wanted, typename Visit>
void GradientSpace::each_block(const Wanted& wanted, const Visit& visit, const Context& context) const {
  const std::size_t rows = scores_->rows();
  parallel_for(context, (rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    std::vector<double> gradients(std::min(block_rows, rows - first));
    for (std::size_t output = 0; output < scores_->outputs(); ++output) {
      if (!wanted(output)) continue;
      scores_->gradients(output, first, gradients);
      visit(output, first, std::span<const double>(gradients));
    }
  });
}

std::vector<double> GradientSpace::squares(const Context& context) const {
  std::vector<double> sums(scores_->outputs());
  parallel_for(context, sums.size(), [&](std::size_t output) {
    std::vector<double> gradients(scores_->rows());
    scores_->gradients(output, 0, gradients);
    sums[output] = std::inner_product(gradients.begin(), gradients.end(), gradients.begin(), 0.0);
  });
  return sums;
}

std::unique_ptr<Projection> GradientSpace::projection(const Stream& stream, const Context& context) {
  if (!is_adaptive_projection(projection_))
    return projection_kind(projection_).make(setting_, stream, context);
  ResidualMoments residuals;
  residuals.squares = squares(context);
  residuals.first_squares = first_squares_;
  residuals.product = [&](std::span<const double> v, std::span<double> result) {
    std::vector<double> along(scores_->rows(), 0.0);
    each_block([](std::size_t) { return true; },
               [&](std::size_t output, std::size_t first, std::span<const double> gradients) {
                 for (std::size_t i = 0; i < gradients.size(); ++i)
                   along[first + i] += v[output] * gradients[i];
               },
               context);
    parallel_for(context, scores_->outputs(), [&](std::size_t output) {
      std::vector<double> gradients(scores_->rows());
      scores_->gradients(output, 0, gradients);
      result[output] = std::inner_product(gradients.begin(), gradients.end(), along.begin(), 0.0);
    });
  };
  return make_adaptive_projection(projection_, setting_, residuals, stream);
}

std::vector<ProjectionColumn> GradientSpace::columns(const Stream& stream, const Context& context) {
  const auto matrix = projection(stream, context);
  std::vector<ProjectionColumn> columns(scores_->outputs());
  for (std::uint32_t output = 0; output < columns.size(); ++output) matrix->column(output, columns[output]);
  return columns;
}

void GradientSpace::begin_groups(const std::vector<ProjectionColumn>& columns) {
  const std::size_t groups = (columns.size() + outputs_of_group_ - 1) / outputs_of_group_;
  group_sums_.assign(groups * scores_->rows(), 0.0);
  factors_.assign(columns.size(), 0.0);
  for (std::size_t output = 0; output < columns.size(); ++output)
    if (!columns[output].values.empty()) factors_[output] = columns[output].values[0];
}

void GradientSpace::begin_ahead(const Stream& next, const Context& context) {
  // Adaptive projections need the gradients before they can be made.
  ahead_ = setting_.size == 1 && !projection_.empty() && !is_adaptive_projection(projection_);
  if (ahead_) begin_groups(columns(next, context));
}

void GradientSpace::add_ahead(std::size_t output) {
  if (!ahead_ || factors_[output] == 0.0) return;
  const std::size_t group = output / outputs_of_group_;
  scores_->add_gradients(output, factors_[output],
                         std::span(group_sums_).subspan(group * scores_->rows(), scores_->rows()));
}

void GradientSpace::finish_groups(const Context& context) {
  const std::size_t rows = scores_->rows();
  projected_.assign(rows, 0.0);
  parallel_blocks(context, rows, block_rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t begin = 0; begin < group_sums_.size(); begin += rows)
      for (std::size_t i = first; i < last; ++i) projected_[i] += group_sums_[begin + i];
  });
  ahead_ = false;
}

TargetColumns GradientSpace::targets(const Stream& stream, const Context& context) {
  if (projection_.empty())
    return {scores_->outputs(),
            [this](std::size_t output, std::span<double> values) { scores_->gradients(output, 0, values); }};
  const std::size_t rows = scores_->rows();
  if (setting_.size == 1) {
    if (!ahead_) {
      begin_groups(columns(stream, context));
      ahead_ = true;
      parallel_for(context, group_sums_.size() / rows, [&](std::size_t group) {
        const std::size_t first = group * outputs_of_group_;
        const std::size_t last = std::min(first + outputs_of_group_, scores_->outputs());
        for (std::size_t output = first; output < last; ++output) add_ahead(output);
      });
    }
    finish_groups(context);
  } else {
    project_all(columns(stream, context), context);
  }
  return {setting_.size, [this, rows](std::size_t component, std::span<double> values) {
            std::copy_n(projected_.begin() + static_cast<std::ptrdiff_t>(component * rows), rows,
                        values.begin());
          }};
}

void GradientSpace::project_all(const std::vector<ProjectionColumn>& columns, const Context& context) {
  const std::size_t rows = scores_->rows();
  projected_.assign(rows * setting_.size, 0.0);
  each_block([&](std::size_t output) { return !columns[output].values.empty(); },
             [&](std::size_t output, std::size_t first, std::span<const double> gradients) {
               const ProjectionColumn& column = columns[output];
               for (std::size_t c = 0; c < column.values.size(); ++c) {
                 double* into = projected_.data() + (column.dense ? c : column.components[c]) * rows + first;
                 const double factor = column.values[c];
                 for (std::size_t i = 0; i < gradients.size(); ++i) into[i] += factor * gradients[i];
               }
             },
             context);
}

}  // namespace coppice

#include "core/projections/adaptive_projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

/// A projection with a stored column for each output that matters.
class StoredColumns : public Projection {
 public:
  explicit StoredColumns(const ProjectionSetting& setting) : Projection(setting.size, setting.outputs) {}

  void set(std::uint32_t component, std::uint32_t output, double value) {
    entries_.push_back({output, component, value});
  }
  void sort() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.output != b.output ? a.output < b.output : a.component < b.component;
    });
  }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = false;
    column.components.clear();
    column.values.clear();
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), output,
                                  [](const Entry& a, std::uint32_t wanted) { return a.output < wanted; });
    for (; entry != entries_.end() && entry->output == output; ++entry) {
      column.components.push_back(entry->component);
      column.values.push_back(entry->value);
    }
  }

 private:
  struct Entry {
    std::uint32_t output;
    std::uint32_t component;
    double value;
  };
  std::vector<Entry> entries_;
};

/// Draws components from outputs with given chances, with replacement. Each is scaled so that the projected
/// squares are right on average; `scaled` false leaves them as they are.
void draw_outputs(const std::vector<double>& chances, bool scaled, Stream stream, StoredColumns& projection) {
  const double total = std::accumulate(chances.begin(), chances.end(), 0.0);
  const auto size = static_cast<double>(projection.size());
  for (std::uint32_t c = 0; c < projection.size(); ++c) {
    const double place = stream.uniform() * total;
    double sum = 0.0;
    std::uint32_t drawn = 0;
    std::uint32_t last_possible = 0;
    for (drawn = 0; drawn < chances.size(); ++drawn) {
      if (chances[drawn] > 0.0) last_possible = drawn;
      sum += chances[drawn];
      if (place < sum) break;
    }
    // Rounding may leave the place beyond the sum; without any chance at all one output is as good as
    // another.
    if (drawn == chances.size()) drawn = last_possible;
    const double weight = scaled && total > 0.0 ? std::sqrt(total / (size * chances[drawn])) : 1.0;
    projection.set(c, drawn, weight);
  }
}

void choose_largest(const std::vector<double>& squares, StoredColumns& projection) {
  std::vector<std::uint32_t> order(squares.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return squares[a] > squares[b]; });
  for (std::uint32_t c = 0; c < projection.size(); ++c) projection.set(c, order[c], 1.0);
}

/// Makes the vectors orthonormal, one after another; a vector that nothing is left of becomes 0.
void orthonormalise(std::vector<std::vector<double>>& vectors) {
  for (std::size_t c = 0; c < vectors.size(); ++c) {
    std::vector<double>& mine = vectors[c];
    const auto along = [&](const std::vector<double>& other) {
      return std::inner_product(mine.begin(), mine.end(), other.begin(), 0.0);
    };
    const double before = std::sqrt(along(mine));
    for (std::size_t other = 0; other < c; ++other) {
      const double part = along(vectors[other]);
      for (std::size_t j = 0; j < mine.size(); ++j) mine[j] -= part * vectors[other][j];
    }
    const double length = std::sqrt(along(mine));
    const double scale = length > 1e-12 * before ? 1.0 / length : 0.0;
    for (double& value : mine) value *= scale;
  }
}

/// The leading eigenvectors of G'G by subspace iteration: a few rounds from a random start point well enough
/// along the residuals, and the next step starts anew.
void principal_directions(const ResidualMoments& residuals, Stream stream, StoredColumns& projection) {
  constexpr int rounds = 12;
  const std::size_t d = projection.outputs();
  std::vector<std::vector<double>> vectors(projection.size(), std::vector<double>(d));
  for (auto& vector : vectors)
    for (double& value : vector) value = stream.normal();
  std::vector<double> result(d);
  for (int round = 0; round < rounds; ++round) {
    orthonormalise(vectors);
    for (auto& vector : vectors) {
      residuals.product(vector, result);
      vector = result;
    }
  }
  orthonormalise(vectors);
  for (std::uint32_t c = 0; c < vectors.size(); ++c)
    for (std::uint32_t j = 0; j < d; ++j)
      if (vectors[c][j] != 0.0) projection.set(c, j, vectors[c][j]);
}

}  // namespace

const std::vector<AdaptiveProjectionDescription>& adaptive_projections() {
  static const std::vector<AdaptiveProjectionDescription> all{
      {.name = "unexplained",
       .summary = "Some outputs, drawn in proportion to the part of their variance that is left to explain; "
                  "boosting only.",
       .reference = "thesis 9.2.1"},
      {.name = "residual-pca",
       .summary = "The first principal components of the residuals; boosting only.",
       .reference = "thesis 9.2.1",
       .needs_product = true},
      {.name = "top-outputs",
       .summary = "The outputs with the largest gradients; boosting only.",
       .reference = "Iosipoi and Vakhrushev 2022 (SketchBoost), top outputs"},
      {.name = "gradient-sampling",
       .summary = "Outputs drawn in proportion to their squared gradients, scaled so that products of "
                  "gradients are kept on average; boosting only.",
       .reference = "Iosipoi and Vakhrushev 2022 (SketchBoost), random sampling"},
  };
  return all;
}

bool is_adaptive_projection(const std::string& name) {
  return std::any_of(adaptive_projections().begin(), adaptive_projections().end(),
                     [&](const AdaptiveProjectionDescription& kind) { return kind.name == name; });
}

std::string adaptive_projection_problem(const std::string& name, const ProjectionSetting& setting) {
  if ((name == "top-outputs" || name == "residual-pca") && setting.size > setting.outputs)
    return fmt::format("size: {} gives at most {} components of {} outputs, not {}", name, setting.outputs,
                       setting.outputs, setting.size);
  return "";
}

std::unique_ptr<Projection> make_adaptive_projection(const std::string& name,
                                                     const ProjectionSetting& setting,
                                                     const ResidualMoments& residuals, const Stream& stream) {
  if (const std::string why = adaptive_projection_problem(name, setting); !why.empty())
    throw Error(ErrorKind::config, why);
  auto projection = std::make_unique<StoredColumns>(setting);
  if (name == "unexplained") {
    std::vector<double> shares(setting.outputs, 0.0);
    for (std::size_t j = 0; j < shares.size(); ++j)
      if (residuals.first_squares[j] > 0.0) shares[j] = residuals.squares[j] / residuals.first_squares[j];
    draw_outputs(shares, false, stream, *projection);
  } else if (name == "gradient-sampling") {
    draw_outputs(residuals.squares, true, stream, *projection);
  } else if (name == "top-outputs") {
    choose_largest(residuals.squares, *projection);
  } else {
    principal_directions(residuals, stream, *projection);
  }
  projection->sort();
  return projection;
}

}  // namespace coppice

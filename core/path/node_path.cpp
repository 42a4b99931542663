#include "core/path/node_path.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace coppice {

namespace {

/// Lengths are sums of many steps: those that differ by less are equal.
constexpr double same_length = 1e-9;

}  // namespace

void NodePath::end_knot(double length, std::span<const double> intercepts_here) {
  lengths.push_back(length);
  change_end.push_back(changes.size());
  intercepts.insert(intercepts.end(), intercepts_here.begin(), intercepts_here.end());
}

NodePath::Point NodePath::at(double length) const {
  const auto above = std::upper_bound(lengths.begin(), lengths.end(), length + same_length);
  const auto knot = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, above - lengths.begin())) - 1;
  if (!linear_between_knots || knot + 1 == knots()) return {knot, 0.0};
  const double share = (length - lengths[knot]) / (lengths[knot + 1] - lengths[knot]);
  return {knot, std::clamp(share, 0.0, 1.0)};
}

std::vector<double> NodePath::intercepts_at(const Point& point) const {
  const auto here = intercepts_of(point.knot);
  std::vector<double> all(here.begin(), here.end());
  if (point.share == 0.0) return all;
  const auto next = intercepts_of(point.knot + 1);
  for (std::size_t j = 0; j < outputs; ++j) all[j] += point.share * (next[j] - here[j]);
  return all;
}

std::vector<NodePath::Change> NodePath::weights_at(const Point& point) const {
  struct Sum {
    double weight = 0.0;
    double moved = 0.0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> sums;
  const auto add = [&](std::size_t knot, double share) {
    for (const Change& change : changes_of(knot)) {
      Sum& sum = sums[{change.node, change.output}];
      sum.weight += share * change.weight;
      sum.moved += std::abs(share * change.weight);
    }
  };
  for (std::size_t knot = 0; knot <= point.knot; ++knot) add(knot, 1.0);
  if (point.share > 0.0) add(point.knot + 1, point.share);
  std::vector<Change> weights;
  // Steps forth and back leave nothing but what was rounded.
  constexpr double rounded = 1e-9;
  for (const auto& [place, sum] : sums)
    if (std::abs(sum.weight) > rounded * sum.moved)
      weights.push_back({place.first, place.second, sum.weight});
  return weights;
}

void NodePath::cut_after(double length) {
  const Point point = at(length);
  const std::size_t kept = point.knot + (point.share > 0.0 ? 2 : 1);
  lengths.resize(kept);
  change_end.resize(kept);
  changes.resize(change_end.back());
  intercepts.resize(kept * outputs);
}

PathScores::PathScores(const NodePath& path, const NodeIndicators& indicators)
    : path_(&path), indicators_(&indicators) {
  at_knot_.resize(indicators.rows() * path.outputs);
  for (std::size_t row = 0; row < indicators.rows(); ++row)
    std::ranges::copy(path.intercepts_of(0),
                      at_knot_.begin() + static_cast<std::ptrdiff_t>(row * path.outputs));
}

void PathScores::add_changes(std::size_t knot, double share, std::vector<double>& scores) const {
  const std::size_t outputs = path_->outputs;
  const auto before = path_->intercepts_of(knot - 1);
  const auto after = path_->intercepts_of(knot);
  for (std::size_t j = 0; j < outputs; ++j) {
    const double shift = share * (after[j] - before[j]);
    if (shift == 0.0) continue;
    for (std::size_t i = j; i < scores.size(); i += outputs) scores[i] += shift;
  }
  for (const NodePath::Change& change : path_->changes_of(knot))
    for (const std::uint32_t row : indicators_->rows_of(change.node))
      scores[row * outputs + change.output] += share * change.weight;
}

std::span<const double> PathScores::at(double length) {
  const NodePath::Point point = path_->at(length);
  while (knot_ < point.knot) add_changes(++knot_, 1.0, at_knot_);
  if (point.share == 0.0) return at_knot_;
  between_ = at_knot_;
  add_changes(point.knot + 1, point.share, between_);
  return between_;
}

}  // namespace coppice

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/path/node_indicators.h"

namespace coppice {

/// Linear models on node indicators for growing t: the bound on the sum of the absolute weights, measured on
/// the scaled indicators and on outputs of variance 1. Weights and intercepts themselves are those of the
/// plain 0/1 indicators and of the outputs as they are. A path begins at t = 0 with all weights 0.
struct NodePath {
  /// What a knot adds to the weight of a node in one output.
  struct Change {
    std::uint32_t node = 0;
    std::uint32_t output = 0;
    double weight = 0.0;
  };

  std::size_t outputs = 0;
  bool linear_between_knots = false;    ///< else the model of a knot holds up to the next
  std::vector<double> lengths;          ///< t of each knot, ascending
  std::vector<std::size_t> change_end;  ///< where the changes of each knot end
  std::vector<Change> changes;
  std::vector<double> intercepts;  ///< of each knot and output

  std::size_t knots() const { return lengths.size(); }
  std::span<const Change> changes_of(std::size_t knot) const {
    const std::size_t begin = knot == 0 ? 0 : change_end[knot - 1];
    return std::span(changes).subspan(begin, change_end[knot] - begin);
  }
  std::span<const double> intercepts_of(std::size_t knot) const {
    return std::span(intercepts).subspan(knot * outputs, outputs);
  }
  void end_knot(double length, std::span<const double> intercepts_here);

  /// A point on the path: a knot, and how far it is to the next one, 0 … 1.
  struct Point {
    std::size_t knot = 0;
    double share = 0.0;
  };
  /// The point of a length; beyond the path, its end.
  Point at(double length) const;
  /// The intercepts at a point.
  std::vector<double> intercepts_at(const Point& point) const;

  /// The weights that are not 0 at a point, by node and then output, a node and output once.
  std::vector<Change> weights_at(const Point& point) const;

  /// The knots up to the one that the model of this length needs.
  void cut_after(double length);
};

/// The linear models of a path on some rows, for lengths that ascend.
class PathScores {
 public:
  /// The indicators are those of the trees that the path is about.
  PathScores(const NodePath& path, const NodeIndicators& indicators);

  /// The scores of all rows (the outputs of a row after each other) at a length not below the one before.
  std::span<const double> at(double length);

 private:
  void add_changes(std::size_t knot, double share, std::vector<double>& scores) const;

  const NodePath* path_;
  const NodeIndicators* indicators_;
  std::size_t knot_ = 0;
  std::vector<double> at_knot_;
  std::vector<double> between_;
};

}  // namespace coppice

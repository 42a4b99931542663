#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/tables/table.h"

namespace coppice {

/// What a figure shows.
enum class FigureKind {
  cost,      ///< score against a cost, one point for each algorithm, the Pareto front joined
  curve,     ///< score over a swept parameter, with bands of one standard deviation
  learning,  ///< score over the number of training rows, likewise
  boxes,     ///< the scores of all trials of a dataset, a box for each algorithm
  heat,      ///< score over two swept parameters
};

/// One axis.
struct FigureAxis {
  std::string label;
  bool logarithmic = false;
  std::vector<std::string> categories;  ///< where positions are names: the x of a point is its index here
};

/// One mark.
struct FigurePoint {
  double x = 0;
  double y = 0;
  std::optional<double> spread;  ///< one standard deviation of y
  std::string label;             ///< the algorithm
  bool on_front = false;         ///< no other point is both cheaper and better
};

/// Marks of one colour.
struct FigureSeries {
  std::string name;
  std::vector<FigurePoint> points;
};

/// The distribution of some scores: quartiles, whiskers to the farthest score within 1.5 times the distance
/// of the quartiles, and what lies beyond them.
struct FigureBox {
  std::string name;
  double low = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double high = 0;
  std::vector<double> outliers;

  /// Quartiles by linear interpolation (R's type 7, numpy's default); at least one value.
  static FigureBox of(std::string name, std::vector<double> values);
};

/// A chart before it has a format: drawn by Chart.js in the report, or as SVG for a paper.
struct Figure {
  FigureKind kind = FigureKind::cost;
  std::string name;  ///< for file names: `cost-fit-seconds-lrap-delicious`
  std::string title;
  std::string dataset;
  std::string metric;
  std::string parameter;  ///< the cost or the swept parameter (or two)
  FigureAxis x;
  FigureAxis y;
  std::vector<FigureSeries> series;                       ///< cost and curve
  std::vector<FigureBox> boxes;                           ///< boxes
  std::vector<std::vector<std::optional<double>>> cells;  ///< heat: [y][x]
  bool higher_is_better = true;
};

/// A file name with nothing in it but lower-case letters, digits, dots, '@' and '-'.
std::string figure_name(const std::vector<std::string>& parts);

/// The data of a figure, one row for each mark, numbers written by `number`.
Table figure_table(const Figure& figure, std::string (*number)(double));

/// The same with all digits.
std::string figure_csv(const Figure& figure);

/// The name of a kind, as in file names and in the page.
std::string figure_kind_name(FigureKind kind);

/// All that the page needs to draw it.
nlohmann::ordered_json figure_json(const Figure& figure);

/// A picture for a paper: self-contained SVG, black on white.
std::string figure_svg(const Figure& figure);

}  // namespace coppice

#include "experiments/report/figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "experiments/tables/pivot_table.h"
#include "experiments/tables/score_grid.h"

namespace coppice {

namespace {

// An axis that spans more than this factor is easier to read in powers.
constexpr double wide_span = 20.0;
constexpr std::size_t fewest_for_box = 3;
const std::vector<std::string> shown_costs{"fit-seconds", "fit-cpu-seconds", "predict-seconds", "model-bytes",
                                           "nodes"};

bool span_is_wide(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0.0 && *high / *low >= wide_span;
}

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Grids of all metrics, so that none is computed twice.
struct Grids {
  explicit Grids(const ResultSet& results) {
    for (const Metric& metric : results.metrics)
      (metric.description->cost ? costs : scores).emplace_back(results, metric);
  }
  std::vector<ScoreGrid> scores;
  std::vector<ScoreGrid> costs;
};

Figure blank_figure(FigureKind kind, const ScoreGrid& grid, const std::string& dataset,
                    const std::string& parameter, const std::string& prefix) {
  Figure figure;
  figure.kind = kind;
  figure.dataset = dataset;
  figure.metric = grid.metric().name;
  figure.parameter = parameter;
  figure.higher_is_better = grid.metric().description->higher_is_better;
  figure.y.label = figure.metric;
  std::vector<std::string> parts{prefix, figure.metric, dataset};
  if (!parameter.empty()) parts.insert(parts.begin() + 1, parameter);
  figure.name = figure_name(parts);
  return figure;
}

/// The series that an algorithm's marks belong to: its id, so that a sweep has one colour.
std::string series_name(const ResultSet& results, std::size_t algorithm) {
  const AlgorithmDetail* detail = results.algorithm_detail(results.algorithms[algorithm]);
  return detail == nullptr ? results.algorithms[algorithm] : detail->id;
}

void add_point(Figure& figure, const std::string& name, const FigurePoint& point) {
  auto series = std::find_if(figure.series.begin(), figure.series.end(),
                             [&](const FigureSeries& each) { return each.name == name; });
  if (series == figure.series.end()) series = figure.series.insert(series, {name, {}});
  series->points.push_back(point);
}

void mark_front(Figure& figure) {
  std::vector<FigurePoint*> points;
  for (FigureSeries& series : figure.series)
    for (FigurePoint& point : series.points) points.push_back(&point);
  const auto better = [&](double a, double b) { return figure.higher_is_better ? a > b : a < b; };
  std::stable_sort(points.begin(), points.end(), [&](const FigurePoint* a, const FigurePoint* b) {
    return a->x != b->x ? a->x < b->x : better(a->y, b->y);
  });
  const FigurePoint* last = nullptr;
  for (FigurePoint* point : points) {
    if (last != nullptr && !better(point->y, last->y)) continue;
    point->on_front = true;
    last = point;
  }
}

std::vector<double> all_x(const Figure& figure) {
  std::vector<double> values;
  for (const FigureSeries& series : figure.series)
    for (const FigurePoint& point : series.points) values.push_back(point.x);
  return values;
}

void add_cost_figure(const ResultSet& results, const ScoreGrid& scores, const ScoreGrid& costs,
                     std::size_t dataset, std::vector<Figure>& figures) {
  const std::string& cost = costs.metric().name;
  Figure figure = blank_figure(FigureKind::cost, scores, results.datasets[dataset], cost, "cost");
  figure.title = fmt::format("{} against {} on {}", figure.metric, cost, figure.dataset);
  figure.x.label = cost;
  for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm) {
    const GridCell& score = scores.cell(dataset, algorithm);
    const GridCell& price = costs.cell(dataset, algorithm);
    if (!score.has_value() || !price.has_value()) continue;
    add_point(
        figure, series_name(results, algorithm),
        {price.summary.mean, score.summary.mean, score.summary.deviation, results.algorithms[algorithm]});
  }
  if (figure.series.empty()) return;
  mark_front(figure);
  figure.x.logarithmic = span_is_wide(all_x(figure));
  figures.push_back(std::move(figure));
}

/// Positions on the axis: numbers where all values are, else the values as names.
void add_curve_figure(const ResultSet& results, const ScoreGrid& grid, std::size_t dataset,
                      const std::string& parameter, const std::vector<SweptSeries>& series,
                      std::vector<Figure>& figures) {
  Figure figure = blank_figure(FigureKind::curve, grid, results.datasets[dataset], parameter, "curve");
  figure.title = fmt::format("{} over {} on {}", figure.metric, parameter, figure.dataset);
  figure.x.label = parameter;
  bool numeric = true;
  std::vector<std::string> categories;
  for (const SweptSeries& each : series) {
    for (const auto& [value, algorithm] : each.points) {
      numeric = numeric && as_number(value).has_value();
      if (std::find(categories.begin(), categories.end(), value) == categories.end())
        categories.push_back(value);
    }
  }
  if (!numeric) figure.x.categories = categories;
  for (const SweptSeries& each : series) {
    for (const auto& [value, algorithm] : each.points) {
      const GridCell& cell = grid.cell(dataset, algorithm);
      if (!cell.has_value()) continue;
      const auto place = std::find(categories.begin(), categories.end(), value) - categories.begin();
      const double x = numeric ? *as_number(value) : static_cast<double>(place);
      add_point(figure, each.name,
                {x, cell.summary.mean, cell.summary.deviation, results.algorithms[algorithm]});
    }
  }
  if (figure.series.empty()) return;
  for (FigureSeries& each : figure.series)
    std::stable_sort(each.points.begin(), each.points.end(),
                     [](const FigurePoint& a, const FigurePoint& b) { return a.x < b.x; });
  figure.x.logarithmic = numeric && span_is_wide(all_x(figure));
  figures.push_back(std::move(figure));
}

/// Datasets that come from one source with different numbers of training rows.
struct LearningFamily {
  std::string source;
  std::vector<std::pair<std::size_t, std::size_t>> members;  ///< training rows and dataset, ascending
};

std::vector<LearningFamily> learning_families(const ResultSet& results) {
  std::vector<LearningFamily> families;
  for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset) {
    const DatasetDetail* detail = results.dataset_detail(results.datasets[dataset]);
    if (detail == nullptr || detail->source.empty() || detail->train == 0) continue;
    // Problems of another shape are other problems.
    const std::string source =
        fmt::format("{} ({} features, {} outputs)", detail->source, detail->features, detail->outputs);
    auto family = std::find_if(families.begin(), families.end(),
                               [&](const LearningFamily& each) { return each.source == source; });
    if (family == families.end()) family = families.insert(family, {source, {}});
    family->members.emplace_back(detail->train, dataset);
  }
  for (LearningFamily& family : families) std::sort(family.members.begin(), family.members.end());
  std::erase_if(families, [](const LearningFamily& family) {
    return family.members.front().first == family.members.back().first;
  });
  return families;
}

void add_learning_figure(const ResultSet& results, const ScoreGrid& grid, const LearningFamily& family,
                         std::vector<Figure>& figures) {
  Figure figure = blank_figure(FigureKind::learning, grid, family.source, "", "learning");
  figure.title = fmt::format("{} over training rows on {}", figure.metric, family.source);
  figure.x.label = "training rows";
  for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm)
    for (const auto& [rows, dataset] : family.members) {
      const GridCell& cell = grid.cell(dataset, algorithm);
      if (!cell.has_value()) continue;
      add_point(figure, results.algorithms[algorithm],
                {static_cast<double>(rows), cell.summary.mean, cell.summary.deviation,
                 fmt::format("{} on {}", results.algorithms[algorithm], results.datasets[dataset])});
    }
  if (figure.series.empty()) return;
  figure.x.logarithmic = span_is_wide(all_x(figure));
  figures.push_back(std::move(figure));
}

/// One algorithm of the config that sweeps two parameters: its values of both and where each combination is.
struct Plane {
  std::string id;
  std::string x_parameter;
  std::string y_parameter;
  std::vector<std::string> x_values;
  std::vector<std::string> y_values;
  std::map<std::pair<std::string, std::string>, std::size_t> algorithms;
};

void add_value(std::vector<std::string>& values, const std::string& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

/// The id of an algorithm with its swept values but for two of them.
std::string name_without(const AlgorithmDetail& detail, std::size_t x, std::size_t y) {
  std::string name = detail.id;
  for (std::size_t i = 0; i < detail.swept.size(); ++i)
    if (i != x && i != y) name += fmt::format(" {}={}", detail.swept[i].first, detail.swept[i].second);
  return name;
}

void add_to_plane(std::vector<Plane>& planes, const AlgorithmDetail& detail, std::size_t algorithm,
                  std::size_t first, std::size_t second) {
  const auto& [x_parameter, x_value] = detail.swept[first];
  const auto& [y_parameter, y_value] = detail.swept[second];
  const std::string id = name_without(detail, first, second);
  auto plane = std::find_if(planes.begin(), planes.end(), [&](const Plane& each) {
    return each.id == id && each.x_parameter == x_parameter && each.y_parameter == y_parameter;
  });
  if (plane == planes.end()) plane = planes.insert(plane, {id, x_parameter, y_parameter, {}, {}, {}});
  add_value(plane->x_values, x_value);
  add_value(plane->y_values, y_value);
  plane->algorithms[{x_value, y_value}] = algorithm;
}

std::vector<Plane> planes_of(const ResultSet& results) {
  std::vector<Plane> planes;
  for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm) {
    const AlgorithmDetail* detail = results.algorithm_detail(results.algorithms[algorithm]);
    if (detail == nullptr) continue;
    for (std::size_t first = 0; first < detail->swept.size(); ++first)
      for (std::size_t second = first + 1; second < detail->swept.size(); ++second)
        add_to_plane(planes, *detail, algorithm, first, second);
  }
  return planes;
}

Figure heat_figure(const ResultSet& results, const ScoreGrid& grid, std::size_t dataset, const Plane& plane) {
  const std::string parameter = fmt::format("{} and {}", plane.x_parameter, plane.y_parameter);
  Figure figure =
      blank_figure(FigureKind::heat, grid, results.datasets[dataset],
                   fmt::format("{}-{}-{}", plane.id, plane.x_parameter, plane.y_parameter), "heat");
  figure.parameter = fmt::format("{}: {}", plane.id, parameter);
  figure.title = fmt::format("{} of {} over {} on {}", figure.metric, plane.id, parameter, figure.dataset);
  figure.x = {plane.x_parameter, false, plane.x_values};
  figure.y = {plane.y_parameter, false, plane.y_values};
  for (const std::string& y : plane.y_values) {
    figure.cells.emplace_back();
    for (const std::string& x : plane.x_values) {
      const auto found = plane.algorithms.find({x, y});
      const bool there = found != plane.algorithms.end() && grid.cell(dataset, found->second).has_value();
      figure.cells.back().push_back(there ? std::optional(grid.cell(dataset, found->second).summary.mean)
                                          : std::nullopt);
    }
  }
  return figure;
}

}  // namespace

std::vector<Figure> cost_figures(const ResultSet& results) {
  const Grids grids(results);
  std::vector<Figure> figures;
  for (const ScoreGrid& costs : grids.costs) {
    if (std::find(shown_costs.begin(), shown_costs.end(), costs.metric().name) == shown_costs.end()) continue;
    for (const ScoreGrid& scores : grids.scores)
      for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset)
        if (!scores.inapplicable(dataset)) add_cost_figure(results, scores, costs, dataset, figures);
  }
  return figures;
}

std::vector<Figure> curve_figures(const ResultSet& results) {
  std::vector<Figure> figures;
  for (const std::string& parameter : swept_parameters(results)) {
    const std::vector<SweptSeries> series = swept_series(results, parameter);
    for (const Metric& metric : results.metrics) {
      const ScoreGrid grid(results, metric);
      for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset)
        if (!grid.inapplicable(dataset)) add_curve_figure(results, grid, dataset, parameter, series, figures);
    }
  }
  return figures;
}

std::vector<Figure> learning_figures(const ResultSet& results) {
  std::vector<Figure> figures;
  const std::vector<LearningFamily> families = learning_families(results);
  if (families.empty()) return figures;
  for (const Metric& metric : results.metrics) {
    const ScoreGrid grid(results, metric);
    for (const LearningFamily& family : families) add_learning_figure(results, grid, family, figures);
  }
  return figures;
}

std::vector<Figure> heat_figures(const ResultSet& results) {
  std::vector<Figure> figures;
  const std::vector<Plane> planes = planes_of(results);
  if (planes.empty()) return figures;
  for (const Metric& metric : results.metrics) {
    const ScoreGrid grid(results, metric);
    for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset) {
      if (grid.inapplicable(dataset)) continue;
      for (const Plane& plane : planes) figures.push_back(heat_figure(results, grid, dataset, plane));
    }
  }
  return figures;
}

std::vector<Figure> box_figures(const ResultSet& results) {
  std::vector<Figure> figures;
  const Grids grids(results);
  for (const ScoreGrid& grid : grids.scores) {
    for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset) {
      Figure figure = blank_figure(FigureKind::boxes, grid, results.datasets[dataset], "", "boxes");
      figure.title = fmt::format("{} of all trials on {}", figure.metric, figure.dataset);
      for (std::size_t algorithm = 0; algorithm < results.algorithms.size(); ++algorithm) {
        std::vector<double> values;
        for (const TrialScore& score : grid.cell(dataset, algorithm).trials)
          if (std::isfinite(score.value)) values.push_back(score.value);
        if (values.size() >= fewest_for_box)
          figure.boxes.push_back(FigureBox::of(results.algorithms[algorithm], std::move(values)));
      }
      for (const FigureBox& box : figure.boxes) figure.x.categories.push_back(box.name);
      if (!figure.boxes.empty()) figures.push_back(std::move(figure));
    }
  }
  return figures;
}

std::vector<Figure> all_figures(const ResultSet& results) {
  std::vector<Figure> figures;
  for (auto* kind : {cost_figures, curve_figures, learning_figures, heat_figures, box_figures})
    for (Figure& figure : kind(results)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace coppice

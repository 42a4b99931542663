#include "experiments/report/figure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "experiments/tables/csv.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> kind_names{"cost", "curve", "boxes", "heat"};

/// Six significant digits: more than a screen can show, and the page stays small.
Json short_number(double value) {
  if (!std::isfinite(value)) return Json();
  return Json::parse(fmt::format("{:.6g}", value));
}

Json axis_json(const FigureAxis& axis) {
  Json object{{"label", axis.label}, {"log", axis.logarithmic}};
  if (!axis.categories.empty()) object["categories"] = axis.categories;
  return object;
}

std::string x_text(const Figure& figure, double x) {
  if (figure.x.categories.empty()) return number_text(x);
  return figure.x.categories[static_cast<std::size_t>(x)];
}

double quantile(const std::vector<double>& sorted, double probability) {
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

FigureBox FigureBox::of(std::string name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  FigureBox box;
  box.name = std::move(name);
  box.first_quartile = quantile(values, 0.25);
  box.median = quantile(values, 0.5);
  box.third_quartile = quantile(values, 0.75);
  const double reach = 1.5 * (box.third_quartile - box.first_quartile);
  box.low = box.high = box.median;
  for (const double value : values) {
    if (value < box.first_quartile - reach || value > box.third_quartile + reach) {
      box.outliers.push_back(value);
    } else {
      box.low = std::min(box.low, value);
      box.high = std::max(box.high, value);
    }
  }
  return box;
}

std::string figure_name(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts) {
    if (!name.empty()) name += '-';
    for (const char character : part) {
      const auto code = static_cast<unsigned char>(character);
      const bool plain = code < 0x80 && (std::isalnum(code) != 0 || character == '.' || character == '@');
      name += plain ? static_cast<char>(std::tolower(code)) : '-';
    }
  }
  return name;
}

std::string figure_csv(const Figure& figure) {
  std::string text;
  switch (figure.kind) {
    case FigureKind::cost:
    case FigureKind::curve:
      text =
          csv_line(std::array<std::string, 5>{"series", "algorithm", figure.x.label, figure.y.label, "std"});
      for (const FigureSeries& series : figure.series)
        for (const FigurePoint& point : series.points)
          text += csv_line(std::array{series.name, point.label, x_text(figure, point.x), number_text(point.y),
                                      point.spread ? number_text(*point.spread) : std::string()});
      break;
    case FigureKind::boxes:
      text = "algorithm,low,first_quartile,median,third_quartile,high,outliers\n";
      for (const FigureBox& box : figure.boxes) {
        std::string outliers;
        for (const double value : box.outliers) {
          if (!outliers.empty()) outliers += ' ';
          outliers += number_text(value);
        }
        text += csv_line(std::array{box.name, number_text(box.low), number_text(box.first_quartile),
                                    number_text(box.median), number_text(box.third_quartile),
                                    number_text(box.high), outliers});
      }
      break;
    case FigureKind::heat:
      text = csv_line(std::array<std::string, 3>{figure.y.label, figure.x.label, figure.metric});
      for (std::size_t row = 0; row < figure.cells.size(); ++row)
        for (std::size_t column = 0; column < figure.cells[row].size(); ++column)
          if (figure.cells[row][column])
            text += csv_line(std::array{figure.y.categories[row], figure.x.categories[column],
                                        number_text(*figure.cells[row][column])});
      break;
  }
  return text;
}

Json figure_json(const Figure& figure) {
  Json object{{"kind", kind_names[static_cast<std::size_t>(figure.kind)]},
              {"name", figure.name},
              {"title", figure.title},
              {"dataset", figure.dataset},
              {"metric", figure.metric},
              {"parameter", figure.parameter},
              {"x", axis_json(figure.x)},
              {"y", axis_json(figure.y)},
              {"higher", figure.higher_is_better}};
  for (const FigureSeries& series : figure.series) {
    Json points = Json::array();
    for (const FigurePoint& point : series.points) {
      Json entry{{"x", short_number(point.x)}, {"y", short_number(point.y)}, {"label", point.label}};
      if (point.spread) entry["s"] = short_number(*point.spread);
      if (point.on_front) entry["front"] = true;
      points.push_back(std::move(entry));
    }
    object["series"].push_back({{"name", series.name}, {"points", std::move(points)}});
  }
  for (const FigureBox& box : figure.boxes) {
    Json outliers = Json::array();
    for (const double value : box.outliers) outliers.push_back(short_number(value));
    object["boxes"].push_back(
        {{"name", box.name},
         {"q", Json::array({short_number(box.low), short_number(box.first_quartile), short_number(box.median),
                            short_number(box.third_quartile), short_number(box.high)})},
         {"out", std::move(outliers)}});
  }
  for (const auto& row : figure.cells) {
    Json line = Json::array();
    for (const auto& cell : row) line.push_back(cell ? short_number(*cell) : Json());
    object["cells"].push_back(std::move(line));
  }
  return object;
}

}  // namespace coppice

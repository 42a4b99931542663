#include "experiments/report/figure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/tables/csv.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> kind_names{"cost", "curve", "learning", "boxes", "heat"};

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

/// A table whose first column names the rows.
class MarkTable {
 public:
  MarkTable(const Figure& figure, const std::vector<std::string>& header) {
    table_.title = figure.title;
    table_.row_kind = header[0];
    for (std::size_t i = 1; i < header.size(); ++i) table_.columns.push_back({header[i]});
  }
  void add(const std::string& name, const std::vector<std::string>& fields) {
    table_.rows.push_back({name});
    table_.cells.emplace_back();
    for (const std::string& field : fields) table_.cells.back().push_back({field});
  }
  Table take() { return std::move(table_); }

 private:
  Table table_;
};

Table series_table(const Figure& figure, std::string (*number)(double)) {
  MarkTable table(figure, {"series", "algorithm", figure.x.label, figure.y.label, "std"});
  for (const FigureSeries& series : figure.series)
    for (const FigurePoint& point : series.points) {
      const std::string x = figure.x.categories.empty()
                                ? number(point.x)
                                : figure.x.categories[static_cast<std::size_t>(point.x)];
      table.add(series.name, {point.label, x, number(point.y), point.spread ? number(*point.spread) : ""});
    }
  return table.take();
}

Table box_table(const Figure& figure, std::string (*number)(double)) {
  MarkTable table(figure,
                  {"algorithm", "low", "first_quartile", "median", "third_quartile", "high", "outliers"});
  for (const FigureBox& box : figure.boxes) {
    std::vector<std::string> outliers;
    for (const double value : box.outliers) outliers.push_back(number(value));
    table.add(box.name,
              {number(box.low), number(box.first_quartile), number(box.median), number(box.third_quartile),
               number(box.high), fmt::format("{}", fmt::join(outliers, " "))});
  }
  return table.take();
}

Table heat_table(const Figure& figure, std::string (*number)(double)) {
  MarkTable table(figure, {figure.y.label, figure.x.label, figure.metric});
  for (std::size_t row = 0; row < figure.cells.size(); ++row)
    for (std::size_t column = 0; column < figure.cells[row].size(); ++column)
      if (figure.cells[row][column])
        table.add(figure.y.categories[row],
                  {figure.x.categories[column], number(*figure.cells[row][column])});
  return table.take();
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

std::string figure_kind_name(FigureKind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

Table figure_table(const Figure& figure, std::string (*number)(double)) {
  switch (figure.kind) {
    case FigureKind::cost:
    case FigureKind::curve:
    case FigureKind::learning:
      return series_table(figure, number);
    case FigureKind::boxes:
      return box_table(figure, number);
    case FigureKind::heat:
      return heat_table(figure, number);
  }
  return {};
}

std::string figure_csv(const Figure& figure) {
  return render_csv(figure_table(figure, number_text));
}

Json figure_json(const Figure& figure) {
  Json object{{"kind", figure_kind_name(figure.kind)},
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

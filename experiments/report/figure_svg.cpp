#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "experiments/report/figure.h"
#include "experiments/tables/display_width.h"
#include "experiments/tables/escape.h"

namespace coppice {

namespace {

// Okabe and Ito's palette, which colour-blind readers can tell apart.
constexpr std::array<std::string_view, 8> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#56b4e9", "#e69f00", "#000000", "#999999"};
constexpr double plot_width = 440;
constexpr double plot_height = 280;
constexpr double left = 74;
constexpr double top = 36;
constexpr double bottom = 56;
constexpr double character_width = 6.6;
constexpr double legend_line = 18;
constexpr int wanted_ticks = 6;

std::string_view colour(std::size_t index) {
  return palette[index % palette.size()];
}

/// Maps values of an axis to pixels and knows its ticks.
class Scale {
 public:
  Scale(double low, double high, bool logarithmic, double begin, double end)
      : logarithmic_(logarithmic), begin_(begin), end_(end) {
    if (logarithmic_) {
      low_ = std::log10(low);
      high_ = std::log10(high);
    } else {
      low_ = low;
      high_ = high;
    }
    // One value only: give it room.
    const double room = high_ > low_ ? (high_ - low_) * 0.05 : std::max(std::abs(low_) * 0.1, 1e-9);
    low_ -= room;
    high_ += room;
  }

  double operator()(double value) const {
    const double place = logarithmic_ ? std::log10(value) : value;
    return begin_ + (end_ - begin_) * (place - low_) / (high_ - low_);
  }

  std::vector<double> ticks() const {
    std::vector<double> values;
    if (logarithmic_) {
      for (double power = std::ceil(low_); power <= high_; power += 1.0)
        values.push_back(std::pow(10.0, power));
      if (values.size() > 1) return values;
      values.clear();
      for (double power = std::floor(low_); power <= high_; power += 1.0)
        for (const double digit : {1.0, 2.0, 5.0}) {
          const double value = digit * std::pow(10.0, power);
          if (std::log10(value) >= low_ && std::log10(value) <= high_) values.push_back(value);
        }
      return values;
    }
    const double step = nice_step();
    for (double i = std::ceil(low_ / step); i * step <= high_; i += 1.0) values.push_back(i * step);
    return values;
  }

  std::string tick_text(double value) const {
    if (logarithmic_) return fmt::format("{:.4g}", value);
    const double step = nice_step();
    if (std::abs(value) < step * 1e-9) return "0";
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    return high_ >= 1e7 || decimals > 6 ? fmt::format("{:.4g}", value)
                                        : fmt::format("{:.{}f}", value, decimals);
  }

 private:
  double nice_step() const {
    const double rough = (high_ - low_) / wanted_ticks;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit * power >= rough) return digit * power;
    return 10.0 * power;
  }

  bool logarithmic_;
  double begin_, end_;
  double low_ = 0, high_ = 0;
};

/// The least and the greatest of what is put in.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Draws one figure.
class SvgPainter {
 public:
  explicit SvgPainter(const Figure& figure) : figure_(figure) {}

  std::string paint() {
    switch (figure_.kind) {
      case FigureKind::cost:
      case FigureKind::curve:
      case FigureKind::learning:
        paint_series();
        break;
      case FigureKind::boxes:
        paint_boxes();
        break;
      case FigureKind::heat:
        paint_heat();
        break;
    }
    const double height =
        std::max(top + plot_height + bottom + extra_bottom_, top + legend_line * legend_rows_ + 20);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" "
        "role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{3}</svg>\n",
        left + plot_width + 20 + legend_width_, height, html_escaped(figure_.title), body_);
  }

 private:
  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
        x1, y1, x2, y2, stroke, width);
  }
  void text(double x, double y, std::string_view anchor, std::string_view content,
            std::string_view more = "") {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor,
                         more, html_escaped(content));
  }
  void circle(double x, double y, double radius, std::string_view fill) {
    body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, radius, fill);
  }
  void path(const std::string& commands, std::string_view attributes) {
    body_ += fmt::format("<path d=\"{}\" {}/>\n", commands, attributes);
  }

  void frame() {
    text(left + plot_width / 2, 20, "middle", figure_.title, " font-weight=\"bold\"");
    line(left, top, left, top + plot_height, "black", 1);
    line(left, top + plot_height, left + plot_width, top + plot_height, "black", 1);
    text(left + plot_width / 2, top + plot_height + 42 + extra_bottom_, "middle", figure_.x.label);
    text(16, top + plot_height / 2, "middle", figure_.y.label,
         fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", top + plot_height / 2));
  }

  void y_axis(const Scale& scale) {
    for (const double tick : scale.ticks()) {
      const double y = scale(tick);
      line(left, y, left + plot_width, y, "#dddddd", 0.7);
      line(left - 4, y, left, y, "black", 1);
      text(left - 7, y + 4, "end", scale.tick_text(tick));
    }
  }

  void x_axis(const Scale& scale) {
    for (const double tick : scale.ticks()) {
      line(scale(tick), top + plot_height, scale(tick), top + plot_height + 4, "black", 1);
      text(scale(tick), top + plot_height + 17, "middle", scale.tick_text(tick));
    }
  }

  /// Names below their places, slanted where they would run into each other.
  void x_categories(const std::vector<std::string>& names, const std::vector<double>& places) {
    std::size_t longest = 0;
    for (const std::string& name : names) longest = std::max(longest, display_width(name));
    const double room = plot_width / static_cast<double>(std::max<std::size_t>(names.size(), 1));
    const bool slanted = static_cast<double>(longest) * character_width > room;
    if (slanted) extra_bottom_ = static_cast<double>(longest) * character_width * 0.6;
    const double y = top + plot_height + 17;
    for (std::size_t i = 0; i < names.size(); ++i)
      text(places[i], y, slanted ? "end" : "middle", names[i],
           slanted ? fmt::format(" transform=\"rotate(-35 {:.1f} {:.1f})\"", places[i], y) : "");
  }

  void legend() {
    if (figure_.series.size() < 2 && figure_.kind != FigureKind::cost) return;
    const double x = left + plot_width + 18;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      const double y = top + legend_line * (static_cast<double>(i) + 0.5);
      circle(x, y, 4, colour(i));
      text(x + 10, y + 4, "start", figure_.series[i].name);
      longest = std::max(longest, display_width(figure_.series[i].name));
    }
    legend_rows_ = static_cast<double>(figure_.series.size());
    legend_width_ = 24 + static_cast<double>(longest) * character_width;
  }

  void paint_series() {
    Extent x_extent;
    Extent y_extent;
    for (const FigureSeries& series : figure_.series)
      for (const FigurePoint& point : series.points) {
        x_extent.add(point.x);
        y_extent.add(point.y - point.spread.value_or(0.0));
        y_extent.add(point.y + point.spread.value_or(0.0));
      }
    const Scale x(x_extent.low, x_extent.high, figure_.x.logarithmic, left, left + plot_width);
    const Scale y(y_extent.low, y_extent.high, false, top + plot_height, top);
    y_axis(y);
    if (figure_.x.categories.empty()) {
      x_axis(x);
    } else {
      std::vector<double> places;
      for (std::size_t i = 0; i < figure_.x.categories.size(); ++i)
        places.push_back(x(static_cast<double>(i)));
      x_categories(figure_.x.categories, places);
    }
    frame();
    if (figure_.kind == FigureKind::cost) paint_front(x, y);
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      if (figure_.kind != FigureKind::cost) paint_band(figure_.series[i], x, y, i);
      for (const FigurePoint& point : figure_.series[i].points) {
        if (figure_.kind == FigureKind::cost && point.spread)
          line(x(point.x), y(point.y - *point.spread), x(point.x), y(point.y + *point.spread), colour(i), 1);
        circle(x(point.x), y(point.y), point.on_front ? 4.5 : 3.2, colour(i));
      }
    }
    legend();
  }

  void paint_band(const FigureSeries& series, const Scale& x, const Scale& y, std::size_t index) {
    std::string middle;
    std::string upper;
    std::string lower;
    for (const FigurePoint& point : series.points) {
      const double spread = point.spread.value_or(0.0);
      const char* command = middle.empty() ? "M" : "L";
      middle += fmt::format("{}{:.1f} {:.1f}", command, x(point.x), y(point.y));
      upper += fmt::format("{}{:.1f} {:.1f}", command, x(point.x), y(point.y + spread));
      lower.insert(0, fmt::format("L{:.1f} {:.1f}", x(point.x), y(point.y - spread)));
    }
    path(upper + lower + "Z", fmt::format("fill=\"{}\" fill-opacity=\"0.15\"", colour(index)));
    path(middle, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"", colour(index)));
  }

  void paint_front(const Scale& x, const Scale& y) {
    std::vector<const FigurePoint*> front;
    for (const FigureSeries& series : figure_.series)
      for (const FigurePoint& point : series.points)
        if (point.on_front) front.push_back(&point);
    std::sort(front.begin(), front.end(),
              [](const FigurePoint* a, const FigurePoint* b) { return a->x < b->x; });
    std::string commands;
    for (const FigurePoint* point : front)
      commands += fmt::format("{}{:.1f} {:.1f}", commands.empty() ? "M" : "L", x(point->x), y(point->y));
    if (front.size() > 1) path(commands, "fill=\"none\" stroke=\"#666666\" stroke-dasharray=\"5 4\"");
  }

  void paint_boxes() {
    Extent extent;
    for (const FigureBox& box : figure_.boxes) {
      extent.add(box.low);
      extent.add(box.high);
      for (const double value : box.outliers) extent.add(value);
    }
    const Scale y(extent.low, extent.high, false, top + plot_height, top);
    y_axis(y);
    const double room = plot_width / static_cast<double>(figure_.boxes.size());
    const double half = std::min(room * 0.3, 26.0);
    std::vector<double> places;
    for (std::size_t i = 0; i < figure_.boxes.size(); ++i) {
      const FigureBox& box = figure_.boxes[i];
      const double x = left + room * (static_cast<double>(i) + 0.5);
      places.push_back(x);
      line(x, y(box.low), x, y(box.first_quartile), "black", 1);
      line(x, y(box.third_quartile), x, y(box.high), "black", 1);
      for (const double end : {box.low, box.high})
        line(x - half / 2, y(end), x + half / 2, y(end), "black", 1);
      body_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
          "fill-opacity=\"0.35\" "
          "stroke=\"black\"/>\n",
          x - half, y(box.third_quartile), 2 * half, y(box.first_quartile) - y(box.third_quartile),
          colour(i));
      line(x - half, y(box.median), x + half, y(box.median), "black", 2);
      for (const double value : box.outliers) circle(x, y(value), 2.5, "black");
    }
    x_categories(figure_.x.categories, places);
    frame();
  }

  void paint_heat() {
    Extent extent;
    for (const auto& row : figure_.cells)
      for (const auto& cell : row)
        if (cell) extent.add(*cell);
    const double width = plot_width / static_cast<double>(figure_.x.categories.size());
    const double height = plot_height / static_cast<double>(figure_.y.categories.size());
    std::vector<double> places;
    for (std::size_t i = 0; i < figure_.x.categories.size(); ++i)
      places.push_back(left + width * (static_cast<double>(i) + 0.5));
    for (std::size_t row = 0; row < figure_.cells.size(); ++row) {
      // The first value at the bottom, as on an axis.
      const double y = top + plot_height - height * static_cast<double>(row + 1);
      text(left - 7, y + height / 2 + 4, "end", figure_.y.categories[row]);
      for (std::size_t column = 0; column < figure_.cells[row].size(); ++column) {
        const auto& cell = figure_.cells[row][column];
        if (!cell) continue;
        const double share =
            extent.high > extent.low ? (*cell - extent.low) / (extent.high - extent.low) : 0.5;
        const double x = left + width * static_cast<double>(column);
        body_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#0072b2\" "
            "fill-opacity=\"{:.3f}\"/>\n",
            x, y, width, height, 0.08 + 0.87 * (figure_.higher_is_better ? share : 1.0 - share));
        text(x + width / 2, y + height / 2 + 4, "middle", fmt::format("{:#.4g}", *cell),
             (figure_.higher_is_better ? share : 1.0 - share) > 0.55 ? " fill=\"white\"" : "");
      }
    }
    x_categories(figure_.x.categories, places);
    frame();
  }

  const Figure& figure_;
  std::string body_;
  double extra_bottom_ = 0;
  double legend_width_ = 0;
  double legend_rows_ = 0;
};

}  // namespace

std::string figure_svg(const Figure& figure) {
  return SvgPainter(figure).paint();
}

}  // namespace coppice

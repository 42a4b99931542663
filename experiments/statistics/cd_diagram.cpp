#include "experiments/statistics/cd_diagram.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "experiments/tables/display_width.h"
#include "experiments/tables/escape.h"

namespace coppice {

namespace {

// All lengths are in pixels of the SVG picture.
constexpr double margin = 10;
constexpr double character_width = 7.2;
constexpr double line_height = 19;
constexpr double bar_step = 7;
constexpr double axis_y = 52;
constexpr double difference_y = 22;
constexpr double pixels_per_rank = 70;
constexpr double shortest_axis = 280;

enum class Anchor { start, middle, end };

struct Stroke {
  double x1, y1, x2, y2, width;
};

struct Label {
  double x, y;
  Anchor anchor;
  std::string text;
};

/// The diagram as lines and texts, before it has a format.
struct Picture {
  double width = 0;
  double height = 0;
  std::vector<Stroke> strokes;
  std::vector<Label> labels;
};

/// Draws a comparison.
class Painter {
 public:
  explicit Painter(const Comparison& comparison)
      : comparison_(comparison), nemenyi_(*comparison.nemenyi), count_(comparison.algorithms.size()) {
    for (std::size_t place = 0; place < count_; ++place) {
      const double width = static_cast<double>(display_width(label(place))) * character_width;
      (place < left_count() ? left_width_ : right_width_) =
          std::max(place < left_count() ? left_width_ : right_width_, width);
    }
    axis_length_ = std::max(shortest_axis, pixels_per_rank * static_cast<double>(count_ - 1));
    axis_x_ = margin + left_width_ + 2 * margin;
  }

  Picture paint() {
    draw_axis();
    draw_critical_difference();
    const double below_bars = draw_bars();
    for (std::size_t place = 0; place < count_; ++place) draw_algorithm(place, below_bars);
    picture_.height = below_bars + line_height * static_cast<double>(left_count()) + margin;
    const double difference_end = x_of(1.0 + nemenyi_.critical_difference) + margin;
    picture_.width = std::max(axis_x_ + axis_length_ + 2 * margin + right_width_ + margin, difference_end);
    return picture_;
  }

 private:
  std::size_t left_count() const { return (count_ + 1) / 2; }
  double rank(std::size_t place) const { return comparison_.friedman->average_ranks[nemenyi_.order[place]]; }
  std::string label(std::size_t place) const {
    return fmt::format("{} ({:.2f})", without_controls(comparison_.algorithms[nemenyi_.order[place]]),
                       rank(place));
  }
  double x_of(double rank) const {
    return axis_x_ + axis_length_ * (rank - 1.0) / static_cast<double>(count_ - 1);
  }
  void line(double x1, double y1, double x2, double y2, double width) {
    picture_.strokes.push_back({x1, y1, x2, y2, width});
  }

  void draw_axis() {
    line(axis_x_, axis_y, axis_x_ + axis_length_, axis_y, 1);
    for (std::size_t rank = 1; rank <= count_; ++rank) {
      const double x = x_of(static_cast<double>(rank));
      line(x, axis_y - 5, x, axis_y, 1);
      picture_.labels.push_back({x, axis_y - 9, Anchor::middle, fmt::format("{}", rank)});
    }
  }

  void draw_critical_difference() {
    const double end = x_of(1.0 + nemenyi_.critical_difference);
    line(axis_x_, difference_y, end, difference_y, 1.5);
    for (const double x : {axis_x_, end}) line(x, difference_y - 4, x, difference_y + 4, 1.5);
    picture_.labels.push_back({(axis_x_ + end) / 2, difference_y - 7, Anchor::middle,
                               fmt::format("critical difference {:.2f}", nemenyi_.critical_difference)});
  }

  /// Bars that would touch go on different levels. Returns where the lines of the algorithms may begin.
  double draw_bars() {
    std::vector<double> level_ends;
    for (const RankBar& bar : nemenyi_.bars) {
      const double begin = x_of(rank(bar.first)) - 4;
      const double end = x_of(rank(bar.last)) + 4;
      std::size_t level = 0;
      while (level < level_ends.size() && level_ends[level] + 4 > begin) ++level;
      if (level == level_ends.size()) level_ends.push_back(0.0);
      level_ends[level] = end;
      const double y = axis_y + 9 + bar_step * static_cast<double>(level);
      line(begin, y, end, y, 3.5);
    }
    return axis_y + 12 + bar_step * static_cast<double>(level_ends.size());
  }

  void draw_algorithm(std::size_t place, double below_bars) {
    const bool left = place < left_count();
    const std::size_t row = left ? place : count_ - 1 - place;
    const double x = x_of(rank(place));
    const double y = below_bars + line_height * (static_cast<double>(row) + 0.5);
    const double edge = left ? axis_x_ - margin : axis_x_ + axis_length_ + margin;
    line(x, axis_y, x, y, 0.8);
    line(x, y, edge, y, 0.8);
    const double text_x = left ? edge - 4 : edge + 4;
    picture_.labels.push_back({text_x, y + 4, left ? Anchor::end : Anchor::start, label(place)});
  }

  const Comparison& comparison_;
  const NemenyiTest& nemenyi_;
  std::size_t count_;
  double left_width_ = 0;
  double right_width_ = 0;
  double axis_length_ = 0;
  double axis_x_ = 0;
  Picture picture_;
};

Picture paint(const Comparison& comparison) {
  if (!comparison.nemenyi)
    throw Error(ErrorKind::usage,
                fmt::format("{}: a critical-difference diagram needs at least two datasets on which all "
                            "algorithms have all their trials",
                            comparison.metric));
  return Painter(comparison).paint();
}

std::string_view svg_anchor(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

std::string_view tikz_anchor(Anchor anchor) {
  return anchor == Anchor::start ? "base west" : anchor == Anchor::middle ? "base" : "base east";
}

/// What the picture shows, in words, for those who cannot see it.
std::string description(const Comparison& comparison) {
  std::string text = fmt::format("Critical difference {:.2f}. Average ranks, best first:",
                                 comparison.nemenyi->critical_difference);
  for (const std::size_t algorithm : comparison.nemenyi->order)
    text += fmt::format(" {} {:.2f};", comparison.algorithms[algorithm],
                        comparison.friedman->average_ranks[algorithm]);
  text.back() = '.';
  return text;
}

}  // namespace

std::string cd_diagram_svg(const Comparison& comparison, PictureUse use) {
  const Picture picture = paint(comparison);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "role=\"img\" font-family=\"sans-serif\" font-size=\"13\"{4} fill=\"currentColor\" stroke=\"none\">\n"
      "<title>{2}: critical-difference diagram</title>\n<desc>{3}</desc>\n{5}<g stroke=\"currentColor\" "
      "fill=\"none\">\n",
      picture.width, picture.height, html_escaped(comparison.metric), html_escaped(description(comparison)),
      use == PictureUse::file ? " color=\"black\"" : "",
      use == PictureUse::file ? "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" : "");
  for (const Stroke& stroke : picture.strokes)
    text +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"{}\"/>\n",
                    stroke.x1, stroke.y1, stroke.x2, stroke.y2, stroke.width);
  text += "</g>\n";
  for (const Label& label : picture.labels)
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", label.x, label.y,
                        svg_anchor(label.anchor), html_escaped(label.text));
  return text + "</svg>\n";
}

std::string cd_diagram_tikz(const Comparison& comparison) {
  const Picture picture = paint(comparison);
  std::string text =
      "% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,inner sep=0pt,font=\\small]\n";
  for (const Stroke& stroke : picture.strokes)
    text += fmt::format("\\draw[line width={:.2f}pt] ({:.1f},{:.1f}) -- ({:.1f},{:.1f});\n",
                        stroke.width * 0.75, stroke.x1, stroke.y1, stroke.x2, stroke.y2);
  for (const Label& label : picture.labels)
    text += fmt::format("\\node[anchor={}] at ({:.1f},{:.1f}) {{{}}};\n", tikz_anchor(label.anchor), label.x,
                        label.y, latex_escaped(label.text));
  return text + "\\end{tikzpicture}\n";
}

}  // namespace coppice

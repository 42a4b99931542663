#include "experiments/report/report.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "experiments/report/figures.h"
#include "experiments/report/page_files.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/statistics/decided.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/escape.h"
#include "experiments/tables/published_table.h"

namespace coppice {

namespace {

constexpr std::size_t most_failures_shown = 200;
constexpr std::size_t most_rows_open = 15;

/// A comparison of all algorithms on one metric, or why there is none.
struct MetricComparison {
  const Metric* metric = nullptr;
  std::optional<Comparison> comparison;
  std::string why_not;
};

std::vector<MetricComparison> compare_all(const ResultSet& results, double alpha) {
  std::vector<MetricComparison> all;
  CompareOptions options;
  options.alpha = alpha;
  options.bayesian = false;
  for (const Metric& metric : results.metrics) {
    if (metric.description->cost) continue;
    MetricComparison entry;
    entry.metric = &metric;
    try {
      entry.comparison = compare_algorithms(results, metric, options);
    } catch (const Error& error) {
      entry.why_not = error.message();
    }
    all.push_back(std::move(entry));
  }
  return all;
}

/// JSON that may stand inside a script element: no '<' can end it.
std::string json_for_script(const nlohmann::ordered_json& json) {
  const std::string plain = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (const char character : plain) {
    if (character == '<') {
      safe += "\\u003c";
    } else {
      safe += character;
    }
  }
  return safe;
}

std::string paragraph(const std::string& text, const std::string& style = "") {
  return style.empty() ? fmt::format("<p>{}</p>\n", html_escaped(text))
                       : fmt::format("<p class=\"{}\">{}</p>\n", style, html_escaped(text));
}

/// Escaped, but with its line breaks.
std::string preformatted(const std::string& text) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += html_escaped(std::string_view(text).substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", lines);
}

std::string wide_table(const Table& table) {
  return fmt::format("<div class=\"wide\" tabindex=\"0\">\n{}</div>\n", render_html(table));
}

/// Writes the page section by section.
class ReportWriter {
 public:
  ReportWriter(const ResultSet& results, const ReportContext& context)
      : results_(results), context_(context), comparisons_(compare_all(results, context.alpha)) {}

  std::string write() {
    add_summary();
    add_tables();
    add_published();
    add_comparisons();
    add_figures();
    add_chosen_parameters();
    add_failures();
    add_provenance();
    return page();
  }

 private:
  void open_section(const std::string& id, const std::string& heading) {
    contents_.emplace_back(id, heading);
    body_ +=
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n",
                    id, html_escaped(heading));
  }
  void close_section() { body_ += "</section>\n"; }
  void add(const std::string& html) { body_ += html; }

  std::size_t missing_trials() const {
    return results_.planned_trials -
           std::min(results_.planned_trials, results_.finished_trials + results_.failed_trials);
  }

  void add_summary() {
    open_section("summary", "Summary");
    if (missing_trials() > 0)
      add(paragraph(
          fmt::format("Unfinished: {} of {} trials have no result yet. What follows is what is there; cells "
                      "marked † or — will change.",
                      missing_trials(), results_.planned_trials),
          "notice"));
    if (results_.failed_trials > 0)
      add(paragraph(fmt::format("{} trials failed; see Failures.", results_.failed_trials), "notice"));
    add(fmt::format(
        "<dl class=\"facts\"><div><dt>datasets</dt><dd>{}</dd></div><div><dt>algorithms</dt><dd>{}</dd></div>"
        "<div><dt>trials finished</dt><dd>{} of {}</dd></div><div><dt>failed</dt><dd>{}</dd></div></dl>\n",
        results_.datasets.size(), results_.algorithms.size(), results_.finished_trials,
        results_.planned_trials, results_.failed_trials));
    add("<ul>\n");
    for (const MetricComparison& each : comparisons_)
      add(fmt::format("<li>{}</li>\n", html_escaped(headline(each))));
    add("</ul>\n");
    if (missing_trials() > 0) add_decided();
    close_section();
  }

  /// Who leads on a metric, and who cannot be told apart from the leader.
  std::string headline(const MetricComparison& each) const {
    if (!each.comparison) return each.why_not;
    const Comparison& comparison = *each.comparison;
    if (!comparison.nemenyi)
      return fmt::format("{}: one dataset with all trials; see its tests below", comparison.metric);
    const NemenyiTest& nemenyi = *comparison.nemenyi;
    const std::size_t leader = nemenyi.order[0];
    std::string text =
        fmt::format("{}: best average rank {} ({:.2f} over {} datasets; Friedman p = {})", comparison.metric,
                    comparison.algorithms[leader], comparison.friedman->average_ranks[leader],
                    comparison.datasets.size(), probability_text(comparison.friedman->chi_square_p));
    if (nemenyi.bars.empty() || nemenyi.bars[0].first > 0)
      return text + ", significantly better than every other (Nemenyi)";
    std::vector<std::string> others;
    for (std::size_t place = 1; place <= nemenyi.bars[0].last; ++place)
      others.push_back(comparison.algorithms[nemenyi.order[place]]);
    return text + fmt::format(", not significantly better (Nemenyi) than {}", fmt::join(others, ", "));
  }

  void add_decided() {
    add("<h3>Already decided</h3>\n");
    add(paragraph(fmt::format("What the missing trials cannot change, by the sign test over datasets at {}.",
                              context_.alpha)));
    for (const MetricComparison& each : comparisons_) {
      const std::vector<DecidedPair> pairs = decided_pairs(results_, *each.metric, context_.alpha);
      const auto open = std::count_if(pairs.begin(), pairs.end(), [](const DecidedPair& pair) {
        return pair.verdict == DecidedPair::Verdict::open;
      });
      add(fmt::format("<details>\n<summary>{}: {} of {} pairs decided</summary>\n{}</details>\n",
                      html_escaped(each.metric->name), pairs.size() - static_cast<std::size_t>(open),
                      pairs.size(), wide_table(decided_table(results_, pairs))));
    }
  }

  void add_tables() {
    open_section("tables", "Tables");
    bool first_score = true;
    for (const Metric& metric : results_.metrics) {
      const bool open = first_score && !metric.description->cost;
      if (open) first_score = false;
      add(fmt::format("<details class=\"sortable\"{}>\n<summary>{}</summary>\n{}</details>\n",
                      open ? " open" : "", html_escaped(metric.name),
                      wide_table(comparison_table(results_, metric))));
    }
    close_section();
  }

  void add_published() {
    std::string tables;
    for (const Metric& metric : results_.metrics)
      if (const auto table = published_table(results_, metric)) tables += wide_table(*table);
    if (tables.empty()) return;
    open_section("published", "Beside published values");
    add(tables);
    close_section();
  }

  void add_comparisons() {
    if (comparisons_.empty()) return;
    open_section("comparisons", "Statistical comparison");
    bool first = true;
    for (const MetricComparison& each : comparisons_) {
      add(fmt::format("<details{}>\n<summary>{}</summary>\n", first ? " open" : "",
                      html_escaped(each.metric->name)));
      first = false;
      if (!each.comparison) {
        add(paragraph(each.why_not) + "</details>\n");
        continue;
      }
      for (const std::string& warning : each.comparison->warnings)
        add(paragraph(fmt::format("Beware: {}.", warning), "notice"));
      if (each.comparison->nemenyi) {
        add("<ul>\n");
        for (const std::string& finding : overall_findings(*each.comparison))
          add(fmt::format("<li>{}</li>\n", html_escaped(finding)));
        add("</ul>\n");
        add(fmt::format("<div class=\"wide\" tabindex=\"0\">\n{}</div>\n", cd_diagram_svg(*each.comparison)));
      }
      for (const Table& table : comparison_tables(*each.comparison))
        add(table.rows.size() <= most_rows_open
                ? wide_table(table)
                : fmt::format("<details class=\"sortable\">\n<summary>{}</summary>\n{}</details>\n",
                              html_escaped(table.title), wide_table(table)));
      add("</details>\n");
    }
    close_section();
  }

  void add_figures() {
    const std::vector<Figure> figures = all_figures(results_);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Figure& figure : figures) list.push_back(figure_json(figure));
    figures_ = json_for_script(list);
    const auto add_kind = [&](FigureKind kind, const std::string& id, const std::string& heading,
                              const std::string& explanation) {
      const bool any = std::any_of(figures.begin(), figures.end(),
                                   [&](const Figure& figure) { return figure.kind == kind; });
      if (!any) return;
      open_section(id, heading);
      add(paragraph(explanation));
      add(
          fmt::format("<div class=\"figure\" data-kind=\"{}\"><noscript><p>Charts need JavaScript; their "
                      "numbers are in the "
                      "tables.</p></noscript></div>\n",
                      id));
      close_section();
    };
    add_kind(FigureKind::cost, "cost", "Score against cost",
             "Each point is an algorithm, bars are one standard deviation; the dashed line joins those that "
             "no other beats "
             "in both (the Pareto front).");
    add_kind(FigureKind::curve, "curve", "Swept parameters",
             "Means over a swept parameter, bands of one standard deviation.");
    add_kind(FigureKind::heat, "heat", "Two parameters at once",
             "The mean score for every combination, the stronger the colour the better.");
    add_kind(FigureKind::boxes, "boxes", "Distribution over trials",
             "Median, quartiles, whiskers to the farthest score within 1.5 times the distance of the "
             "quartiles, outliers.");
  }

  void add_chosen_parameters() {
    if (context_.chosen.empty()) return;
    // How often each value was chosen, per dataset, algorithm and parameter, in the order of first
    // appearance.
    std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, std::size_t>> counts;
    for (const ChosenParameters& chosen : context_.chosen)
      for (const auto& [name, value] : chosen.values)
        ++counts[{chosen.dataset, chosen.algorithm, name}][value];
    Table table;
    table.title = "How often tuning chose each value";
    table.row_kind = "dataset, algorithm";
    table.columns = {{"parameter"}, {"values chosen"}};
    for (const auto& [place, values] : counts) {
      std::vector<std::string> texts;
      for (const auto& [value, count] : values) texts.push_back(fmt::format("{} ({}×)", value, count));
      table.rows.push_back({fmt::format("{}, {}", std::get<0>(place), std::get<1>(place))});
      table.cells.push_back({{std::get<2>(place)}, {fmt::format("{}", fmt::join(texts, ", "))}});
    }
    open_section("chosen", "Chosen hyper-parameters");
    add(fmt::format("<details class=\"sortable\" open>\n<summary>All</summary>\n{}</details>\n",
                    wide_table(table)));
    close_section();
  }

  void add_failures() {
    Table table;
    table.title = "Trials that failed";
    table.row_kind = "dataset";
    table.columns = {{"algorithm"}, {"repeat"}, {"fold"}, {"reason"}};
    std::size_t failed = 0;
    for (const Hole& hole : results_.holes) {
      if (hole.reason == "missing" || ++failed > most_failures_shown) continue;
      table.rows.push_back({hole.dataset});
      table.cells.push_back({{hole.algorithm},
                             {fmt::format("{}", hole.repeat)},
                             {fmt::format("{}", hole.fold)},
                             {hole.reason}});
    }
    if (failed == 0) return;
    if (failed > most_failures_shown)
      table.notes.push_back(fmt::format("{} more are in results.json.", failed - most_failures_shown));
    open_section("failures", "Failures");
    add(fmt::format("<details class=\"sortable\" open>\n<summary>{} failed</summary>\n{}</details>\n", failed,
                    wide_table(table)));
    close_section();
  }

  void add_provenance() {
    open_section("provenance", "Provenance");
    add(paragraph(fmt::format("Made by {} on {}.", context_.program, context_.made)));
    if (!context_.provenance.empty())
      add("<details>\n<summary>provenance.json</summary>\n" +
          preformatted(context_.provenance.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) +
          "</details>\n");
    if (!context_.config.empty())
      add("<details>\n<summary>The config as it was understood</summary>\n" + preformatted(context_.config) +
          "</details>\n");
    close_section();
  }

  std::string page() const {
    std::string links;
    for (const auto& [id, heading] : contents_)
      links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, html_escaped(heading));
    const std::string refresh =
        context_.refresh_seconds > 0
            ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", context_.refresh_seconds)
            : "";
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src "
        "'unsafe-inline'; img-src data:\">\n{}<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
        "<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n<h1>{}</h1>\n"
        "<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n</header>\n<main id=\"main\">\n",
        refresh, html_escaped(context_.title), report_css, html_escaped(context_.title), links);
    text += body_;
    text += "</main>\n<script type=\"application/json\" id=\"figures\">";
    text += figures_;
    text += "</script>\n<script>\n";
    text += chart_js;
    text += "\n</script>\n<script>\n";
    text += report_js;
    text += "</script>\n</body>\n</html>\n";
    return text;
  }

  const ResultSet& results_;
  const ReportContext& context_;
  std::vector<MetricComparison> comparisons_;
  std::vector<std::pair<std::string, std::string>> contents_;
  std::string body_;
  std::string figures_;
};

}  // namespace

std::string report_html(const ResultSet& results, const ReportContext& context) {
  return ReportWriter(results, context).write();
}

std::vector<FigureFile> figure_files(const ResultSet& results, double alpha) {
  std::vector<FigureFile> files;
  std::map<std::string, int> used;
  for (const Figure& figure : all_figures(results)) {
    // Names that differ only in signs that a file name should not have.
    const int times = ++used[figure.name];
    const std::string name = times == 1 ? figure.name : fmt::format("{}-{}", figure.name, times);
    files.push_back({name + ".svg", figure_svg(figure)});
    files.push_back({name + ".csv", figure_csv(figure)});
  }
  for (const MetricComparison& each : compare_all(results, alpha)) {
    if (!each.comparison || !each.comparison->nemenyi) continue;
    const std::string name = figure_name({"critical-difference", each.metric->name});
    files.push_back({name + ".svg", cd_diagram_svg(*each.comparison)});
    files.push_back({name + ".tex", cd_diagram_tikz(*each.comparison)});
    files.push_back({name + ".csv", render_csv(rank_summary_table(*each.comparison))});
  }
  return files;
}

}  // namespace coppice

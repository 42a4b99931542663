#include "experiments/report/report.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/report/figures.h"
#include "experiments/report/metric_comparisons.h"
#include "experiments/report/page.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/statistics/decided.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/pivot_table.h"
#include "experiments/tables/published_table.h"

namespace coppice {

namespace {

constexpr std::size_t most_failures_shown = 200;
constexpr std::size_t most_rows_open = 15;

/// Enough for the eye.
std::string shown_number(double value) {
  return fmt::format("{:.5g}", value);
}

/// Writes the page section by section.
class ReportWriter {
 public:
  ReportWriter(const ResultSet& results, const ReportContext& context)
      : results_(results), context_(context), comparisons_(compare_all_metrics(results, context.alpha)) {}

  std::string write() {
    add_summary();
    add_tables();
    add_published();
    add_comparisons();
    add_figures();
    add_chosen_parameters();
    add_data();
    add_failures();
    add_provenance();
    return page_.html(context_.title, charts_, context_.refresh_seconds);
  }

 private:
  std::size_t missing_trials() const {
    return results_.planned_trials -
           std::min(results_.planned_trials, results_.finished_trials + results_.failed_trials);
  }

  void add_summary() {
    page_.open_section("summary", "Summary");
    if (missing_trials() > 0)
      page_.add(paragraph(
          fmt::format("Unfinished: {} of {} trials have no result yet. What follows is what is there; cells "
                      "marked † or — will change.",
                      missing_trials(), results_.planned_trials),
          "notice"));
    if (results_.failed_trials > 0)
      page_.add(paragraph(fmt::format("{} trials failed; see Failures.", results_.failed_trials), "notice"));
    page_.add(fmt::format(
        "<dl class=\"facts\"><div><dt>datasets</dt><dd>{}</dd></div><div><dt>algorithms</dt><dd>{}</dd></div>"
        "<div><dt>trials finished</dt><dd>{} of {}</dd></div><div><dt>failed</dt><dd>{}</dd></div></dl>\n",
        results_.datasets.size(), results_.algorithms.size(), results_.finished_trials,
        results_.planned_trials, results_.failed_trials));
    std::vector<std::string> sentences;
    for (const MetricComparison& each : comparisons_) sentences.push_back(headline(each));
    page_.add_list(sentences);
    if (missing_trials() > 0) add_decided();
    page_.close_section();
  }

  void add_decided() {
    page_.add("<h3>Already decided</h3>\n");
    page_.add(paragraph(fmt::format(
        "What the missing trials cannot change, by the sign test over datasets at {}.", context_.alpha)));
    for (const MetricComparison& each : comparisons_) {
      const std::vector<DecidedPair> pairs = decided_pairs(results_, *each.metric, context_.alpha);
      const auto open = std::count_if(pairs.begin(), pairs.end(), [](const DecidedPair& pair) {
        return pair.verdict == DecidedPair::Verdict::open;
      });
      page_.add(folded(fmt::format("{}: {} of {} pairs decided", each.metric->name,
                                   pairs.size() - static_cast<std::size_t>(open), pairs.size()),
                       wide_table(decided_table(results_, pairs))));
    }
  }

  void add_tables() {
    page_.open_section("tables", "Tables");
    bool first_score = true;
    for (const Metric& metric : results_.metrics) {
      const bool open = first_score && !metric.description->cost;
      if (open) first_score = false;
      page_.add(folded(metric.name, wide_table(comparison_table(results_, metric)), {open, true}));
    }
    page_.close_section();
  }

  void add_published() {
    std::string tables;
    for (const Metric& metric : results_.metrics)
      if (const auto table = published_table(results_, metric))
        tables += folded(metric.name, wide_table(*table), {tables.empty(), true});
    if (tables.empty()) return;
    page_.open_section("published", "Beside published values");
    page_.add(tables);
    page_.close_section();
  }

  void add_comparisons() {
    if (comparisons_.empty()) return;
    page_.open_section("comparisons", "Statistical comparison");
    bool first = true;
    for (const MetricComparison& each : comparisons_) {
      page_.add(folded(each.metric->name,
                       each.comparison ? comparison_html(*each.comparison) : paragraph(each.why_not),
                       {first, false}));
      first = false;
    }
    page_.close_section();
  }

  static std::string comparison_html(const Comparison& comparison) {
    std::string html;
    for (const std::string& warning : comparison.warnings)
      html += paragraph(fmt::format("Beware: {}.", warning), "notice");
    if (comparison.nemenyi) {
      for (const std::string& finding : overall_findings(comparison)) html += paragraph(finding + ".");
      html += fmt::format("<div class=\"wide\" tabindex=\"0\">\n{}</div>\n",
                          cd_diagram_svg(comparison, PictureUse::in_page));
    }
    for (const Table& table : comparison_tables(comparison))
      html += table.rows.size() <= most_rows_open ? wide_table(table)
                                                  : folded(table.title, wide_table(table), {false, true});
    return html;
  }

  void add_figures() {
    const std::vector<Figure> figures = all_figures(results_);
    charts_ = nlohmann::ordered_json::array();
    for (const Figure& figure : figures) charts_.push_back(figure_json(figure));
    add_charts(
        figures, FigureKind::cost, "Score against cost",
        "Each point is an algorithm, bars are one standard deviation; the dashed line joins those that "
        "no other beats in both (the Pareto front).");
    add_charts(figures, FigureKind::curve, "Swept parameters",
               "Means over a swept parameter, bands of one standard deviation.", pivot_tables());
    add_charts(figures, FigureKind::learning, "Learning curves",
               "Means over the number of training rows, bands of one standard deviation.");
    add_charts(figures, FigureKind::heat, "Two parameters at once",
               "The mean score for every combination, the stronger the colour the better.");
    add_charts(figures, FigureKind::boxes, "Distribution over trials",
               "Median, quartiles, whiskers to the farthest score within 1.5 times the distance of the "
               "quartiles, outliers.");
  }

  /// A place where the page's script draws the charts of a kind; without scripts, their numbers.
  void add_charts(const std::vector<Figure>& figures, FigureKind kind, const std::string& heading,
                  const std::string& explanation, const std::string& more = "") {
    std::string numbers;
    for (const Figure& figure : figures)
      if (figure.kind == kind)
        numbers += folded(figure.title, wide_table(figure_table(figure, shown_number)));
    if (numbers.empty()) return;
    page_.open_section(figure_kind_name(kind), heading);
    page_.add(paragraph(explanation));
    page_.add(
        fmt::format("<div class=\"figure\" data-kind=\"{}\"><noscript>\n<p>Charts need JavaScript; these are "
                    "their numbers.</p>\n{}</noscript></div>\n{}",
                    figure_kind_name(kind), numbers, more));
    page_.close_section();
  }

  /// Every swept parameter as the columns of a table.
  std::string pivot_tables() const {
    std::string html;
    for (const std::string& parameter : swept_parameters(results_))
      for (const Metric& metric : results_.metrics)
        html += folded(fmt::format("{} by {}", metric.name, parameter),
                       wide_table(pivot_table(results_, metric, parameter)), {false, true});
    return html;
  }

  void add_chosen_parameters() {
    if (results_.chosen.empty()) return;
    // How often each value was chosen, per dataset, algorithm and parameter.
    std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, std::size_t>> counts;
    for (const ChosenParameters& chosen : results_.chosen)
      for (const auto& [name, value] : chosen.values)
        ++counts[{chosen.dataset, chosen.algorithm, name}][value];
    Table table;
    table.title = "How often tuning chose each value";
    table.row_kind = "dataset";
    table.columns = {{"algorithm"}, {"parameter"}, {"values chosen"}};
    for (const auto& [place, values] : counts) {
      std::vector<std::string> texts;
      for (const auto& [value, count] : values) texts.push_back(fmt::format("{} ({}×)", value, count));
      table.rows.push_back({std::get<0>(place)});
      table.cells.push_back(
          {{std::get<1>(place)}, {std::get<2>(place)}, {fmt::format("{}", fmt::join(texts, ", "))}});
    }
    page_.open_section("chosen", "Chosen hyper-parameters");
    page_.add(folded("All", wide_table(table), {true, true}));
    page_.close_section();
  }

  void add_data() {
    if (results_.dataset_details.empty()) return;
    Table table;
    table.title = "Sizes; training and test rows are those of the first split";
    table.row_kind = "dataset";
    table.columns = {{"task"}, {"training rows"}, {"test rows"}, {"features"}, {"outputs"}};
    const auto count = [](std::size_t value) { return TableCell{fmt::format("{}", value)}; };
    for (const DatasetDetail& detail : results_.dataset_details) {
      table.rows.push_back({detail.name});
      table.cells.push_back({{detail.task},
                             count(detail.train),
                             count(detail.test),
                             count(detail.features),
                             count(detail.outputs)});
    }
    page_.open_section("data", "Data");
    page_.add(folded("Datasets", wide_table(table), {table.rows.size() <= most_rows_open, true}));
    page_.close_section();
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
    page_.open_section("failures", "Failures");
    page_.add(folded(fmt::format("{} failed", failed), wide_table(table), {true, true}));
    page_.close_section();
  }

  void add_provenance() {
    page_.open_section("provenance", "Provenance");
    page_.add(paragraph(fmt::format("Made by {} on {}.", context_.program, context_.made)));
    if (!context_.provenance.empty())
      page_.add(folded("provenance.json", preformatted(context_.provenance.dump(
                                              2, ' ', false, nlohmann::json::error_handler_t::replace))));
    if (!context_.config.empty())
      page_.add(folded("The config as it was understood", preformatted(context_.config)));
    page_.close_section();
  }

  const ResultSet& results_;
  const ReportContext& context_;
  std::vector<MetricComparison> comparisons_;
  Page page_;
  nlohmann::ordered_json charts_;
};

}  // namespace

std::string report_html(const ResultSet& results, const ReportContext& context) {
  return ReportWriter(results, context).write();
}

}  // namespace coppice

#include "experiments/statistics/compare_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/tables/display_width.h"
#include "experiments/tables/escape.h"
#include "experiments/tables/number_format.h"

namespace coppice {

namespace {

/// `better` and `worse` seen from the first algorithm, whatever the direction of the metric.
std::string direction(const Comparison& comparison, double first_minus_second) {
  if (first_minus_second == 0.0) return "(=)";
  return (first_minus_second > 0.0) == comparison.higher_is_better ? "(>)" : "(<)";
}

/// `a`, `ab`, …: a letter for each bar that an algorithm is in.
std::vector<std::string> bar_letters(const NemenyiTest& nemenyi) {
  std::vector<std::string> letters(nemenyi.order.size());
  for (std::size_t bar = 0; bar < nemenyi.bars.size(); ++bar)
    for (std::size_t place = nemenyi.bars[bar].first; place <= nemenyi.bars[bar].last; ++place)
      letters[nemenyi.order[place]] += static_cast<char>('a' + bar % 26);
  return letters;
}

TableCell probability_cell(double p, double alpha) {
  return {probability_text(p), p <= alpha ? Emphasis::best : Emphasis::none};
}

std::string pair_name(const Comparison& comparison, std::size_t first, std::size_t second) {
  return fmt::format("{} – {}", comparison.algorithms[first], comparison.algorithms[second]);
}

std::string signed_number(double value) {
  return fmt::format("{:+.3g}", value);
}

}  // namespace

std::vector<std::string> overall_findings(const Comparison& comparison) {
  std::vector<std::string> findings;
  if (!comparison.friedman) return findings;
  const FriedmanTest& friedman = *comparison.friedman;
  const std::size_t degrees = friedman.algorithms - 1;
  findings.push_back(fmt::format("Friedman over {} datasets: χ²({}) = {:.4g}, p = {} (corrected for ties)",
                                 friedman.datasets, degrees, friedman.chi_square,
                                 probability_text(friedman.chi_square_p)));
  findings.push_back(fmt::format("Iman-Davenport: F({}, {}) = {:.4g}, p = {}", degrees,
                                 degrees * (friedman.datasets - 1), friedman.f,
                                 probability_text(friedman.f_p)));
  findings.push_back(fmt::format("agreement of the datasets (Kendall's W): {:.3f}", friedman.kendall_w));
  findings.push_back(fmt::format("Nemenyi: average ranks differ from {:.3f} on (critical difference, α = {})",
                                 comparison.nemenyi->critical_difference, comparison.options.alpha));
  return findings;
}

Table rank_summary_table(const Comparison& comparison) {
  Table table;
  table.title =
      fmt::format("{}: average ranks over {} datasets", comparison.metric, comparison.datasets.size());
  table.row_kind = "algorithm";
  table.columns = {{"average rank"}, {"not told apart"}};
  const NemenyiTest& nemenyi = *comparison.nemenyi;
  const std::vector<double>& averages = comparison.friedman->average_ranks;
  const NumberFormat format{separating_decimals(averages, 2, 4), false};
  const std::vector<std::string> letters = bar_letters(nemenyi);
  for (const std::size_t algorithm : nemenyi.order) {
    table.rows.push_back({comparison.algorithms[algorithm]});
    table.cells.push_back({{format.text(averages[algorithm])}, {letters[algorithm]}});
  }
  table.notes = {"Algorithms that share a letter are less than the critical difference apart."};
  return table;
}

Table wilcoxon_table(const Comparison& comparison) {
  Table table;
  table.title = fmt::format("{}: Wilcoxon signed-rank p-values over {} datasets", comparison.metric,
                            comparison.datasets.size());
  table.row_kind = table.column_kind = "algorithm";
  for (const std::string& name : comparison.algorithms) {
    table.rows.push_back({name});
    table.columns.push_back({name});
  }
  table.cells.assign(comparison.algorithms.size(), std::vector<TableCell>(comparison.algorithms.size()));
  bool all_exact = true;
  for (const PairComparison& pair : comparison.pairs) {
    const double difference = pair.wilcoxon.positive_ranks - pair.wilcoxon.negative_ranks;
    const Emphasis emphasis = pair.holm <= comparison.options.alpha ? Emphasis::best : Emphasis::none;
    const std::string p = probability_text(pair.wilcoxon.p);
    table.cells[pair.first][pair.second] = {p + " " + direction(comparison, difference), emphasis};
    table.cells[pair.second][pair.first] = {p + " " + direction(comparison, -difference), emphasis};
    all_exact = all_exact && pair.wilcoxon.exact;
  }
  table.notes = {
      fmt::format("(>): the row is better than the column. Bold: at most {} after Holm's correction for {} "
                  "comparisons. Two-sided, {}; {}.",
                  comparison.options.alpha, comparison.pairs.size(),
                  all_exact ? "exact" : "normal approximation where there are over 50 differences",
                  zero_handling_text(comparison.options.zeros))};
  return table;
}

Table pair_table(const Comparison& comparison) {
  Table table;
  table.title =
      fmt::format("{}: pairs of algorithms over {} datasets", comparison.metric, comparison.datasets.size());
  table.row_kind = "pair";
  table.columns = {{"wins/ties/losses"}, {"median difference"}, {"rank-biserial"}, {"Wilcoxon p"},
                   {"Holm p"},           {"Nemenyi p"},         {"t-test p"},      {"Cohen d"}};
  if (comparison.options.bayesian)
    for (const char* name : {"P(better)", "P(equal)", "P(worse)"}) table.columns.push_back({name});
  const double alpha = comparison.options.alpha;
  for (const PairComparison& pair : comparison.pairs) {
    table.rows.push_back({pair_name(comparison, pair.first, pair.second)});
    table.cells.push_back({{fmt::format("{}/{}/{}", pair.first_wins, pair.ties, pair.second_wins)},
                           {signed_number(pair.wilcoxon.median_difference)},
                           {fmt::format("{:+.2f}", pair.wilcoxon.rank_biserial)},
                           {probability_text(pair.wilcoxon.p)},
                           probability_cell(pair.holm, alpha),
                           pair.nemenyi_p ? probability_cell(*pair.nemenyi_p, alpha) : TableCell{"—"},
                           {pair.student.pairs > 1 ? probability_text(pair.student.p) : "—"},
                           {pair.student.pairs > 1 ? signed_number(pair.student.cohen_d) : "—"}});
    if (!pair.bayesian) continue;
    for (const double posterior :
         {pair.bayesian->first_better, pair.bayesian->equal, pair.bayesian->second_better})
      table.cells.back().push_back(
          {fmt::format("{:.3f}", posterior), posterior >= 1.0 - alpha ? Emphasis::best : Emphasis::none});
  }
  table.notes = {
      "Differences are first minus second. Student's t takes the means of the datasets as samples of one "
      "normal "
      "distribution, which they seldom are."};
  if (comparison.options.bayesian)
    table.notes.push_back(
        fmt::format("P: the Bayesian signed-rank test's posterior that the first is practically better, "
                    "equal or worse on a further dataset, differences up to {:.3g} meaning nothing.",
                    comparison.rope));
  return table;
}

Table dataset_test_table(const Comparison& comparison) {
  Table table;
  table.title = fmt::format("{}: paired t-tests on each dataset", comparison.metric);
  table.row_kind = "dataset";
  table.column_kind = "pair";
  for (const std::string& dataset : comparison.datasets) table.rows.push_back({dataset});
  for (const PairComparison& pair : comparison.pairs)
    table.columns.push_back({pair_name(comparison, pair.first, pair.second)});
  table.cells.assign(table.rows.size(), std::vector<TableCell>(table.columns.size(), TableCell{"—"}));
  bool corrected = false;
  bool plain = false;
  for (std::size_t column = 0; column < comparison.pairs.size(); ++column) {
    const PairComparison& pair = comparison.pairs[column];
    for (const DatasetComparison& each : comparison.on_datasets) {
      if (each.first != pair.first || each.second != pair.second) continue;
      const PairedTTest& test = each.test.best();
      table.cells[each.dataset][column] = {
          fmt::format("{} {}", probability_text(test.p), direction(comparison, test.mean_difference)),
          test.p <= comparison.options.alpha ? Emphasis::best : Emphasis::none};
      (each.test.corrected ? corrected : plain) = true;
    }
  }
  table.notes = {fmt::format(
      "{}{}{}, two-sided; bold: p at most {}, not corrected for the number of tests. (>): the first "
      "is better.",
      corrected ? "Corrected resampled t-test (Nadeau and Bengio 2003)" : "", corrected && plain ? ", " : "",
      plain ? (corrected ? "Student's where trials are independent" : "Student's paired t-test") : "",
      comparison.options.alpha)};
  return table;
}

namespace {

using TableMaker = Table (*)(const Comparison&);

constexpr std::array<std::pair<const char*, TableMaker>, 4> table_makers{{{"ranks", rank_summary_table},
                                                                          {"wilcoxon", wilcoxon_table},
                                                                          {"pairs", pair_table},
                                                                          {"datasets", dataset_test_table}}};

Table named_table(const Comparison& comparison, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [maker_name, make] : table_makers) {
    known.emplace_back(maker_name);
    if (name != maker_name) continue;
    if (!comparison.nemenyi && name != "datasets")
      throw Error(ErrorKind::usage,
                  fmt::format("{}: the table '{}' needs at least two datasets on which all algorithms have "
                              "all their trials",
                              comparison.metric, name));
    return make(comparison);
  }
  throw Error(ErrorKind::usage,
              fmt::format("a comparison has no table '{}'{}", name, did_you_mean(name, known)));
}

}  // namespace

std::vector<Table> comparison_tables(const Comparison& comparison, const std::vector<std::string>& names) {
  std::vector<std::string> wanted = names;
  if (names.empty()) {
    if (comparison.nemenyi) {
      wanted.emplace_back("ranks");
      if (!comparison.options.baseline) wanted.emplace_back("wilcoxon");
      wanted.emplace_back("pairs");
    }
    // A column for each pair: too many but for one dataset or the pairs with a baseline.
    if (!comparison.on_datasets.empty() && (comparison.options.baseline || comparison.datasets.size() == 1))
      wanted.emplace_back("datasets");
  }
  std::vector<Table> tables;
  for (const std::string& name : wanted) tables.push_back(named_table(comparison, name));
  return tables;
}

std::string render_comparison(const Comparison& comparison, TableFormat format, const TextLayout& layout,
                              const std::vector<std::string>& names) {
  std::string text;
  const auto prose = [&](const std::string& sentence) {
    switch (format) {
      case TableFormat::text:
        for (const std::string& line : wrapped(without_controls(sentence), layout.width)) text += line + '\n';
        break;
      case TableFormat::markdown:
        text += markdown_escaped(sentence) + "\n\n";
        break;
      case TableFormat::latex:
        text += fmt::format("% {}\n", without_controls(sentence));
        break;
      case TableFormat::html:
        text += fmt::format("<p>{}</p>\n", html_escaped(sentence));
        break;
      case TableFormat::csv:
        break;
    }
  };
  for (const std::string& finding : overall_findings(comparison)) prose(finding);
  for (const Table& table : comparison_tables(comparison, names)) {
    if (!text.empty()) text += '\n';
    text += render(table, format, layout);
  }
  if (!comparison.warnings.empty() && format == TableFormat::text) text += '\n';
  for (const std::string& warning : comparison.warnings) prose(fmt::format("warning: {}", warning));
  return text;
}

}  // namespace coppice

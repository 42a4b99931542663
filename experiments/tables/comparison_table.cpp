#include "experiments/tables/comparison_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/statistics/dataset_test.h"
#include "experiments/tables/number_format.h"
#include "experiments/tables/ranks.h"

namespace coppice {

namespace {

constexpr std::size_t most_names_in_note = 8;
const std::string better_mark = " •";
const std::string worse_mark = " ∘";

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// The first few of a list, and how many more there are.
std::string some_of(const std::vector<std::string>& names, const std::string& separator) {
  const std::size_t shown = std::min(names.size(), most_names_in_note);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + std::ptrdiff_t(shown), separator));
  if (shown < names.size()) text += fmt::format("{}and {} more", separator, names.size() - shown);
  return text;
}

std::string shape_text(const TrialShape& shape) {
  if (shape.repeats > 1 && shape.folds > 1)
    return fmt::format("mean ± std over {} of {}", counted(shape.repeats, "repeat"),
                       counted(shape.folds, "fold"));
  if (shape.repeats > 1) return fmt::format("mean ± std over {}", counted(shape.repeats, "repeat"));
  if (shape.folds > 1) return fmt::format("mean ± std over {}", counted(shape.folds, "fold"));
  return "one trial each";
}

/// Best and second best among numbers of which some may be absent; the lowest is best. Nothing stands out
/// where fewer than two are there, and nothing is second where several are best.
std::vector<Emphasis> emphasis_by_rank(const std::vector<std::optional<double>>& ranks) {
  std::vector<double> present;
  for (const auto& rank : ranks)
    if (rank) present.push_back(*rank);
  std::vector<Emphasis> emphasis(ranks.size(), Emphasis::none);
  if (present.size() < 2) return emphasis;
  std::sort(present.begin(), present.end());
  const double best = present[0];
  const bool one_best = present[1] > best;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!ranks[i]) continue;
    if (*ranks[i] == best)
      emphasis[i] = Emphasis::best;
    else if (one_best && *ranks[i] == present[1])
      emphasis[i] = Emphasis::second;
  }
  return emphasis;
}

/// Builds one table, datasets as rows.
class Builder {
 public:
  Builder(const ResultSet& results, const Metric& metric, const ComparisonOptions& options)
      : results_(results), options_(options), grid_(results, metric), ranks_(rank_algorithms(grid_)) {}

  Table build() {
    find_baseline();
    table_.row_kind = "dataset";
    table_.column_kind = "algorithm";
    for (const std::string& algorithm : results_.algorithms) table_.columns.push_back({algorithm});
    for (std::size_t dataset = 0; dataset < grid_.datasets(); ++dataset)
      if (!grid_.inapplicable(dataset)) add_dataset(dataset);
    if (options_.ranks) add_average_ranks();
    table_.title = title();
    add_notes();
    return options_.rows == TableRows::datasets ? table_ : table_.transposed();
  }

 private:
  std::string title() const {
    std::string text = grid_.metric().name + ", ";
    std::optional<TrialShape> common;
    bool alike = true;
    for (std::size_t dataset = 0; dataset < grid_.datasets(); ++dataset) {
      if (grid_.inapplicable(dataset) || grid_.shape(dataset).repeats == 0) continue;
      if (!common) common = grid_.shape(dataset);
      alike = alike && *common == grid_.shape(dataset);
    }
    if (!common) {
      text += "no results yet";
    } else {
      text +=
          alike ? shape_text(*common) : "mean ± std over repeats, or over folds where there is one repeat";
    }
    if (options_.ranks) text += " (rank)";
    return text + (grid_.metric().description->higher_is_better ? ", higher is better" : ", lower is better");
  }

  void add_dataset(std::size_t dataset) {
    const NumberFormat format = dataset_format(grid_, dataset);
    const std::vector<Emphasis> emphasis = emphasis_by_rank(ranks_.ranks[dataset]);
    std::vector<TableCell> line;
    for (std::size_t algorithm = 0; algorithm < grid_.algorithms(); ++algorithm) {
      line.push_back(make_cell(dataset, algorithm, format));
      line.back().emphasis = emphasis[algorithm];
    }
    table_.rows.push_back({results_.datasets[dataset]});
    table_.cells.push_back(std::move(line));
  }

  void find_baseline() {
    if (!options_.baseline) return;
    baseline_ = NameIndex(results_.algorithms).find(*options_.baseline);
    if (!baseline_)
      throw Error(ErrorKind::usage,
                  fmt::format("there is no algorithm '{}' to compare with{}", *options_.baseline,
                              did_you_mean(*options_.baseline, results_.algorithms)));
  }

  /// Whether an algorithm is better or worse than the baseline beyond chance.
  std::string significance(std::size_t dataset, std::size_t algorithm) {
    if (!baseline_ || algorithm == *baseline_) return "";
    const auto test = test_on_dataset(grid_, results_, dataset, algorithm, *baseline_);
    if (!test) return "";
    (test->corrected ? used_corrected_ : used_student_) = true;
    if (test->best().p > options_.alpha) return "";
    const bool higher = test->best().mean_difference > 0.0;
    return higher == grid_.metric().description->higher_is_better ? better_mark : worse_mark;
  }

  TableCell make_cell(std::size_t dataset, std::size_t algorithm, const NumberFormat& format) {
    const GridCell& cell = grid_.cell(dataset, algorithm);
    const std::optional<double> rank = ranks_.ranks[dataset][algorithm];
    if (cell.has_holes()) note_holes(dataset, algorithm);
    if (!cell.has_value()) return {no_value};
    const Summary& summary = cell.summary;
    std::string text = summary_text(format, summary);
    text += significance(dataset, algorithm);
    if (options_.ranks && rank) text += fmt::format(" ({})", rank_text(*rank));
    if (cell.has_holes()) text += incomplete_mark;
    return {text, Emphasis::none, CellNumbers{summary.mean, summary.deviation, rank, summary.count}};
  }

  void note_holes(std::size_t dataset, std::size_t algorithm) {
    const GridCell& cell = grid_.cell(dataset, algorithm);
    std::vector<std::string> parts;
    if (cell.failed > 0) parts.push_back(fmt::format("{} {}", cell.failed, cell.failure));
    if (cell.undefined > 0) parts.push_back(fmt::format("{} undefined", cell.undefined));
    if (cell.missing > 0) parts.push_back(fmt::format("{} missing", cell.missing));
    if (cell.aside > 0) parts.push_back(fmt::format("{} set aside till all have that repeat", cell.aside));
    holes_.push_back(fmt::format("{} on {}: {}{}", results_.algorithms[algorithm], results_.datasets[dataset],
                                 fmt::join(parts, ", "),
                                 cell.has_value() && !cell.complete ? ", not ranked" : ""));
  }

  void add_average_ranks() {
    std::vector<double> present;
    for (const auto& average : ranks_.averages)
      if (average) present.push_back(*average);
    if (present.size() < 2) return;
    const NumberFormat format{separating_decimals(present, 1, 3), false};
    const std::vector<Emphasis> emphasis = emphasis_by_rank(ranks_.averages);
    std::vector<TableCell> line;
    for (std::size_t algorithm = 0; algorithm < grid_.algorithms(); ++algorithm) {
      const auto& average = ranks_.averages[algorithm];
      if (!average) {
        line.push_back({no_value});
        continue;
      }
      line.push_back({format.text(*average), emphasis[algorithm],
                      CellNumbers{*average, std::nullopt, std::nullopt, ranks_.datasets_averaged}});
    }
    table_.rows.push_back({"average rank", true});
    table_.cells.push_back(std::move(line));
  }

  void note_baseline() {
    if (!baseline_) return;
    std::string test =
        used_corrected_ ? "corrected resampled t-test (Nadeau and Bengio 2003)" : "paired t-test";
    if (used_corrected_ && used_student_) test += ", Student's where trials are independent";
    table_.notes.push_back(
        fmt::format("•, ∘ better, worse than {} on that dataset: {}, two-sided p at most {}.",
                    *options_.baseline, test, options_.alpha));
  }

  void add_notes() {
    note_baseline();
    if (!holes_.empty()) table_.notes.push_back("† not all trials: " + some_of(holes_, "; "));
    std::vector<std::string> unranked;
    std::vector<std::string> inapplicable;
    for (std::size_t dataset = 0; dataset < grid_.datasets(); ++dataset) {
      const bool applies = !grid_.inapplicable(dataset);
      if (applies && !ranks_.averaged[dataset]) unranked.push_back(results_.datasets[dataset]);
      if (!applies) inapplicable.push_back(results_.datasets[dataset]);
    }
    if (options_.ranks && !unranked.empty())
      table_.notes.push_back(fmt::format(
          "The average rank leaves out {}, where not every algorithm is ranked.", some_of(unranked, ", ")));
    if (!inapplicable.empty())
      table_.notes.push_back(
          fmt::format("Not shown, {} does not apply: {}.", grid_.metric().name, some_of(inapplicable, ", ")));
  }

  const ResultSet& results_;
  const ComparisonOptions& options_;
  ScoreGrid grid_;
  RankTable ranks_;
  Table table_;
  std::vector<std::string> holes_;
  std::optional<std::size_t> baseline_;
  bool used_corrected_ = false;
  bool used_student_ = false;
};

/// The algorithms that are ranked on at least one dataset.
std::vector<bool> ranked_somewhere(const RankTable& table, std::size_t algorithms) {
  std::vector<bool> ranked(algorithms, false);
  for (const auto& line : table.ranks)
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm)
      if (line[algorithm]) ranked[algorithm] = true;
  return ranked;
}

}  // namespace

TableRows parse_table_rows(const std::string& name) {
  if (name == "datasets") return TableRows::datasets;
  if (name == "algorithms") return TableRows::algorithms;
  const std::vector<std::string> known{"datasets", "algorithms"};
  throw Error(ErrorKind::usage,
              fmt::format("the rows of a table cannot be '{}'{}", name, did_you_mean(name, known)));
}

RankTable rank_algorithms(const ScoreGrid& grid) {
  RankTable table;
  for (std::size_t dataset = 0; dataset < grid.datasets(); ++dataset) {
    std::vector<double> means;
    for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm)
      if (grid.cell(dataset, algorithm).complete) means.push_back(grid.cell(dataset, algorithm).summary.mean);
    const std::vector<double> ranks = average_ranks(means, grid.metric().description->higher_is_better);
    std::vector<std::optional<double>> line(grid.algorithms());
    std::size_t next = 0;
    for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm)
      if (grid.cell(dataset, algorithm).complete) line[algorithm] = ranks[next++];
    table.ranks.push_back(std::move(line));
  }
  const std::vector<bool> counted_in = ranked_somewhere(table, grid.algorithms());
  std::vector<double> sums(grid.algorithms(), 0.0);
  for (const auto& line : table.ranks) {
    bool all = std::find(counted_in.begin(), counted_in.end(), true) != counted_in.end();
    for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm)
      all = all && (line[algorithm].has_value() || !counted_in[algorithm]);
    table.averaged.push_back(all);
    if (!all) continue;
    ++table.datasets_averaged;
    for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm)
      sums[algorithm] += line[algorithm].value_or(0.0);
  }
  table.averages.resize(grid.algorithms());
  for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm)
    if (counted_in[algorithm] && table.datasets_averaged > 0)
      table.averages[algorithm] = sums[algorithm] / static_cast<double>(table.datasets_averaged);
  return table;
}

NumberFormat dataset_format(const ScoreGrid& grid, std::size_t dataset) {
  std::vector<double> means;
  std::vector<double> deviations;
  for (std::size_t algorithm = 0; algorithm < grid.algorithms(); ++algorithm) {
    const GridCell& cell = grid.cell(dataset, algorithm);
    if (cell.has_value()) means.push_back(cell.summary.mean);
    if (cell.summary.deviation) deviations.push_back(*cell.summary.deviation);
  }
  return format_for(means, deviations);
}

std::string summary_text(const NumberFormat& format, const Summary& summary) {
  if (!summary.deviation) return format.text(summary.mean);
  return fmt::format("{} ± {}", format.text(summary.mean), format.text(*summary.deviation));
}

Table comparison_table(const ResultSet& results, const Metric& metric, const ComparisonOptions& options) {
  return Builder(results, metric, options).build();
}

}  // namespace coppice

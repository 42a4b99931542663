#include "experiments/tables/published_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/tables/comparison_table.h"

namespace coppice {

namespace {

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::close:
      return "within 2 std";
    case Verdict::better:
      return "ours is better";
    case Verdict::worse:
      return "ours is worse";
    case Verdict::unjudged:
      return "no std to judge by";
    case Verdict::not_there:
      return "no result";
  }
  return {};
}

Verdict judge(double difference, double distance, bool higher_is_better) {
  if (std::abs(distance) <= 1.0) return Verdict::agrees;
  if (std::abs(distance) <= 2.0) return Verdict::close;
  return (difference > 0.0) == higher_is_better ? Verdict::better : Verdict::worse;
}

/// With its sign, unless it rounds to zero.
std::string distance_text(double distance) {
  const std::string text = fmt::format("{:+.1f}", distance);
  return text.ends_with("0.0") && text.size() == 4 ? "0.0" : text;
}

/// `Of 12 published scores: 9 agrees, 2 within 2 std, …`
std::string verdict_tally(const std::vector<PublishedComparison>& comparisons) {
  std::vector<std::string> parts;
  for (const Verdict verdict : {Verdict::agrees, Verdict::close, Verdict::better, Verdict::worse,
                                Verdict::unjudged, Verdict::not_there}) {
    const auto count = std::count_if(comparisons.begin(), comparisons.end(),
                                     [&](const auto& each) { return each.verdict == verdict; });
    if (count > 0) parts.push_back(fmt::format("{} \"{}\"", count, verdict_text(verdict)));
  }
  return fmt::format("Of {} published: {}.", comparisons.size(), fmt::join(parts, ", "));
}

}  // namespace

std::vector<PublishedComparison> compare_with_published(const ResultSet& results, const Metric& metric) {
  const ScoreGrid grid(results, metric);
  const NameIndex datasets(results.datasets);
  const NameIndex algorithms(results.algorithms);
  std::vector<PublishedComparison> comparisons;
  for (const PublishedScore& published : results.published) {
    if (published.metric != metric.name) continue;
    PublishedComparison comparison;
    comparison.published = published;
    const auto dataset = datasets.find(published.dataset);
    const auto algorithm = algorithms.find(published.algorithm);
    if (dataset && algorithm && grid.cell(*dataset, *algorithm).has_value()) {
      const Summary& ours = grid.cell(*dataset, *algorithm).summary;
      comparison.mean = ours.mean;
      comparison.deviation = ours.deviation;
      const double difference = ours.mean - published.mean;
      const double spread = std::hypot(ours.deviation.value_or(0.0), published.deviation.value_or(0.0));
      comparison.verdict = Verdict::unjudged;
      if (spread > 0.0 || difference == 0.0) {
        comparison.distance = difference == 0.0 ? 0.0 : difference / spread;
        comparison.verdict = judge(difference, *comparison.distance, metric.description->higher_is_better);
      }
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

std::optional<Table> published_table(const ResultSet& results, const Metric& metric) {
  std::vector<PublishedComparison> comparisons = compare_with_published(results, metric);
  const NameIndex datasets(results.datasets);
  const std::size_t absent = std::erase_if(
      comparisons, [&](const PublishedComparison& each) { return !datasets.find(each.published.dataset); });
  if (comparisons.empty()) return std::nullopt;
  Table table;
  table.title = fmt::format("{}: ours beside published", metric.name);
  table.row_kind = "dataset, algorithm";
  table.columns = {{"ours"}, {"published"}, {"difference"}, {"in std"}, {"verdict"}};
  for (const PublishedComparison& each : comparisons) {
    const PublishedScore& published = each.published;
    const std::array means{each.mean.value_or(published.mean), published.mean};
    const std::array deviations{each.deviation.value_or(0.0), published.deviation.value_or(0.0)};
    const NumberFormat format = format_for(means, deviations);
    const auto signed_text = [&](double value) {
      const std::string text = format.text(value);
      return text.starts_with('-') ? text : fmt::format("+{}", text);
    };
    table.rows.push_back({fmt::format("{}, {}", published.dataset, published.algorithm)});
    const auto score_cell = [&](const std::optional<double>& mean, const std::optional<double>& deviation) {
      return mean ? TableCell{summary_text(format, {*mean, deviation, 1}), Emphasis::none,
                              CellNumbers{mean, deviation, std::nullopt, 1}}
                  : TableCell{no_value};
    };
    const auto number_cell = [](const std::optional<double>& value, const std::string& text) {
      return value ? TableCell{text, Emphasis::none, CellNumbers{value, std::nullopt, std::nullopt, 1}}
                   : TableCell{no_value};
    };
    const auto difference = each.mean ? std::optional(*each.mean - published.mean) : std::nullopt;
    table.cells.push_back(
        {score_cell(each.mean, each.deviation),
         score_cell(published.mean, published.deviation),
         number_cell(difference, signed_text(difference.value_or(0.0))),
         number_cell(each.distance, distance_text(each.distance.value_or(0.0))),
         {verdict_text(each.verdict), each.verdict == Verdict::agrees ? Emphasis::best : Emphasis::none}});
  }
  if (!results.published_source.empty())
    table.notes.push_back(fmt::format("Published: {}.", results.published_source));
  table.notes.emplace_back("In std: the difference over √(std of ours² + std of theirs²).");
  table.notes.push_back(verdict_tally(comparisons));
  if (absent > 0)
    table.notes.push_back(
        fmt::format("Not shown: {} published of datasets that this experiment has not.", absent));
  return table;
}

}  // namespace coppice

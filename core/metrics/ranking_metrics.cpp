#include <algorithm>

#include "core/base/portable_math.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/ratio.h"

namespace coppice {

namespace {

/// Where every label or none is true, no order of the labels is better than another.
bool order_matters(const LabelRow& row) {
  return !row.truth.empty() && row.truth.size() < row.scores.outputs;
}

RowTerm average_precision(const LabelRow& row, std::size_t /*k*/) {
  if (!order_matters(row)) return {1.0};
  double sum = 0.0;
  for (const RankedLabel& ranked : row.ranked)
    sum += static_cast<double>(ranked.true_not_below) / static_cast<double>(ranked.not_below);
  return {sum / static_cast<double>(row.ranked.size())};
}

/// The number of true labels among the first k.
std::size_t hits_among_first(const LabelRow& row, std::size_t k) {
  const auto beyond =
      std::ranges::find_if(row.ranked, [k](const auto& ranked) { return ranked.position > k; });
  return static_cast<std::size_t>(beyond - row.ranked.begin());
}

RowTerm precision_at(const LabelRow& row, std::size_t k) {
  return {static_cast<double>(hits_among_first(row, k)) / static_cast<double>(k)};
}

/// The base of the logarithm cancels in nDCG.
double discount(std::size_t position) {
  return 1.0 / portable_log(static_cast<double>(position + 1));
}

RowTerm normalised_gain_at(const LabelRow& row, std::size_t k) {
  double gain = 0.0;
  for (std::size_t i = 0; i < hits_among_first(row, k); ++i) gain += discount(row.ranked[i].position);
  double best = 0.0;
  for (std::size_t position = 1; position <= std::min(k, row.truth.size()); ++position)
    best += discount(position);
  return {ratio_or_zero(gain, best)};
}

RowTerm propensity_scored_precision_at(const LabelRow& row, std::size_t k) {
  RowTerm term{0.0, 0.0};
  for (std::size_t i = 0; i < hits_among_first(row, k); ++i) term.value += row.ranked_weights[i];
  for (std::size_t i = 0; i < std::min(k, row.truth.size()); ++i) term.weight += row.best_weights[i];
  return term;
}

RowTerm one_error(const LabelRow& row, std::size_t /*k*/) {
  return {hits_among_first(row, 1) == 1 ? 0.0 : 1.0};
}

RowTerm coverage(const LabelRow& row, std::size_t /*k*/) {
  return {row.ranked.empty() ? 0.0 : static_cast<double>(row.ranked.back().not_below)};
}

RowTerm ranking_loss(const LabelRow& row, std::size_t /*k*/) {
  if (!order_matters(row)) return {0.0};
  std::size_t wrong_pairs = 0;
  for (const RankedLabel& ranked : row.ranked) wrong_pairs += ranked.not_below - ranked.true_not_below;
  const std::size_t pairs = row.truth.size() * (row.scores.outputs - row.truth.size());
  return {static_cast<double>(wrong_pairs) / static_cast<double>(pairs)};
}

}  // namespace

std::vector<MetricEntry> ranking_metrics() {
  return {
      {{.name = "lrap",
        .summary = "Label ranking average precision: how pure the ranking is down to each true label.",
        .definition =
            "Mean over rows of the mean over the row's true labels j of (true labels that score at least as "
            "much as j) / (labels that score at least as much as j). Ties count against the label, as the ≥ "
            "of the formula says. A row where no label or every label is true counts 1. For a class it is "
            "the mean reciprocal rank. Equals scikit-learn's label_ranking_average_precision_score.",
        .reference = "thesis 2.4.3, eq. 2.62",
        .tasks = label_tasks()},
       {.ranking = true},
       average_precision},
      {{.name = "precision@K",
        .summary = "The share of true labels among the K labels with the highest scores.",
        .definition =
            "Mean over rows of (true labels among the first K) / K. Labels of equal score are taken in the "
            "order of their index. K stays the divisor where a row has fewer than K true labels or the "
            "dataset fewer than K labels; a row without a true label counts 0.",
        .reference = "CRAFTML 4.2; Extreme Classification Repository (Bhatia et al. 2016)",
        .tasks = label_tasks()},
       {.ranking = true},
       precision_at},
      {{.name = "ndcg@K",
        .summary = "Discounted gain of the K labels with the highest scores, relative to the best order.",
        .definition =
            "Mean over rows of DCG@K / best DCG@K, where DCG@K adds 1 / log₂(r + 1) for every true label at "
            "position r ≤ K and the best DCG@K is the sum of 1 / log₂(r + 1) for r = 1 … min(K, number of "
            "true labels). Labels of equal score are taken in the order of their index (scikit-learn's "
            "ndcg_score averages over the orders instead; without ties the two are equal). A row without a "
            "true label counts 0.",
        .reference = "Prabhu and Varma 2014 (FastXML); Extreme Classification Repository",
        .tasks = label_tasks()},
       {.ranking = true},
       normalised_gain_at},
      {{.name = "psp@K",
        .summary = "Propensity-scored precision: precision@K in which rare labels weigh more.",
        .definition =
            "Sum over rows of the weights of the true labels among the first K, divided by the largest sum "
            "that any ranking could reach (in each row the min(K, number of true labels) heaviest true "
            "labels): a quotient of sums, as the repository reports it, so rows without a true label add to "
            "neither. A label l weighs 1 / p_l = 1 + C (N_l + B)^-A with C = (ln N - 1) (B + 1)^A, where l "
            "occurs in N_l of the N training rows (N_l may be 0) and A and B belong to the dataset (0.55 and "
            "1.5 unless stated). C is 0 for N < 3, where it would be negative. Labels of equal score are "
            "taken in the order of their index. Undefined without any true label.",
        .reference = "Jain, Prabhu and Varma 2016; Extreme Classification Repository",
        .tasks = label_tasks()},
       {.ranking = true, .propensities = true},
       propensity_scored_precision_at},
      {{.name = "one-error",
        .summary = "The share of rows whose highest-scored label is not true.",
        .definition =
            "Mean over rows of 1 if the label with the highest score is not true, else 0. Of labels of equal "
            "score the lowest index is taken. A row without a true label counts 1. It is 1 - precision@1. "
            "In the worked example of thesis 2.4.3 it is 1; the printed 2 is a slip.",
        .reference = "thesis 2.4.3, eq. 2.59",
        .higher_is_better = false,
        .tasks = label_tasks()},
       {.ranking = true},
       one_error},
      {{.name = "coverage-error",
        .summary = "How far one must go down the ranking to meet every true label.",
        .definition =
            "Mean over rows of the largest, over the true labels j, of the number of labels that score at "
            "least as much as j (ties count in full). A row without a true label counts 0. Equals "
            "scikit-learn's coverage_error; 1 more than the coverage of Tsoumakas et al. 2010.",
        .reference = "thesis 2.4.3, eq. 2.60",
        .higher_is_better = false,
        .tasks = label_tasks()},
       {.ranking = true},
       coverage},
      {{.name = "ranking-loss",
        .summary = "The share of (true, false) pairs of labels in the wrong order.",
        .definition =
            "Mean over rows of (pairs of a true and a false label in which the false one scores at least as "
            "much) / (true labels × false labels). A tie counts as wrong, as in scikit-learn's "
            "label_ranking_loss; eq. 2.61 as printed would forgive it, and so call a constant score perfect. "
            "A row where no label or every label is true counts 0.",
        .reference = "thesis 2.4.3, eq. 2.61",
        .higher_is_better = false,
        .tasks = label_tasks()},
       {.ranking = true},
       ranking_loss},
  };
}

}  // namespace coppice

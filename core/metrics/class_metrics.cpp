#include <algorithm>
#include <limits>

#include "core/base/portable_math.h"
#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

/// Probabilities are kept this far from 0 and 1.
constexpr double least_probability = std::numeric_limits<double>::epsilon();

double clipped(double score) {
  return std::clamp(score, least_probability, 1.0 - least_probability);
}

double balanced_accuracy(const Totals& totals) {
  double sum = 0.0;
  std::size_t classes = 0;
  for (const LabelCount& count : totals.label_counts->counts()) {
    if (count.true_positives + count.false_negatives == 0) continue;
    sum += count.recall();
    ++classes;
  }
  return classes == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(classes);
}

/// Zeros are counted instead of added one by one, so that both layouts give the same sum.
RowTerm log_loss(const LabelRow& row, std::size_t /*k*/) {
  double sum = 0.0;
  double of_truth = least_probability;
  std::size_t zeros = row.scores.outputs - row.scores.listed();
  for (std::size_t i = 0; i < row.scores.listed(); ++i) {
    const double score = row.scores.values[i];
    if (score == 0.0) {
      ++zeros;
      continue;
    }
    sum += clipped(score);
    if (row.scores.label(i) == row.truth.front()) of_truth = clipped(score);
  }
  sum += static_cast<double>(zeros) * least_probability;
  return {-portable_log(of_truth / sum)};
}

}  // namespace

std::vector<MetricEntry> class_metrics() {
  return {
      {{.name = "balanced-accuracy",
        .summary = "The share of rightly predicted rows of each class, averaged over the classes.",
        .definition =
            "Mean over the classes that occur among these rows of (rows of the class predicted rightly) / "
            "(rows of the class). For two classes the mean of sensitivity and specificity. Equals "
            "scikit-learn's balanced_accuracy_score.",
        .reference = "thesis 2.4.1, eq. 2.36; 2.4.2",
        .tasks = {Task::multiclass}},
       {.decisions = true, .label_counts = true},
       nullptr,
       balanced_accuracy},
      {{.name = "log-loss",
        .summary = "The negative logarithm of the probability given to the true class.",
        .definition =
            "Mean over rows of -ln of the true class's probability. Scores are clipped to [ε, 1 - ε] with "
            "ε = 2⁻⁵² and then divided by their sum over the row, so a row without any score counts ln of "
            "the number of classes. Equals scikit-learn's log_loss with all classes given as labels.",
        .reference = "thesis 2.4.2 and Table 2.3",
        .higher_is_better = false,
        .tasks = {Task::multiclass}},
       {},
       log_loss},
  };
}

}  // namespace coppice

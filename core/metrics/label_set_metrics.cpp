#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

RowTerm hamming_loss(const LabelRow& row, std::size_t /*k*/) {
  return {static_cast<double>(row.differences()) / static_cast<double>(row.scores.outputs)};
}

RowTerm same_set(const LabelRow& row, std::size_t /*k*/) {
  return {row.differences() == 0 ? 1.0 : 0.0};
}

RowTerm jaccard(const LabelRow& row, std::size_t /*k*/) {
  const std::size_t in_either = row.truth.size() + row.decided.size() - row.hits;
  return {in_either == 0 ? 1.0 : static_cast<double>(row.hits) / static_cast<double>(in_either)};
}

}  // namespace

std::vector<MetricEntry> label_set_metrics() {
  return {
      {{.name = "hamming-loss",
        .summary = "The share of (row, label) pairs that are predicted wrongly.",
        .definition =
            "Mean over rows of (labels that are either true or predicted, but not both) / (number of "
            "labels). Not offered for classes, where it would be twice the error rate over the number of "
            "classes. Equals scikit-learn's hamming_loss on label indicators.",
        .reference = "thesis 2.4.3, eq. 2.55; RDT 5.2",
        .higher_is_better = false,
        .tasks = {Task::multilabel}},
       {.decisions = true},
       hamming_loss},
      {{.name = "subset-accuracy",
        .summary = "The share of rows whose predicted label set is exactly the true one.",
        .definition =
            "Mean over rows of 1 if the predicted and the true set are equal (two empty sets are), else 0. "
            "Equals scikit-learn's accuracy_score on label indicators.",
        .reference = "thesis 2.4.3, eq. 2.54",
        .tasks = {Task::multilabel}},
       {.decisions = true},
       same_set},
      {{.name = "jaccard",
        .summary = "How much the predicted and the true label sets overlap.",
        .definition =
            "Mean over rows of |true ∩ predicted| / |true ∪ predicted|; two empty sets count 1. Equals "
            "scikit-learn's jaccard_score(average='samples', zero_division=1). This is the accuracy of the "
            "RDT paper and of Mulan.",
        .reference = "thesis 2.4.3, eq. 2.56 to 2.58; RDT 5.2",
        .tasks = {Task::multilabel}},
       {.decisions = true},
       jaccard},
      {{.name = "accuracy",
        .summary = "The share of rows that are predicted rightly.",
        .definition =
            "Mean over rows of 1 if the predicted class is the true one, else 0. For label sets the same as "
            "subset-accuracy (eq. 2.54); papers that call the Jaccard score accuracy mean `jaccard`. Equals "
            "scikit-learn's accuracy_score.",
        .reference = "thesis 2.4.1, eq. 2.29; 2.4.3, eq. 2.54",
        .tasks = label_tasks()},
       {.decisions = true},
       same_set},
  };
}

}  // namespace coppice

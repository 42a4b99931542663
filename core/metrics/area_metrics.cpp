#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

double micro_area(const Totals& totals) {
  return totals.areas->micro;
}

double macro_area(const Totals& totals) {
  return totals.areas->macro;
}

}  // namespace

std::vector<MetricEntry> area_metrics() {
  return {
      {{.name = "micro-auc",
        .summary = "Area under the ROC curve of all (row, label) pairs taken as one binary problem.",
        .definition =
            "The share of (positive, negative) pairs of (row, label) pairs in which the positive one scores "
            "higher, a tie counting half. Scores that are not listed are 0 and take part. Undefined if all "
            "pairs are positive or all negative. Equals scikit-learn's roc_auc_score(average='micro') on "
            "label indicators; classes are taken one against the rest.",
        .reference = "thesis 2.4.1 (Hanley and McNeil 1982) and eq. 2.65",
        .tasks = label_tasks()},
       {.score_pairs = true},
       nullptr,
       micro_area},
      {{.name = "macro-auc",
        .summary = "Area under the ROC curve of each label, averaged over the labels.",
        .definition =
            "For each label the share of (positive, negative) pairs of rows in which the positive one scores "
            "higher, a tie counting half; averaged over the labels that have both a positive and a negative "
            "row among these rows (scikit-learn's roc_auc_score(average='macro') refuses any other label; "
            "without such labels the two are equal). Undefined if there is no such label. Classes are taken "
            "one against the rest.",
        .reference = "thesis 2.4.1 (Hanley and McNeil 1982) and eq. 2.63",
        .least_rows = 2,
        .tasks = label_tasks()},
       {.score_pairs = true},
       nullptr,
       macro_area},
  };
}

}  // namespace coppice

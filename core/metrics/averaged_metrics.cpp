#include <limits>

#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

/// One row seen as a binary problem over its labels.
LabelCount count_of(const LabelRow& row) {
  return {row.hits, row.decided.size() - row.hits, row.truth.size() - row.hits};
}

using Measure = double (LabelCount::*)() const;

template <Measure measure>
RowTerm over_samples(const LabelRow& row, std::size_t /*k*/) {
  return {(count_of(row).*measure)()};
}

template <Measure measure>
double over_pairs(const Totals& totals) {
  if (totals.rows == 0) return std::numeric_limits<double>::quiet_NaN();
  return (totals.label_counts->sum().*measure)();
}

template <Measure measure>
double over_labels(const Totals& totals) {
  double sum = 0.0;
  std::size_t labels = 0;
  for (const LabelCount& count : totals.label_counts->counts()) {
    const bool occurs = count.true_positives + count.false_positives + count.false_negatives > 0;
    if (totals.task == Task::multiclass && !occurs) continue;
    sum += (count.*measure)();
    ++labels;
  }
  return totals.rows == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(labels);
}

/// The three averages of one measure. `what` is its name, `formula` its definition from the counts.
template <Measure measure>
std::vector<MetricEntry> averages(const std::string& what, const std::string& formula,
                                  const std::string& equation) {
  const std::string equals = "Equals scikit-learn's " + what + "_score(average='";
  return {
      {{.name = "micro-" + what,
        .summary = "The " + what + " of all (row, label) pairs taken as one binary problem.",
        .definition = formula +
                      ", with the counts of all labels added up; 0 where the divisor is 0. For classes it is "
                      "the accuracy. " +
                      equals + "micro', zero_division=0).",
        .reference = "thesis 2.4.3, eq. 2.65 of " + equation,
        .tasks = label_tasks()},
       {.decisions = true, .label_counts = true},
       nullptr,
       over_pairs<measure>},
      {{.name = "macro-" + what,
        .summary = "The " + what + " of each label, averaged over the labels.",
        .definition = formula +
                      " for each label, 0 where the divisor is 0, averaged. For label sets over all labels, "
                      "also those that never occur in these rows (they count 0); for classes over those that "
                      "are the true or the predicted class of some row. " +
                      equals + "macro', zero_division=0).",
        .reference = "thesis 2.4.3, eq. 2.63 of " + equation,
        .tasks = label_tasks()},
       {.decisions = true, .label_counts = true},
       nullptr,
       over_labels<measure>},
      {{.name = "samples-" + what,
        .summary = "The " + what + " of each row's label set, averaged over the rows.",
        .definition = formula +
                      " for each row over its labels, 0 where the divisor is 0 (also where both sets are "
                      "empty), averaged over all rows. " +
                      equals + "samples', zero_division=0).",
        .reference = "thesis 2.4.3, eq. 2.64 of " + equation + "; RDT 5.2",
        .tasks = {Task::multilabel}},
       {.decisions = true},
       over_samples<measure>},
  };
}

}  // namespace

std::vector<MetricEntry> averaged_metrics() {
  std::vector<MetricEntry> all;
  const auto append = [&all](const std::vector<MetricEntry>& entries) {
    all.insert(all.end(), entries.begin(), entries.end());
  };
  append(averages<&LabelCount::precision>("precision", "TP / (TP + FP)", "eq. 2.39"));
  append(averages<&LabelCount::recall>("recall", "TP / (TP + FN)", "eq. 2.32"));
  append(averages<&LabelCount::f1>("f1", "2 TP / (2 TP + FP + FN)", "eq. 2.40"));
  return all;
}

}  // namespace coppice

#include "experiments/data/info.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/fingerprint.h"
#include "core/data/encode.h"
#include "core/data/row_walk.h"

namespace coppice {

namespace {

/// Kinds of columns, density, missing values.
void describe_columns(const Features& features, DatasetInfo& info) {
  std::size_t present = 0;
  std::vector<bool> incomplete(features.rows(), false);
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    bool binary = column.kind == FeatureKind::numeric;
    float smallest = std::numeric_limits<float>::max();
    float largest = std::numeric_limits<float>::lowest();
    if (!column.dense && column.values.size() < features.rows()) smallest = largest = 0.0F;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const float value = column.values[i];
      present += value != 0.0F ? 1 : 0;
      if (std::isnan(value)) {
        incomplete[column.dense ? i : column.rows[i]] = true;
        continue;
      }
      binary = binary && (value == 0.0F || value == 1.0F);
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
    const bool categorical = column.kind == FeatureKind::categorical;
    info.categorical_features += categorical ? 1 : 0;
    (column.dense ? info.dense_features : info.sparse_features) += 1;
    info.binary_features += binary ? 1 : 0;
    info.constant_features += smallest >= largest ? 1 : 0;
  }
  info.encoded_features = encoded_feature_count(features);
  const double cells = static_cast<double>(features.rows()) * static_cast<double>(features.columns());
  info.input_density = cells > 0.0 ? static_cast<double>(present) / cells : 0.0;
  info.missing_values = features.missing();
  info.rows_with_missing_values =
      static_cast<std::size_t>(std::count(incomplete.begin(), incomplete.end(), true));
}

std::uint64_t digest(std::span<const std::uint32_t> numbers, std::span<const float> values) {
  Fingerprinter fingerprinter;
  fingerprinter.add_array(numbers);
  // 0 and -0, and all missing values, are alike.
  std::vector<std::uint32_t> bits;
  for (const float value : values)
    bits.push_back(std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value));
  fingerprinter.add_array(std::span<const std::uint32_t>(bits));
  return fingerprinter.value().low;
}

/// Rows that occur more than once, by a digest of their inputs.
void find_duplicates(const Dataset& dataset, DatasetInfo& info) {
  std::vector<std::uint64_t> digests(dataset.rows());
  RowWalk blocks(dataset.features());
  while (blocks.next())
    for (std::size_t row = blocks.begin(); row < blocks.end(); ++row)
      digests[row] = digest(blocks.columns(row), blocks.values(row));
  if (dataset.given_split()) {
    std::vector<std::uint64_t> train;
    for (const std::uint32_t row : dataset.given_split()->train) train.push_back(digests[row]);
    std::sort(train.begin(), train.end());
    for (const std::uint32_t row : dataset.given_split()->test)
      info.test_rows_in_train += std::binary_search(train.begin(), train.end(), digests[row]) ? 1 : 0;
  }
  std::sort(digests.begin(), digests.end());
  const auto end = std::unique(digests.begin(), digests.end());
  info.duplicate_rows = static_cast<std::size_t>(digests.end() - end);
}

std::vector<std::size_t> supports(const LabelSets& labels, std::span<const std::uint32_t> rows) {
  std::vector<std::size_t> counts(labels.label_count(), 0);
  for (const std::uint32_t row : rows)
    for (const std::uint32_t label : labels[row]) ++counts[label];
  return counts;
}

LabelFacts describe_labels(const Dataset& dataset) {
  const LabelSets& labels = dataset.labels();
  LabelFacts facts;
  const auto rows = static_cast<double>(labels.rows());
  facts.cardinality = rows > 0.0 ? static_cast<double>(labels.total()) / rows : 0.0;
  facts.density =
      labels.label_count() > 0 ? facts.cardinality / static_cast<double>(labels.label_count()) : 0.0;
  std::vector<std::uint64_t> sets;
  std::vector<std::size_t> counts(labels.label_count(), 0);
  for (std::size_t row = 0; row < labels.rows(); ++row) {
    facts.rows_without_labels += labels[row].empty() ? 1 : 0;
    sets.push_back(digest(labels[row], {}));
    for (const std::uint32_t label : labels[row]) ++counts[label];
  }
  std::sort(sets.begin(), sets.end());
  facts.distinct_sets = static_cast<std::size_t>(std::unique(sets.begin(), sets.end()) - sets.begin());
  std::size_t occurring = 0;
  for (const std::size_t count : counts) facts.largest_support = std::max(facts.largest_support, count);
  for (const std::size_t count : counts) {
    if (count == 0) {
      ++facts.labels_without_rows;
      continue;
    }
    facts.smallest_support = occurring == 0 ? count : std::min(facts.smallest_support, count);
    facts.mean_imbalance += static_cast<double>(facts.largest_support) / static_cast<double>(count);
    ++occurring;
  }
  if (occurring > 0) facts.mean_imbalance /= static_cast<double>(occurring);
  if (dataset.given_split()) {
    const auto train = supports(labels, dataset.given_split()->train);
    const auto test = supports(labels, dataset.given_split()->test);
    facts.test_labels_not_in_train = 0;
    for (std::size_t label = 0; label < train.size(); ++label)
      *facts.test_labels_not_in_train += train[label] == 0 && test[label] > 0 ? 1 : 0;
  }
  return facts;
}

std::vector<TargetFacts> describe_targets(const Dataset& dataset) {
  const RealTargets& targets = dataset.targets();
  std::vector<TargetFacts> facts;
  const auto rows = static_cast<double>(targets.rows());
  for (std::size_t j = 0; j < targets.outputs(); ++j) {
    TargetFacts target{dataset.output_name(j), 0.0, 0.0, targets[0][j], targets[0][j]};
    for (std::size_t row = 0; row < targets.rows(); ++row) {
      target.mean += targets[row][j] / rows;
      target.smallest = std::min(target.smallest, targets[row][j]);
      target.largest = std::max(target.largest, targets[row][j]);
    }
    double squares = 0.0;
    for (std::size_t row = 0; row < targets.rows(); ++row)
      squares += (targets[row][j] - target.mean) * (targets[row][j] - target.mean);
    target.deviation = std::sqrt(squares / rows);
    facts.push_back(std::move(target));
  }
  return facts;
}

}  // namespace

DatasetInfo describe_dataset(const Dataset& dataset, std::vector<std::string> notes) {
  DatasetInfo info;
  info.name = dataset.name();
  info.task = dataset.task();
  info.rows = dataset.rows();
  info.given_split = dataset.given_split().has_value();
  info.train = info.given_split ? dataset.given_split()->train.size() : info.rows;
  info.test = info.given_split ? dataset.given_split()->test.size() : 0;
  info.features = dataset.feature_count();
  info.outputs = dataset.output_count();
  describe_columns(dataset.features(), info);
  find_duplicates(dataset, info);
  if (has_labels(info.task))
    info.labels = describe_labels(dataset);
  else
    info.targets = describe_targets(dataset);
  if (!dataset.groups().empty())
    info.groups = *std::max_element(dataset.groups().begin(), dataset.groups().end()) + std::size_t{1};
  info.fingerprint = dataset.fingerprint().text();
  info.notes = std::move(notes);
  return info;
}

FoldSupport label_support(const Dataset& dataset, const Split& split) {
  FoldSupport fold;
  fold.train = split.train.size();
  fold.test = split.test.size();
  const auto train = supports(dataset.labels(), split.train);
  const auto test = supports(dataset.labels(), split.test);
  for (std::size_t label = 0; label < train.size(); ++label) {
    fold.labels_without_train += train[label] == 0 ? 1 : 0;
    fold.labels_without_test += test[label] == 0 ? 1 : 0;
    if (train[label] > 0 && (fold.smallest_train_support == 0 || train[label] < fold.smallest_train_support))
      fold.smallest_train_support = train[label];
  }
  return fold;
}

nlohmann::ordered_json DatasetInfo::json() const {
  nlohmann::ordered_json object{{"name", name},
                                {"task", task_name(task)},
                                {"rows", rows},
                                {"given_split", given_split},
                                {"train", train},
                                {"test", test},
                                {"features", features},
                                {"dense_features", dense_features},
                                {"sparse_features", sparse_features},
                                {"categorical_features", categorical_features},
                                {"binary_features", binary_features},
                                {"constant_features", constant_features},
                                {"encoded_features", encoded_features},
                                {"input_density", input_density},
                                {"missing_values", missing_values},
                                {"rows_with_missing_values", rows_with_missing_values},
                                {"outputs", outputs},
                                {"cardinality", nullptr},
                                {"density", nullptr},
                                {"duplicate_rows", duplicate_rows},
                                {"test_rows_in_train", test_rows_in_train},
                                {"groups", nullptr},
                                {"fingerprint", fingerprint},
                                {"notes", notes}};
  if (groups) object["groups"] = *groups;
  if (labels) {
    object["cardinality"] = labels->cardinality;
    object["density"] = labels->density;
    object["distinct_label_sets"] = labels->distinct_sets;
    object["rows_without_labels"] = labels->rows_without_labels;
    object["labels_without_rows"] = labels->labels_without_rows;
    object["smallest_label_support"] = labels->smallest_support;
    object["largest_label_support"] = labels->largest_support;
    object["mean_imbalance"] = labels->mean_imbalance;
    if (labels->test_labels_not_in_train)
      object["test_labels_not_in_train"] = *labels->test_labels_not_in_train;
  }
  for (const TargetFacts& target : targets)
    object["targets"].push_back({{"name", target.name},
                                 {"mean", target.mean},
                                 {"deviation", target.deviation},
                                 {"smallest", target.smallest},
                                 {"largest", target.largest}});
  return object;
}

std::string DatasetInfo::text() const {
  std::string out;
  const auto line = [&](std::string_view key, const std::string& value) {
    out += fmt::format("{:<22} {}\n", key, value);
  };
  line("name", name);
  line("task", std::string(task_name(task)));
  line("rows", given_split ? fmt::format("{} (train {}, test {})", rows, train, test)
                           : fmt::format("{} (no given split)", rows));
  line("features", fmt::format("{}: {} dense, {} sparse; {} of them categorical, {} binary, {} constant",
                               features, dense_features, sparse_features, categorical_features,
                               binary_features, constant_features));
  if (categorical_features > 0) line("one-hot encoded", fmt::format("{} features", encoded_features));
  line("input density", fmt::format("{:.4g}", input_density));
  line("missing values",
       missing_values == 0 ? "none" : fmt::format("{} in {} rows", missing_values, rows_with_missing_values));
  line(has_labels(task) ? (task == Task::multiclass ? "classes" : "labels") : "targets",
       fmt::format("{}", outputs));
  if (labels) {
    line("cardinality", fmt::format("{:.4f}", labels->cardinality));
    line("density", fmt::format("{:.5f}", labels->density));
    line("distinct label sets", fmt::format("{}", labels->distinct_sets));
    line("rows per label", fmt::format("{} to {}, mean imbalance {:.4g}", labels->smallest_support,
                                       labels->largest_support, labels->mean_imbalance));
    line("without", fmt::format("{} rows without labels, {} labels without rows", labels->rows_without_labels,
                                labels->labels_without_rows));
    if (labels->test_labels_not_in_train)
      line("only in test", fmt::format("{} labels", *labels->test_labels_not_in_train));
  }
  for (const TargetFacts& target : targets)
    line("  " + target.name, fmt::format("mean {:.6g}, deviation {:.6g}, {:.6g} to {:.6g}", target.mean,
                                         target.deviation, target.smallest, target.largest));
  if (groups) line("groups", fmt::format("{}", *groups));
  line("duplicates",
       given_split ? fmt::format("{} rows; {} test rows occur in train", duplicate_rows, test_rows_in_train)
                   : fmt::format("{} rows", duplicate_rows));
  line("fingerprint", fingerprint);
  for (const std::string& note : notes) line("note", note);
  return out;
}

}  // namespace coppice

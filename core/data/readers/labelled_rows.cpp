#include "core/data/readers/labelled_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/data/readers/numbers.h"

namespace coppice {

LabelledRows::LabelledRows(const ReadOptions& options) : options_(options) {}

void LabelledRows::begin_row(const LineReader& reader) {
  require_row_number(rows(), reader);
  if (!ends_.empty() && label_count(rows() - 1) != 1) one_label_each_ = false;
  if (file_names_.empty() || file_names_.back() != reader.name()) {
    file_names_.push_back(reader.name());
    first_rows_.push_back(rows());
  }
  ends_.push_back(labels_.size());
  lines_.push_back(reader.line_number());
  previous_feature_ = -1;
}

void LabelledRows::add_label(double label, const LineReader& reader, const char* at) {
  if (options_.task && *options_.task != Task::regression && label != std::floor(label))
    reader.fail(at, fmt::format("expected a whole number as label, found {}", label));
  whole_labels_ = whole_labels_ && label == std::floor(label);
  labels_.push_back(label);
  ends_.back() = labels_.size();
}

const char* LabelledRows::add_labels(const LineReader& reader, const char* at, const char* end) {
  while (true) {
    double label = 0.0;
    const char* const next = parse_real(at, label);
    if (next == nullptr || !(ends_word(next, end) || *next == ','))
      reader.fail(at,
                  fmt::format("expected a finite number as label, found '{}'", excerpt(word_at(at, end))));
    add_label(label, reader, at);
    at = next;
    if (at == end || *at != ',') return at;
    ++at;
  }
}

void LabelledRows::add_feature(std::uint32_t feature, double value, const LineReader& reader, const char* at,
                               const char* value_at) {
  if (feature <= previous_feature_)
    reader.fail(
        at, fmt::format("feature {} comes after feature {}; they must increase", feature, previous_feature_));
  if (options_.base && feature < *options_.base)
    reader.fail(at, fmt::format("feature {} where features are counted from {}", feature, *options_.base));
  if (feature >= options_.limits.columns)
    reader.fail(at, fmt::format("feature {} is out of range; at most {} are possible", feature,
                                options_.limits.columns - 1));
  previous_feature_ = feature;
  smallest_feature_ = std::min(smallest_feature_, feature);
  largest_feature_ = std::max(largest_feature_, feature);
  const float input = to_input(value, reader, value_at);
  if (input != 0.0F) inputs_.add(static_cast<std::uint32_t>(rows() - 1), feature, input);
}

Task LabelledRows::choose_task() {
  if (!ends_.empty() && label_count(rows() - 1) != 1) one_label_each_ = false;
  if (options_.task) return *options_.task;
  if (!one_label_each_ && whole_labels_) return Task::multilabel;
  const Task task = whole_labels_ ? Task::multiclass : Task::regression;
  notes_.push_back(fmt::format(
      "{}: taken for {}; say 'task: …' if it is not",
      whole_labels_ ? "every row has one whole label" : "there are labels with a fraction", task_name(task)));
  return task;
}

Features LabelledRows::finish_features() {
  if (!feature_names_.empty()) {
    const std::size_t columns = feature_names_.size();
    return inputs_.finish(rows(), columns, {std::move(feature_names_), {}});
  }
  if (smallest_feature_ > largest_feature_) return inputs_.finish(rows(), 0);
  const std::uint32_t base = options_.base.value_or(smallest_feature_ == 0 ? 0 : 1);
  if (!options_.base)
    notes_.push_back(
        fmt::format("features are counted from {} (the smallest number is {}); say 'base: …' if not", base,
                    smallest_feature_));
  return inputs_.finish(rows(), std::size_t{largest_feature_} - base + 1, {}, base);
}

void LabelledRows::fail_row(std::size_t row, const std::string& message) const {
  const auto next = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  const auto file = static_cast<std::size_t>(next - first_rows_.begin()) - 1;
  throw Error(ErrorKind::data, message, {file_names_[file], lines_[row], 1});
}

/// Distinct labels in ascending order are the classes.
LabelSets LabelledRows::class_sets(std::vector<std::string>& names) const {
  std::vector<double> classes = labels_;
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  LabelSets sets(static_cast<std::uint32_t>(classes.size()));
  sets.reserve(rows(), rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    if (label_count(row) != 1)
      fail_row(row, fmt::format("expected one class, found {} labels", label_count(row)));
    const auto found = std::lower_bound(classes.begin(), classes.end(), labels_[row]);
    const auto label = static_cast<std::uint32_t>(found - classes.begin());
    sets.add_row(std::span(&label, 1));
  }
  for (const double name : classes) names.push_back(fmt::format("{}", name));
  return sets;
}

/// Labels are numbers from 0 or 1 on; each keeps its number as its name.
LabelSets LabelledRows::label_sets(std::vector<std::string>& names) {
  double smallest = 0.0;
  double largest = -1.0;
  for (std::size_t row = 0, i = 0; row < rows(); ++row)
    for (; i < ends_[row]; ++i) {
      if (labels_[i] < 0.0 || labels_[i] != std::floor(labels_[i]) || labels_[i] >= options_.limits.labels)
        fail_row(row, fmt::format("label {} is not a whole number from 0 to {}", labels_[i],
                                  options_.limits.labels - 1));
      smallest = i == 0 ? labels_[i] : std::min(smallest, labels_[i]);
      largest = std::max(largest, labels_[i]);
    }
  const double base = smallest == 0.0 ? 0.0 : 1.0;
  if (!labels_.empty()) notes_.push_back(fmt::format("labels are counted from {}", base));
  const auto count = static_cast<std::uint32_t>(std::max(0.0, largest - base + 1.0));
  LabelSets sets(count);
  sets.reserve(rows(), labels_.size());
  std::vector<std::uint32_t> row_labels;
  for (std::size_t row = 0, i = 0; row < rows(); ++row) {
    row_labels.clear();
    for (; i < ends_[row]; ++i) row_labels.push_back(static_cast<std::uint32_t>(labels_[i] - base));
    sets.add_row(row_labels);
  }
  for (std::uint32_t label = 0; label < count; ++label)
    names.push_back(fmt::format("{}", label + static_cast<std::uint32_t>(base)));
  return sets;
}

RealTargets LabelledRows::real_targets() const {
  const std::size_t outputs = label_count(0);
  for (std::size_t row = 0; row < rows(); ++row)
    if (label_count(row) != outputs || outputs == 0)
      fail_row(row, fmt::format("{} outputs where {} are expected", label_count(row),
                                outputs == 0 ? "some" : fmt::format("{}", outputs)));
  return {outputs, labels_};
}

ReadResult LabelledRows::finish() {
  if (rows() == 0)
    throw Error(ErrorKind::data, "the file has no rows", {options_.train[0].path.string(), 1, 1});
  const Task task = choose_task();
  DatasetExtras extras;
  extras.given_split = split_of_files(options_, train_rows_, rows());
  extras.propensity = options_.propensity;
  if (task == Task::regression) {
    RealTargets targets = real_targets();
    return {Dataset(options_.name, finish_features(), std::move(targets), std::move(extras)), notes_};
  }
  LabelSets labels =
      task == Task::multiclass ? class_sets(extras.output_names) : label_sets(extras.output_names);
  Features features = finish_features();
  return {Dataset(options_.name, task, std::move(features), std::move(labels), std::move(extras)),
          std::move(notes_)};
}

}  // namespace coppice

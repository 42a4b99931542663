#include "core/data/dataset.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

constexpr std::size_t rows_per_batch = 4096;

/// One bit pattern for each value: -0 is 0, and all missing values are alike.
std::uint32_t canonical_bits(float value) {
  if (std::isnan(value)) return 0x7fc00000U;
  return std::bit_cast<std::uint32_t>(value == 0.0F ? 0.0F : value);
}

/// Kept from column to column, of which there may be millions.
struct Scratch {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> bits;
};

void add_column(Fingerprinter& fingerprinter, const ColumnView& column, Scratch& scratch) {
  auto& [rows, bits] = scratch;
  rows.clear();
  bits.clear();
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (column.values[i] == 0.0F) continue;
    rows.push_back(column.dense ? static_cast<std::uint32_t>(i) : column.rows[i]);
    bits.push_back(canonical_bits(column.values[i]));
  }
  fingerprinter.add(static_cast<std::uint64_t>(column.kind));
  fingerprinter.add_array(std::span<const std::uint32_t>(rows));
  fingerprinter.add_array(std::span<const std::uint32_t>(bits));
}

}  // namespace

RealTargets::RealTargets(std::size_t outputs, std::vector<double> values)
    : outputs_(outputs), values_(std::move(values)) {
  if (outputs_ == 0 || values_.size() % outputs_ != 0)
    throw Error(ErrorKind::data,
                fmt::format("{} target values do not form rows of {}", values_.size(), outputs_));
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (!std::isfinite(values_[i]))
      throw Error(ErrorKind::data,
                  fmt::format("target {} of row {} is missing or not finite; drop the row or fill it in",
                              i % outputs_, i / outputs_));
}

Dataset::Dataset(std::string name, Task task, Features features, LabelSets labels, DatasetExtras extras)
    : name_(std::move(name)),
      task_(task),
      features_(std::move(features)),
      labels_(std::move(labels)),
      extras_(std::move(extras)) {
  if (labels_.rows() != rows())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' has {} rows of inputs and {} of labels", name_,
                                             rows(), labels_.rows()));
  if (task_ == Task::multiclass)
    for (std::size_t row = 0; row < rows(); ++row)
      if (labels_[row].size() != 1)
        throw Error(ErrorKind::data,
                    fmt::format("dataset '{}', row {}: {} classes where exactly one is expected", name_, row,
                                labels_[row].size()));
  check_extras();
  fingerprint_ = compute_fingerprint();
}

Dataset::Dataset(std::string name, Features features, RealTargets targets, DatasetExtras extras)
    : name_(std::move(name)),
      task_(Task::regression),
      features_(std::move(features)),
      targets_(std::move(targets)),
      extras_(std::move(extras)) {
  if (targets_.rows() != rows())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' has {} rows of inputs and {} of targets", name_,
                                             rows(), targets_.rows()));
  check_extras();
  fingerprint_ = compute_fingerprint();
}

Dataset::Dataset(std::string name, Task task, Features features, LabelSets labels, RealTargets targets,
                 DatasetExtras extras, const Fingerprint& fingerprint)
    : name_(std::move(name)),
      task_(task),
      features_(std::move(features)),
      labels_(std::move(labels)),
      targets_(std::move(targets)),
      extras_(std::move(extras)),
      fingerprint_(fingerprint) {
  if ((has_labels(task_) ? labels_.rows() : targets_.rows()) != rows())
    throw Error(
        ErrorKind::data,
        fmt::format("dataset '{}' has {} rows of inputs and another number of outputs", name_, rows()));
  check_extras();
}

std::size_t Dataset::output_count() const {
  return has_labels(task_) ? labels_.label_count() : targets_.outputs();
}

std::string Dataset::output_name(std::size_t index) const {
  return output_names().empty() ? fmt::format("y{}", index) : output_names()[index];
}

void Dataset::check_extras() const {
  if (!output_names().empty() && output_names().size() != output_count())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' has {} outputs and {} names for them", name_,
                                             output_count(), output_names().size()));
  if (!groups().empty() && groups().size() != rows())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' has {} rows and {} groups of them", name_, rows(),
                                             groups().size()));
  if (!given_split()) return;
  for (const Rows* part : {&given_split()->train, &given_split()->test})
    for (const std::uint32_t row : *part)
      if (row >= rows())
        throw Error(ErrorKind::data,
                    fmt::format("dataset '{}': the given split names row {} of {}", name_, row, rows()));
}

Fingerprint Dataset::compute_fingerprint() const {
  Fingerprinter fingerprinter;
  fingerprinter.add(task_name(task_)).add(rows()).add(feature_count()).add(output_count());
  Scratch scratch;
  for (std::size_t j = 0; j < feature_count(); ++j) {
    fingerprinter.add(features_.name(j));
    for (const std::string& category : features_.categories(j)) fingerprinter.add(category);
    add_column(fingerprinter, features_.column(j), scratch);
  }
  fingerprinter.add_array(labels_.offsets()).add_array(labels_.labels()).add_array(targets_.values());
  for (const std::string& name : output_names()) fingerprinter.add(name);
  if (given_split()) {
    fingerprinter.add_array(std::span<const std::uint32_t>(given_split()->train));
    fingerprinter.add_array(std::span<const std::uint32_t>(given_split()->test));
  }
  fingerprinter.add(propensity().a).add(propensity().b);
  if (!groups().empty()) fingerprinter.add_array(std::span<const std::uint32_t>(groups()));
  return fingerprinter.value();
}

DatasetView::DatasetView(std::shared_ptr<const Dataset> dataset) : dataset_(std::move(dataset)) {
  Rows all(dataset_->rows());
  std::iota(all.begin(), all.end(), 0U);
  rows_ = std::make_shared<const Rows>(std::move(all));
}

DatasetView::DatasetView(std::shared_ptr<const Dataset> dataset, Rows rows)
    : dataset_(std::move(dataset)), rows_(std::make_shared<const Rows>(std::move(rows))) {}

DatasetView DatasetView::slice(std::size_t begin, std::size_t end) const {
  return {dataset_, Rows(rows_->begin() + static_cast<std::ptrdiff_t>(begin),
                         rows_->begin() + static_cast<std::ptrdiff_t>(end))};
}

void DatasetView::for_each_batch(const std::function<void(const DatasetView&)>& visit) const {
  for (std::size_t begin = 0; begin < size(); begin += rows_per_batch)
    visit(slice(begin, std::min(size(), begin + rows_per_batch)));
}

}  // namespace coppice

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/fingerprint.h"
#include "core/data/features.h"
#include "core/data/label_sets.h"
#include "core/data/task.h"

namespace coppice {

using Rows = std::vector<std::uint32_t>;

/// Rows to learn from and rows to test on.
struct Split {
  Rows train;
  Rows test;
};

/// The constants of the propensity model of Jain et al. 2016 that psp@K weighs labels by.
struct Propensity {
  double a = 0.55;
  double b = 1.5;
};

/// What a dataset may have besides inputs and outputs.
struct DatasetExtras {
  std::vector<std::string> output_names;  ///< one for each output, or empty
  std::optional<Split> given_split;       ///< the split that came with the data
  Propensity propensity;
  std::vector<std::uint32_t> groups{};  ///< the group of every row that splits keep together, or empty
};

/// Real outputs, row by row (n × d).
class RealTargets {
 public:
  RealTargets() = default;
  RealTargets(std::size_t outputs, std::vector<double> values);

  std::size_t outputs() const { return outputs_; }
  std::size_t rows() const { return outputs_ == 0 ? 0 : values_.size() / outputs_; }
  std::span<const double> operator[](std::size_t row) const {
    return std::span(values_).subspan(row * outputs_, outputs_);
  }
  std::span<const double> values() const { return values_; }

 private:
  std::size_t outputs_ = 0;
  std::vector<double> values_;
};

/// Inputs and outputs of one learning problem: immutable once made, shared by every fold, trial and thread.
class Dataset {
 public:
  /// Labels (multi-label, or multi-class with exactly one label per row).
  Dataset(std::string name, Task task, Features features, LabelSets labels, DatasetExtras extras = {});
  /// Real targets.
  Dataset(std::string name, Features features, RealTargets targets, DatasetExtras extras = {});

  /// A dataset that was checked and fingerprinted before, as a cache holds it.
  Dataset(std::string name, Task task, Features features, LabelSets labels, RealTargets targets,
          DatasetExtras extras, const Fingerprint& fingerprint);

  const std::string& name() const { return name_; }
  Task task() const { return task_; }
  const Features& features() const { return features_; }
  /// Empty for regression.
  const LabelSets& labels() const { return labels_; }
  /// Empty but for regression.
  const RealTargets& targets() const { return targets_; }

  std::size_t rows() const { return features_.rows(); }
  std::size_t feature_count() const { return features_.columns(); }
  std::size_t output_count() const;
  /// The output's own name, or `y<index>` where it has none.
  std::string output_name(std::size_t index) const;
  const std::vector<std::string>& output_names() const { return extras_.output_names; }
  const std::optional<Split>& given_split() const { return extras_.given_split; }
  const Propensity& propensity() const { return extras_.propensity; }
  /// The number of the group of every row, or empty.
  const std::vector<std::uint32_t>& groups() const { return extras_.groups; }
  /// All of these, to make a dataset like this one.
  const DatasetExtras& extras() const { return extras_; }

  /// Identifies the content: values, names, task and given split, but not the name of the dataset nor whether
  /// columns are stored dense or sparse.
  const Fingerprint& fingerprint() const { return fingerprint_; }

 private:
  void check_extras() const;
  Fingerprint compute_fingerprint() const;

  std::string name_;
  Task task_;
  Features features_;
  LabelSets labels_;
  RealTargets targets_;
  DatasetExtras extras_;
  Fingerprint fingerprint_;
};

/// Some rows of a dataset, in an order, without a copy of the data. A row may occur several times.
class DatasetView {
 public:
  /// All rows in order.
  explicit DatasetView(std::shared_ptr<const Dataset> dataset);
  DatasetView(std::shared_ptr<const Dataset> dataset, Rows rows);

  const Dataset& dataset() const { return *dataset_; }
  const std::shared_ptr<const Dataset>& shared_dataset() const { return dataset_; }
  std::size_t size() const { return rows_->size(); }
  /// Indices into the dataset.
  std::span<const std::uint32_t> rows() const { return *rows_; }
  std::uint32_t operator[](std::size_t i) const { return (*rows_)[i]; }

  /// Rows [begin, end) of this view.
  DatasetView slice(std::size_t begin, std::size_t end) const;
  /// Calls `visit` with consecutive parts of a few thousand rows: predictions of all rows need never be in
  /// memory at once.
  void for_each_batch(const std::function<void(const DatasetView& batch)>& visit) const;

 private:
  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const Rows> rows_;
};

}  // namespace coppice

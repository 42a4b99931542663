#pragma once

#include <string>
#include <vector>

#include "core/data/readers/parts.h"
#include "core/data/sparse_inputs.h"

namespace coppice {

/// Rows of LibSVM and Vowpal Wabbit files: numbers as labels, pairs of feature and value. What the labels are
/// (sets, classes, real outputs) and where features are counted from shows only at the end.
class LabelledRows {
 public:
  explicit LabelledRows(const ReadOptions& options);

  /// Begins a row; labels and features of it follow.
  void begin_row(const LineReader& reader);
  /// Labels joined by commas; returns the place behind them.
  const char* add_labels(const LineReader& reader, const char* at, const char* end);
  /// Features of a row increase.
  void add_feature(std::uint32_t feature, double value, const LineReader& reader, const char* at,
                   const char* value_at);
  /// All rows so far are to train on.
  void end_of_training() { train_rows_ = rows(); }

  std::size_t rows() const { return ends_.size(); }
  /// The features' names, where the file has names and not numbers.
  void set_feature_names(std::vector<std::string> names) { feature_names_ = std::move(names); }

  ReadResult finish();

 private:
  std::size_t label_count(std::size_t row) const { return ends_[row] - (row == 0 ? 0 : ends_[row - 1]); }
  void add_label(double label, const LineReader& reader, const char* at);
  Task choose_task();
  Features finish_features();
  LabelSets class_sets(std::vector<std::string>& names) const;
  LabelSets label_sets(std::vector<std::string>& names);
  RealTargets real_targets() const;
  [[noreturn]] void fail_row(std::size_t row, const std::string& message) const;

  const ReadOptions& options_;
  SparseInputs inputs_;
  std::vector<double> labels_;
  std::vector<std::size_t> ends_;        ///< of the labels of each row
  std::vector<int> lines_;               ///< where each row stands
  std::vector<std::size_t> first_rows_;  ///< of each file
  std::vector<std::string> file_names_;
  std::size_t train_rows_ = 0;
  std::int64_t previous_feature_ = -1;
  std::uint32_t smallest_feature_ = 0xffffffffU;
  std::uint32_t largest_feature_ = 0;
  bool whole_labels_ = true;
  bool one_label_each_ = true;
  std::vector<std::string> feature_names_;
  std::vector<std::string> notes_;
};

}  // namespace coppice

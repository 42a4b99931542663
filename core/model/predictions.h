#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/data/label_sets.h"

namespace coppice {

/// What a model says about some rows: one score per output. Scores of labels are probabilities where the
/// algorithm can give them and otherwise any number that ranks; real outputs are the predicted values.
///
/// Two layouts. Dense: rows × outputs. Sparse: only the listed labels of a row have a score, all others have
/// score 0; listed labels ascend. Label tasks with many labels are always sparse, so that nothing of size
/// rows × labels exists.
class Predictions {
 public:
  static Predictions make_dense(std::size_t rows, std::size_t outputs);
  static Predictions make_sparse(std::size_t outputs);
  /// Rows that list so many labels each, which listed_labels() and listed_scores() are to be told.
  static Predictions make_sparse(std::size_t outputs, std::span<const std::size_t> counts);

  bool is_dense() const { return dense_; }
  std::size_t rows() const { return dense_ ? rows_ : offsets_.size() - 1; }
  std::size_t outputs() const { return outputs_; }

  /// Dense layout only.
  std::span<double> dense_row(std::size_t row) {
    return std::span(scores_).subspan(row * outputs_, outputs_);
  }
  std::span<const double> dense_row(std::size_t row) const {
    return std::span(scores_).subspan(row * outputs_, outputs_);
  }

  /// Sparse layout only: the labels of a row that have a score, and those scores.
  std::span<const std::uint32_t> labels(std::size_t row) const {
    return {labels_.data() + offsets_[row], labels_.data() + offsets_[row + 1]};
  }
  std::span<const double> scores(std::size_t row) const {
    return {scores_.data() + offsets_[row], scores_.data() + offsets_[row + 1]};
  }
  /// Sparse layout only: appends a row; labels ascend.
  void add_row(std::span<const std::uint32_t> labels, std::span<const double> scores);
  std::span<std::uint32_t> listed_labels(std::size_t row) {
    return std::span(labels_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  std::span<double> listed_scores(std::size_t row) {
    return std::span(scores_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }

  /// Sparse layout only: makes room for so many more rows with so many scores in all.
  void reserve(std::size_t rows, std::size_t scores);

  /// All scores that are stored, row after row, and where those of a row of the sparse layout begin.
  std::span<double> all_scores() { return scores_; }
  std::size_t first_score(std::size_t row) const { return offsets_[row]; }

  /// The score of one output in either layout.
  double score(std::size_t row, std::size_t output) const;

  /// Label sets that the algorithm decided on by itself (a label powerset, say). Without them a label is
  /// predicted where its score is at least 0.5, and a class where its score is largest.
  const std::optional<LabelSets>& decisions() const { return decisions_; }
  void set_decisions(LabelSets decisions) { decisions_ = std::move(decisions); }

 private:
  bool dense_ = true;
  std::size_t rows_ = 0;
  std::size_t outputs_ = 0;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> labels_;
  std::vector<double> scores_;
  std::optional<LabelSets> decisions_;
};

}  // namespace coppice

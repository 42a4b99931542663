#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/data/label_sets.h"

namespace coppice {

/// Labels that some rows list, ascending in each row, and their scores: row after row.
struct ListedScores {
  std::vector<std::uint32_t> labels;
  std::vector<double> scores;
};

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
  /// Where the labels of a row are: in which part, and between which places.
  struct Place {
    std::size_t part = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Rows whose labels were listed in several parts: nothing is copied, so rows may lie there in any order.
  static Predictions make_sparse(std::size_t outputs, std::vector<ListedScores> parts,
                                 std::vector<Place> rows);

  bool is_dense() const { return dense_; }
  std::size_t rows() const { return dense_ ? rows_ : places_.size(); }
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
    return of_row(parts_[places_[row].part].labels.data(), row);
  }
  std::span<const double> scores(std::size_t row) const {
    return of_row(parts_[places_[row].part].scores.data(), row);
  }
  std::span<std::uint32_t> listed_labels(std::size_t row) {
    return of_row(parts_[places_[row].part].labels.data(), row);
  }
  std::span<double> listed_scores(std::size_t row) {
    return of_row(parts_[places_[row].part].scores.data(), row);
  }
  /// Sparse layout only: appends a row; labels ascend.
  void add_row(std::span<const std::uint32_t> labels, std::span<const double> scores);

  /// Where a row of the sparse layout is.
  const Place& place(std::size_t row) const { return places_[row]; }
  /// All scores that are stored: of the dense layout row after row, of the sparse one part after part.
  std::size_t parts() const { return dense_ ? 1 : parts_.size(); }
  std::span<double> scores_of_part(std::size_t part) { return dense_ ? scores_ : parts_[part].scores; }

  /// The score of one output in either layout.
  double score(std::size_t row, std::size_t output) const;

  /// Label sets that the algorithm decided on by itself (a label powerset, say). Without them a label is
  /// predicted where its score is at least 0.5, and a class where its score is largest.
  const std::optional<LabelSets>& decisions() const { return decisions_; }
  void set_decisions(LabelSets decisions) { decisions_ = std::move(decisions); }

 private:
  template <typename T>
  std::span<T> of_row(T* all, std::size_t row) const {
    return {all + places_[row].begin, all + places_[row].end};
  }

  bool dense_ = true;
  std::size_t rows_ = 0;
  std::size_t outputs_ = 0;
  std::vector<double> scores_;       ///< dense layout
  std::vector<Place> places_;        ///< sparse layout, of each row
  std::vector<ListedScores> parts_;  ///< likewise
  std::optional<LabelSets> decisions_;
};

}  // namespace coppice

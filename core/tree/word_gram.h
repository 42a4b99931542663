#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/wide_vectors.h"
#include "core/data/label_sets.h"
#include "core/tree/label_bits.h"
#include "core/tree/split_score.h"

namespace coppice {

/// The label sets of a frame of up to 64 rows under the variance impurity, as the products of any two of
/// them: what a split scores follows from those of its rows, however many labels there are. LabelSpace says
/// what the score is; the numbers are the same.
class WordGram {
 public:
  static constexpr std::size_t most_rows = 64;

  /// Of a node. With S the sum of its rows' labels times their weights:
  struct Totals {
    std::int64_t weight = 0;
    std::int64_t squares = 0;  ///< |S|²
    /// w · S·y of each row of the node; 0 where a row after the last would be.
    std::array<std::int64_t, most_rows + 1> products;
  };
  /// Columns of two values that part a node's rows, by their places among the rows of all columns.
  struct Parts {
    const std::uint64_t* rows;
    const std::uint32_t* places;
    std::size_t count;
  };
  /// The score of one of some splits, and which it is.
  struct BestPart {
    double score;
    std::size_t index;
  };

  /// `bits` are those of the label sets, if they are known.
  WordGram(const LabelSets& labels, const std::uint32_t* weights, const LabelBits* bits)
      : labels_(&labels), label_bits_(bits), weights_of_(weights) {}

  /// Multiplies the label sets of the dataset's rows that the frame has.
  void build(std::span<const std::uint32_t> rows, bool widest = has_bit_vectors());

  /// Whether all rows of a node have the same labels.
  bool identical(std::uint64_t rows) const;
  /// What parting two rows gains: score minus base score.
  double pair_gain(std::uint32_t a, std::uint32_t b) const;

  void learn(std::uint64_t rows, Totals& totals) const;
  /// Takes rows away from a node, of which `left` remain.
  void remove(std::uint64_t gone, std::uint64_t left, Totals& totals) const;

  /// Makes a node the one whose splits are scored.
  void enter(std::uint64_t /*rows*/, const Totals& totals) { totals_ = &totals; }
  double base_score() const {
    return static_cast<double>(totals_->squares) / static_cast<double>(totals_->weight);
  }
  /// The split that parts one row from the others.
  SplitScore alone(std::uint32_t id) const {
    return score(weights_[id], gram_[id * rows_ + id], totals_->products[id]);
  }
  /// The split that parts some rows, at least two, from the others.
  SplitScore part(std::uint64_t rows) const;
  /// Whether some split that parts any of these rows, at least two and not all, from all others may pass
  /// `could_be`; also where there are so many that looking at all splits does not pay.
  template <typename CouldBe>
  bool any_part(std::uint64_t rows, const CouldBe& could_be) const;
  /// The first of the best splits of a node by columns that part several rows from several others, at least
  /// `least` on each side. If none does, the score is minus infinity.
  BestPart best_part(const Parts& parts, std::uint64_t node, std::size_t least) const;
  /// The splits that part the first row from the others, the first two, the first three…
  void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* wanted, SplitScore* scores) const;

 private:
  static constexpr std::size_t few = 6;  ///< so many rows are multiplied with each other only

  static std::uint32_t first_of(std::uint64_t rows) {
    return static_cast<std::uint32_t>(std::countr_zero(rows));
  }
  void set_bits(std::span<const std::uint32_t> rows);
  void set_shared_bits(std::span<const std::uint32_t> rows);
  std::int64_t weight_of(std::uint64_t rows) const;
  /// The products of a row with some rows, added up.
  std::int64_t product(std::uint32_t id, std::uint64_t rows) const;
  void sum_squares(std::uint64_t rows, Totals& totals) const;
  SplitScore score(std::int64_t weight, std::int64_t squares, std::int64_t product) const {
    return SplitScore::of_sides(weight, squares, totals_->weight - weight,
                                totals_->squares - 2 * product + squares);
  }
  [[gnu::always_inline]] inline SplitScore add_up(std::uint64_t rows) const;

  const LabelSets* labels_;
  const LabelBits* label_bits_;
  const std::uint32_t* weights_of_;  ///< of the dataset's rows
  std::size_t rows_ = 0;
  std::array<std::int64_t, most_rows + 1> weights_;  ///< 0 where a row after the last would be
  std::uint64_t only_shared_ = 0;                    ///< rows all of whose labels others have too
  std::vector<std::int64_t> gram_;  ///< w_i · w_j · y_i·y_j, and a row of nothing after the last
  const Totals* totals_ = nullptr;

  std::size_t words_ = 0;  ///< of the labels of a row
  /// The labels of all rows, word after word, or of many labels only those that several rows have.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> met_;    ///< how many rows have a label; 0 between uses
  std::vector<std::uint32_t> place_;  ///< the bit of a label that several rows have
};

template <typename CouldBe>
bool WordGram::any_part(std::uint64_t rows, const CouldBe& could_be) const {
  const std::uint32_t a = first_of(rows);
  rows &= rows - 1;
  const std::uint32_t b = first_of(rows);
  rows &= rows - 1;
  if ((rows & (rows - 1)) != 0) return true;
  struct Sums {
    std::int64_t weight;
    std::int64_t squares;
    std::int64_t product;
  };
  const auto of_row = [&](std::uint32_t id) {
    return Sums{weights_[id], gram_[id * rows_ + id], totals_->products[id]};
  };
  const auto together = [&](const Sums& some, const Sums& others, std::int64_t common) {
    return Sums{some.weight + others.weight, some.squares + others.squares + 2 * common,
                some.product + others.product};
  };
  // All of them, without a branch.
  const auto may_be = [&](const Sums& side) {
    return could_be(score(side.weight, side.squares, side.product)) ? 1U : 0U;
  };
  const Sums first = of_row(a);
  const Sums second = of_row(b);
  const std::int64_t common = gram_[b * rows_ + a];
  const Sums both = together(first, second, common);
  const unsigned any_of_two = may_be(first) | may_be(second) | may_be(both);
  if (rows == 0) return any_of_two != 0;
  const std::uint32_t c = first_of(rows);
  const Sums third = of_row(c);
  const std::int64_t with_first = gram_[c * rows_ + a];
  const std::int64_t with_second = gram_[c * rows_ + b];
  return (any_of_two | may_be(third) | may_be(together(first, third, with_first)) |
          may_be(together(second, third, with_second)) |
          may_be(together(both, third, with_first + with_second))) != 0;
}

}  // namespace coppice

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/data/task.h"

namespace coppice {

/// The training values of one output. Labels are the rows that have it, never a column of zeros and ones.
class LossTargets {
 public:
  /// Real values, one for each row. `delta` is where the Huber loss bends.
  static LossTargets real(std::span<const double> values, double delta);
  /// A label: the rows that have it, ascending, of so many.
  static LossTargets label(std::span<const std::uint32_t> positives, std::size_t rows);

  std::size_t rows() const { return rows_; }
  bool is_label() const { return is_label_; }
  std::span<const double> values() const { return values_; }
  std::span<const std::uint32_t> positives() const { return positives_; }
  double delta() const { return delta_; }
  /// A label that all rows have, or none: there is nothing to learn about it.
  bool one_sided() const { return is_label_ && (positives_.empty() || positives_.size() == rows_); }

  /// Calls visit(row, target) for the rows [first, last); a label's target is `low` or `high`.
  template <typename Visit>
  void each(std::size_t first, std::size_t last, double low, double high, const Visit& visit) const {
    if (!is_label_) {
      for (std::size_t row = first; row < last; ++row) visit(row, values_[row]);
      return;
    }
    std::size_t next = first_positive(first);
    for (std::size_t row = first; row < last; ++row) {
      const bool positive = next < positives_.size() && positives_[next] == row;
      next += positive ? 1 : 0;
      visit(row, positive ? high : low);
    }
  }
  /// The place of the first positive row that is not before `row`.
  std::size_t first_positive(std::size_t row) const;

 private:
  std::size_t rows_ = 0;
  bool is_label_ = false;
  std::span<const double> values_;
  std::span<const std::uint32_t> positives_;
  double delta_ = 1.0;
};

/// What a weak model says about the training rows for one output, which a step goes along. Trees say few
/// different things: row i is told values[group[i]].
struct StepDirection {
  std::span<const std::uint32_t> group;
  std::span<const double> values;
  std::span<const double> rows;  ///< values[group[i]] of each row
};

/// Everything there is to say about a loss.
struct LossDescription {
  std::string name;
  std::string summary;
  std::string formula;
  std::string reference;
  bool labels = false;  ///< for label sets and classes
  bool real = false;    ///< for regression
  double low = -1.0;    ///< the target of a row without the label, and of a row that has it
  double high = 1.0;

  bool fits(Task task) const { return has_labels(task) ? labels : real; }
};

/// The numbers that a loss keeps as its state.
template <typename Number>
std::span<Number> numbers_of(std::span<std::byte> state) {
  return {reinterpret_cast<Number*>(state.data()), state.size() / sizeof(Number)};
}
template <typename Number>
std::span<const Number> numbers_of(std::span<const std::byte> state) {
  return {reinterpret_cast<const Number*>(state.data()), state.size() / sizeof(Number)};
}

/// A loss ℓ(y, f) that is convex in the score f. Losses of several outputs are sums over the outputs (thesis
/// eq. 6.1, 6.2, 6.5), so everything here is about one output.
///
/// Boosting moves the scores of all training rows thousands of times. It keeps one number for each row and
/// output in whatever form suits the loss, the state: the residual, the score, or a probability.
class Loss {
 public:
  virtual ~Loss() = default;
  virtual const LossDescription& description() const = 0;

  /// ℓ(y, f), and minus its derivative by f. `delta` is for the Huber loss.
  virtual double value(double target, double score, double delta) const = 0;
  virtual double negative_gradient(double target, double score, double delta) const = 0;
  /// What is predicted for a score: for labels a probability, or at least a number that is 0.5 where the
  /// label becomes the better guess.
  virtual double prediction(double score) const { return score; }

  /// The score that is best for all rows alike (thesis Table 4.2, with the factor 1/2 that its logistic and
  /// exponential losses need). Finite: a label that all rows have, or none, counts half a row of the other
  /// kind.
  virtual double constant(const LossTargets& targets) const = 0;

  /// Bytes of a row's state: a double unless a loss can do with less.
  virtual std::size_t state_bytes() const { return sizeof(double); }
  /// The state of rows that all have one score.
  virtual void start(const LossTargets& targets, double score, std::span<std::byte> state) const = 0;
  /// The negative gradients of the rows that begin at `first`, as many as there is room for. All 0 where a
  /// label is one-sided.
  virtual void gradients(const LossTargets& targets, std::span<const std::byte> state, std::size_t first,
                         std::span<double> gradients) const = 0;
  /// Adds `factor` times the negative gradients of all rows.
  virtual void add_gradients(const LossTargets& targets, std::span<const std::byte> state, double factor,
                             std::span<double> sums) const;
  /// The ρ for which the loss of scores f + ρ·direction is least, up to about a ten-thousandth of ρ.
  /// Where there is no finite one, or it would move a label's score by more than `most_move`, the best one
  /// within that.
  virtual double step(const LossTargets& targets, std::span<const std::byte> state,
                      const StepDirection& direction) const = 0;
  /// Adds moves[group[i]] to the score of each row.
  virtual void move(const LossTargets& targets, std::span<const std::uint32_t> group,
                    std::span<const double> moves, std::span<std::byte> state) const = 0;
  /// The sum of the losses of all rows.
  virtual double total(const LossTargets& targets, std::span<const std::byte> state) const = 0;

  /// The farthest that one step moves a label's score: odds change by a factor of e^20 at most.
  static constexpr double most_move = 10.0;
};

/// The losses, in the order in which they are listed.
const std::vector<std::unique_ptr<Loss>>& losses();
/// Throws Error(usage) that names the nearest.
const Loss& find_loss(const std::string& name);
std::vector<std::string> loss_names();

}  // namespace coppice

#include "core/data/splits/stratified.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/splits/splits.h"

namespace coppice {

namespace {

class Stratifier {
 public:
  Stratifier(const LabelSets& labels, std::span<const double> shares, const Stream& stream)
      : labels_(labels),
        parts_(shares.size()),
        ties_(stream.at("ties")),
        part_of_row_(labels.rows(), unassigned),
        rows_wanted_(shares.size()),
        rows_left_(labels.label_count(), 0),
        labels_wanted_(labels.label_count() * shares.size()) {
    for (const std::uint32_t label : labels.labels()) ++rows_left_[label];
    for (std::size_t part = 0; part < parts_; ++part) {
      rows_wanted_[part] = shares[part] * static_cast<double>(labels.rows());
      for (std::size_t label = 0; label < rows_left_.size(); ++label)
        labels_wanted_[label * parts_ + part] = shares[part] * static_cast<double>(rows_left_[label]);
    }
    order_.resize(labels.rows());
    std::iota(order_.begin(), order_.end(), 0U);
    Stream shuffler = stream.at("order");
    shuffler.shuffle(std::span(order_));
    rank_.resize(rows_left_.size());
    std::iota(rank_.begin(), rank_.end(), 0U);
    shuffler.shuffle(std::span(rank_));
  }

  std::vector<std::uint32_t> run() {
    collect_rows();
    for (std::uint32_t label = 0; label < rows_left_.size(); ++label)
      if (rows_left_[label] > 0) queue_.insert({rows_left_[label], rank_[label], label});
    while (!queue_.empty()) {
      const std::uint32_t label = queue_.begin()->label;
      const std::size_t end = starts_[label + 1];
      for (std::size_t i = starts_[label]; i < end; ++i)
        if (part_of_row_[rows_of_label_[i]] == unassigned) assign(rows_of_label_[i], part_lacking(label));
    }
    for (const std::uint32_t row : order_)
      if (part_of_row_[row] == unassigned) assign(row, part_lacking_rows());
    return std::move(part_of_row_);
  }

 private:
  static constexpr std::uint32_t unassigned = 0xffffffffU;
  struct Waiting {
    std::size_t rows;
    std::uint32_t rank;
    std::uint32_t label;
    auto operator<=>(const Waiting&) const = default;
  };

  /// The rows of every label, in random order.
  void collect_rows() {
    starts_.assign(rows_left_.size() + 1, 0);
    for (std::size_t label = 0; label < rows_left_.size(); ++label)
      starts_[label + 1] = starts_[label] + rows_left_[label];
    rows_of_label_.resize(labels_.total());
    std::vector<std::size_t> ends(starts_.begin(), starts_.end() - 1);
    for (const std::uint32_t row : order_)
      for (const std::uint32_t label : labels_[row]) rows_of_label_[ends[label]++] = row;
  }

  /// Of the parts that `wanted` has most of, the one that lacks rows most; a random one among equals.
  template <typename Wanted>
  std::uint32_t choose(const Wanted& wanted) {
    best_.clear();
    for (std::uint32_t part = 0; part < parts_; ++part) {
      if (!best_.empty()) {
        const auto candidate = std::pair(wanted(part), rows_wanted_[part]);
        const auto best = std::pair(wanted(best_[0]), rows_wanted_[best_[0]]);
        if (candidate < best) continue;
        if (candidate > best) best_.clear();
      }
      best_.push_back(part);
    }
    return best_.size() == 1 ? best_[0] : best_[ties_.below(best_.size())];
  }

  std::uint32_t part_lacking(std::uint32_t label) {
    return choose([&](std::uint32_t part) { return labels_wanted_[label * parts_ + part]; });
  }
  std::uint32_t part_lacking_rows() {
    return choose([](std::uint32_t) { return 0.0; });
  }

  void assign(std::uint32_t row, std::uint32_t part) {
    part_of_row_[row] = part;
    rows_wanted_[part] -= 1.0;
    for (const std::uint32_t label : labels_[row]) {
      labels_wanted_[label * parts_ + part] -= 1.0;
      queue_.erase({rows_left_[label], rank_[label], label});
      if (--rows_left_[label] > 0) queue_.insert({rows_left_[label], rank_[label], label});
    }
  }

  const LabelSets& labels_;
  std::size_t parts_;
  Stream ties_;
  std::vector<std::uint32_t> part_of_row_;
  std::vector<double> rows_wanted_;     ///< of each part
  std::vector<std::size_t> rows_left_;  ///< of each label, not yet assigned
  std::vector<double> labels_wanted_;   ///< label × part
  std::vector<std::uint32_t> order_;    ///< rows at random
  std::vector<std::uint32_t> rank_;     ///< labels at random: decides between labels with equally many rows
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> rows_of_label_;
  std::set<Waiting> queue_;
  std::vector<std::uint32_t> best_;
};

/// Every split needs a row on both sides, whatever the shares say of few rows.
void require_both_sides(const std::vector<Split>& splits) {
  for (const Split& split : splits)
    if (split.train.empty() || split.test.empty())
      throw Error(
          ErrorKind::data,
          fmt::format(
              "too few rows for this stratified split: a part of it is empty ({} rows to train on, {} to "
              "test on)",
              split.train.size(), split.test.size()));
}

}  // namespace

std::vector<std::uint32_t> stratified_parts(const LabelSets& labels, std::span<const double> shares,
                                            const Stream& stream) {
  return Stratifier(labels, shares, stream).run();
}

Split stratified_holdout(const LabelSets& labels, double test_fraction, const Stream& stream) {
  const std::vector<double> shares{1.0 - test_fraction, test_fraction};
  std::vector<Split> splits = splits_of_parts(stratified_parts(labels, shares, stream), 2);
  require_both_sides(splits);
  return std::move(splits[1]);
}

std::vector<Split> stratified_k_fold(const LabelSets& labels, std::size_t folds, const Stream& stream) {
  if (folds < 2 || labels.rows() < folds)
    throw Error(ErrorKind::data, fmt::format("{} folds of {} rows are impossible; take between 2 and {}",
                                             folds, labels.rows(), labels.rows()));
  const std::vector<double> shares(folds, 1.0 / static_cast<double>(folds));
  std::vector<Split> splits = splits_of_parts(stratified_parts(labels, shares, stream), folds);
  require_both_sides(splits);
  return splits;
}

LabelSets select_rows(const LabelSets& labels, std::span<const std::uint32_t> rows) {
  LabelSets selected(labels.label_count());
  for (const std::uint32_t row : rows) selected.add_row(labels[row]);
  return selected;
}

}  // namespace coppice

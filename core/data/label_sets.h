#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace coppice {

/// One set of labels per row, in compressed row form: never a dense matrix. Labels of a row ascend without
/// repetition.
class LabelSets {
 public:
  explicit LabelSets(std::uint32_t label_count = 0) : label_count_(label_count) {}
  /// For tests and examples: one braced list per row.
  LabelSets(std::uint32_t label_count, std::initializer_list<std::initializer_list<std::uint32_t>> rows);

  /// Stored label sets, as offsets() and labels() gave them. Throws Error(data) if they do not fit together.
  LabelSets(std::uint32_t label_count, std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> labels);

  std::size_t rows() const { return offsets_.size() - 1; }
  std::uint32_t label_count() const { return label_count_; }
  /// The number of (row, label) pairs.
  std::size_t total() const { return labels_.size(); }
  std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {labels_.data() + offsets_[row], labels_.data() + offsets_[row + 1]};
  }
  bool contains(std::size_t row, std::uint32_t label) const;

  /// Appends a row; sorts it and drops repetitions. Labels must be below label_count().
  void add_row(std::span<const std::uint32_t> labels);
  void reserve(std::size_t rows, std::size_t total);

  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const std::uint32_t> labels() const { return labels_; }

  bool operator==(const LabelSets&) const = default;

 private:
  std::uint32_t label_count_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> labels_;
};

}  // namespace coppice

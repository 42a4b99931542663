#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/parameters/parameters.h"

namespace coppice {

/// The rows of the `extreme` generator, one at a time and each by its number, so that millions of them can be
/// streamed to a file without being held in memory.
///
/// Labels have power-law frequencies and come in clusters that occur together. A row's words come from the
/// characteristic words of its labels and from a power-law background vocabulary; values are 1 + ln(count),
/// scaled to unit length.
class ExtremeRows {
 public:
  ExtremeRows(const Parameters& parameters, const Stream& stream);

  struct Row {
    std::vector<std::uint32_t> labels;    ///< ascending
    std::vector<std::uint32_t> features;  ///< ascending
    std::vector<float> values;
  };

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return word_order_.size(); }
  std::size_t labels() const { return label_order_.size(); }
  /// Overwrites `row`, keeping its memory.
  void draw(std::size_t index, Row& row) const;

 private:
  void draw_labels(Stream& source, std::vector<std::uint32_t>& ranks) const;
  std::uint32_t draw_word(Stream& source, std::span<const std::uint32_t> ranks) const;

  Stream stream_;
  std::size_t rows_;
  double label_exponent_;
  double word_exponent_;
  double cardinality_;
  double correlation_;
  double words_;
  double signal_;
  std::uint64_t cluster_;
  std::uint64_t characteristic_;
  std::vector<std::uint32_t> label_order_;  ///< rank by frequency → label
  std::vector<std::uint32_t> word_order_;   ///< rank by frequency → feature
};

}  // namespace coppice

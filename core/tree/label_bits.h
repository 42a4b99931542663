#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/label_sets.h"

namespace coppice {

/// The label sets of all rows of a dataset as bits, where there are so few labels that these take no more
/// room than lists: made once for all trees, each of which would go through the lists again.
class LabelBits {
 public:
  static constexpr std::size_t most_words = 2;

  explicit LabelBits(const LabelSets& labels) {
    const std::size_t words = (std::size_t{labels.label_count()} + 63) / 64;
    if (words > most_words) return;
    words_ = words;
    bits_.resize(labels.rows() * words, 0);
    for (std::size_t row = 0; row < labels.rows(); ++row)
      for (const std::uint32_t label : labels[row])
        bits_[row * words + label / 64] |= std::uint64_t{1} << (label % 64);
  }

  /// Of a row; 0 if there are too many labels.
  std::size_t words() const { return words_; }
  const std::uint64_t* operator[](std::size_t row) const { return bits_.data() + row * words_; }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace coppice

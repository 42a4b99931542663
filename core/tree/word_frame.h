#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"

namespace coppice {

/// A column of a word frame: which rows have an entry, as bits. A column of two values has an entry in the
/// rows that it lists; of other columns the entries say the value as well.
struct WordColumn {
  std::uint64_t rows = 0;
  std::uint32_t feature = 0;
  std::uint32_t entries = 0;  ///< the first of its entries, or none if it has two values
};

/// The rows of a small node numbered anew, with everything that their columns say. What a column is in a node
/// of the subtree is one `and` with the node's rows, so nothing is kept up to date while the subtree grows.
class WordFrame {
 public:
  static constexpr std::uint32_t most_rows = 64;
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::uint32_t last = none - 1;  ///< after the last entry of a column

  /// A row's value in a column that has more than two.
  struct Entry {
    std::uint32_t key = 0;  ///< the code, or the bits of the value
    std::uint32_t id = 0;
    std::uint32_t next = last;
  };

  /// Whether the columns of a dataset suit: not many of them dense, none with missing values or categories.
  static bool suits(const CodedInputs& inputs);

  /// `values`: keys are values, not codes.
  void build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values);

  std::span<const std::uint32_t> rows() const { return rows_; }
  /// The bits of all rows.
  std::uint64_t all() const { return ~std::uint64_t{0} >> (most_rows - rows_.size()); }
  std::span<const WordColumn> columns() const { return columns_; }
  /// The column of a feature, or none if it is constant here.
  std::uint32_t column_of(std::uint32_t feature) const { return column_of_[feature]; }
  /// Calls visit(row, key) for the entries of a column with more than two values, for some of its rows.
  template <typename Visit>
  void each_entry(const WordColumn& column, std::uint64_t among, const Visit& visit) const {
    std::uint64_t left = column.rows & among;
    for (std::uint32_t place = column.entries; left != 0; place = entries_[place].next) {
      const Entry& entry = entries_[place];
      const std::uint64_t bit = std::uint64_t{1} << entry.id;
      if ((left & bit) == 0) continue;
      left ^= bit;
      visit(entry.id, entry.key);
    }
  }

  /// Whether a column varies among some of the rows.
  bool varies(const WordColumn& column, std::uint64_t among) const {
    const std::uint64_t here = column.rows & among;
    if (here == 0) return false;
    return here != among || (column.entries != none && several_keys(column, among));
  }

 private:
  bool several_keys(const WordColumn& column, std::uint64_t among) const;
  void add_listed(const CodedInputs& inputs, std::uint32_t id, bool values);
  void add_dense(const CodedInputs& inputs, std::uint32_t feature, bool values);

  std::vector<std::uint32_t> rows_;
  std::vector<WordColumn> columns_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> column_of_;
};

}  // namespace coppice

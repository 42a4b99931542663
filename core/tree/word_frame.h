#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/list_keys.h"
#include "core/tree/value_scan.h"
#include "core/tree/word_columns.h"

namespace coppice {

/// The rows of a small node numbered anew, with everything that their columns say. What a column is in a node
/// of the subtree is one `and` with the node's rows, so nothing is kept up to date while the subtree grows.
class WordFrame {
 public:
  static constexpr std::uint32_t most_rows = 64;

  /// Whether the columns of a dataset suit: not many of them dense, none with missing values or categories.
  static bool suits(const CodedInputs& inputs);

  /// `values`: entries say values, not codes.
  void build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values);

  std::span<const std::uint32_t> rows() const { return rows_; }
  /// The bits of so many rows, and of all rows.
  static std::uint64_t bits_of(std::size_t rows) { return ~std::uint64_t{0} >> (most_rows - rows); }
  std::uint64_t all() const { return bits_of(rows_.size()); }
  /// The columns, and how many they are.
  const WordColumns& columns() const { return columns_; }
  std::size_t column_count() const { return count_; }
  /// The entries of a column with more than two values; kept where there are several.
  std::span<const ListKey> entries(const WordColumn& column) const {
    return std::span<const ListKey>(entries_).subspan(column.entries, bit_count(column.rows));
  }
  /// The same in the order of codes: sorted on first use, since most columns are never looked at.
  std::span<const ListKey> sorted_entries(const WordColumn& column) const;

  /// Whether the entries of some column say values.
  bool has_entries() const { return has_entries_; }

  /// Whether a column varies among some of the rows.
  bool varies(const WordColumn& column, std::uint64_t among) const {
    const std::uint64_t here = column.rows & among;
    return here != 0 && (here != among || (column.has_entries() && several_keys(column, among)));
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  bool several_keys(const WordColumn& column, std::uint64_t among) const;
  bool few_columns(const CodedInputs& inputs) const;
  void mark_all(const CodedInputs& inputs);
  void mark_listed(const CodedInputs& inputs);
  void mark_dense(const CodedInputs& inputs);
  bool make_room(const CodedInputs& inputs);
  void add_listed(const CodedInputs& inputs, bool values);
  void add_dense(const CodedInputs& inputs, bool values);

  std::vector<std::uint32_t> rows_;
  WordColumns columns_;
  std::uint32_t count_ = 0;   ///< of columns
  std::uint32_t listed_ = 0;  ///< of listed ones, which come before the dense ones
  bool has_entries_ = false;
  mutable std::vector<ListKey> entries_;
  mutable std::vector<std::uint8_t> sorted_;  ///< for each column, by where its entries begin
  std::vector<std::uint32_t> filled_;         ///< for each column, where its next entry goes
  std::vector<std::uint32_t> column_of_;      ///< of every place of listed columns; none between uses
  std::vector<std::uint32_t> met_;            ///< the place of each listed column
  std::vector<std::uint64_t> words_;          ///< of every feature; 0 between uses
};

}  // namespace coppice

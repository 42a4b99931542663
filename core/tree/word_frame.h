#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/value_scan.h"

namespace coppice {

/// A column of a word frame: which rows have an entry, as bits. A column of two values has an entry in the
/// rows that it lists; of other columns the entries say the value as well.
struct WordColumn {
  std::uint64_t rows = 0;
  std::uint32_t feature = 0;
  std::uint32_t entries = 0;  ///< the first of its entries; or that it has two values, or only one entry
};

/// The rows of a small node numbered anew, with everything that their columns say. What a column is in a node
/// of the subtree is one `and` with the node's rows, so nothing is kept up to date while the subtree grows.
class WordFrame {
 public:
  static constexpr std::uint32_t most_rows = 64;
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::uint32_t two_valued = none;
  static constexpr std::uint32_t one_entry = none - 1;

  /// A row's value in a column that has more than two.
  struct Entry {
    std::uint32_t key = 0;  ///< the code, or the bits of the value
    std::uint32_t id = 0;
  };

  /// Whether the columns of a dataset suit: not many of them dense, none with missing values or categories.
  static bool suits(const CodedInputs& inputs);

  /// `values`: keys are values, not codes. Codes of a column ascend.
  void build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values);

  std::span<const std::uint32_t> rows() const { return rows_; }
  /// The bits of all rows.
  std::uint64_t all() const { return ~std::uint64_t{0} >> (most_rows - rows_.size()); }
  std::span<const WordColumn> columns() const { return std::span(columns_).first(count_); }
  /// The entries of a column with more than two values; kept where there are several.
  std::span<const Entry> entries(const WordColumn& column) const {
    return std::span(entries_).subspan(column.entries, bit_count(column.rows));
  }

  /// Whether a column varies among some of the rows.
  bool varies(const WordColumn& column, std::uint64_t among) const {
    const std::uint64_t here = column.rows & among;
    return here != 0 && (here != among || (column.entries < one_entry && several_keys(column, among)));
  }

 private:
  bool several_keys(const WordColumn& column, std::uint64_t among) const;
  bool few_columns(const CodedInputs& inputs) const;
  void mark_all(const CodedInputs& inputs);
  void mark_listed(const CodedInputs& inputs);
  void mark_dense(const CodedInputs& inputs);
  bool make_room();
  void add_listed(const CodedInputs& inputs, bool values);
  void add_dense(const CodedInputs& inputs, std::uint32_t feature, bool values);
  void sort_entries();

  std::vector<std::uint32_t> rows_;
  std::vector<WordColumn> columns_;  ///< and room for more
  std::uint32_t count_ = 0;          ///< of columns
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> filled_;     ///< for each column, where its next entry goes
  std::vector<std::uint32_t> column_of_;  ///< of every feature; none between uses
  std::vector<std::uint64_t> words_;      ///< of every feature; 0 between uses
};

}  // namespace coppice

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"

namespace coppice {

class BitRows;
class DenseRows;
class Frame;

/// One input column with every value replaced by its rank among the distinct values of the column, the form
/// in which trees are grown: integers sort fast, and the rank of a value does not change from node to node.
///
/// Dense columns hold a code for every row, in 16 bits where they fit. Listed columns have one code for most
/// rows (zero, in a sparse dataset) and list the others; a column of two values lists the rarer one and needs
/// no codes at all.
struct CodedColumn {
  bool dense = true;
  bool constant = true;
  std::uint32_t default_code = 0;               ///< listed: the code of the rows that are not listed
  std::span<const float> values;                ///< ascending; the value of each code
  std::span<const std::uint32_t> rows;          ///< listed: ascending
  std::span<const std::uint16_t> narrow_codes;  ///< for each row or each listed row, or empty
  std::span<const std::uint32_t> wide_codes;    ///< likewise
  std::uint32_t dense_index = 0;                ///< dense: its number among the dense columns
  std::span<const float> dense_values;          ///< dense: the value of each row
  bool missing = false;                         ///< some rows have no value; such columns are dense
  std::uint32_t categories = 0;  ///< of a categorical column with more than two; such columns are dense

  bool two_valued() const { return values.size() == 2; }
  bool narrow() const { return wide_codes.empty(); }
  /// Whether splits are more than a threshold.
  bool special() const { return missing || categories > 0; }
};

/// What a search asks most often of a listed column, for all columns near each other.
struct ColumnDefault {
  std::uint32_t code = 0;  ///< of the rows that are not listed
  float value = 0.0F;      ///< likewise
  float other = 0.0F;      ///< the other value, if there are two
};

/// What dense columns are needed for.
enum class DenseUse {
  sweeps,  ///< splits are looked for in the order of values: codes are made
  cuts,    ///< only values are compared: no codes are made
};

/// All the columns of a dataset, coded. Made once per dataset and shared by every tree, fold and trial. The
/// layout of a column follows from its values, not from how the dataset stores it. To be used only while the
/// dataset lives: values of dense columns are not copied.
class CodedInputs {
 public:
  /// The codes of a dataset; computed on first use and kept as long as the dataset lives.
  static std::shared_ptr<const CodedInputs> of(const std::shared_ptr<const Dataset>& dataset, DenseUse use,
                                               const Context& context);
  /// Columns in which at most the share `listed` of the rows differs from the most frequent value are listed,
  /// and so are columns of two values unless `listed` is 0.
  CodedInputs(const Features& features, DenseUse use, const Context& context, double listed = 0.2);
  ~CodedInputs();

  std::size_t rows() const { return rows_; }
  std::uint32_t columns() const { return static_cast<std::uint32_t>(views_.size()); }
  const CodedColumn& column(std::size_t index) const { return views_[index]; }
  /// The value of one row in one column: a search for listed columns.
  float value(std::size_t column, std::uint32_t row) const;

  /// All rows as the frame in which the roots of trees are searched, with codes or values as keys; made on
  /// first use.
  const Frame& whole_frame(bool values) const;

  /// The values of the dense columns row by row; made on first use.
  const DenseRows& dense_rows() const;
  /// Columns of two values as bits, row by row; made on first use. Only where all_two_valued().
  const BitRows& bit_rows() const;
  /// The dense columns that are not constant.
  std::span<const std::uint32_t> dense_columns() const { return dense_columns_; }
  /// Whether all dense columns have codes of 16 bits.
  bool all_narrow() const { return all_narrow_; }
  bool has_listed() const { return !entry_place_.empty(); }
  /// How many values the listed columns list in all.
  std::size_t listed_entries() const { return entry_place_.size(); }
  /// Whether all columns that vary are listed and have two values.
  bool all_two_valued() const { return all_two_valued_; }
  /// Whether some column is categorical or has missing values.
  bool has_special() const { return has_special_; }
  /// How many columns are listed. They have places, those that list most rows first: tables by place are
  /// mostly read where they begin, and that stays in the cache.
  std::size_t listed_columns() const { return feature_at_.size(); }
  std::uint32_t feature_at(std::uint32_t place) const { return feature_at_[place]; }
  /// Whether the column at a place has two values.
  bool two_valued_at(std::uint32_t place) const { return two_valued_at_[place] != 0; }
  /// Listed columns by row: the places of the columns that list a row, ascending, and the codes they give it.
  std::span<const std::uint32_t> listing_places(std::uint32_t row) const {
    return std::span(entry_place_).subspan(entry_begin_[row], entries_of(row));
  }
  std::span<const std::uint32_t> listed_codes(std::uint32_t row) const {
    return std::span(entry_code_).subspan(entry_begin_[row], entries_of(row));
  }
  /// The values that those columns give it.
  std::span<const float> listed_values(std::uint32_t row) const {
    return std::span(entry_value_).subspan(entry_begin_[row], entries_of(row));
  }
  /// How many columns list a row.
  std::size_t entries_of(std::uint32_t row) const { return entry_begin_[row + 1] - entry_begin_[row]; }
  /// The code that a column which lists a row gives it: a search.
  std::uint32_t listed_code(std::uint32_t row, std::uint32_t column) const {
    const auto places = listing_places(row);
    const auto found = std::lower_bound(places.begin(), places.end(), place_of_[column]);
    return listed_codes(row)[static_cast<std::size_t>(found - places.begin())];
  }
  /// Whether a column is listed and has two values: the same as it says itself, in less memory.
  bool listed_two_valued(std::uint32_t column) const { return two_valued_[column] != 0; }
  const ColumnDefault& default_of(std::uint32_t column) const { return defaults_[column]; }

 private:
  struct Column {
    bool dense = true;
    bool constant = true;
    std::uint32_t default_code = 0;
    std::vector<float> values;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint16_t> narrow_codes;
    std::vector<std::uint32_t> wide_codes;
    bool missing = false;
    std::uint32_t categories = 0;
    std::vector<float> spread_values;  ///< of a dense column that the dataset stores as sparse
  };
  static Column code(const ColumnView& view, std::size_t categories, DenseUse use, double listed);
  void make_views(const Features& features);
  void place_columns();
  void index_rows(const Context& context);

  std::size_t rows_;
  std::vector<Column> columns_;
  std::vector<CodedColumn> views_;
  std::vector<std::uint32_t> dense_columns_;
  bool all_narrow_ = true;
  bool all_two_valued_ = true;
  bool has_special_ = false;
  std::vector<std::uint64_t> entry_begin_;
  std::vector<std::uint32_t> entry_place_;
  std::vector<std::uint32_t> entry_code_;
  std::vector<float> entry_value_;
  std::vector<std::uint32_t> feature_at_;
  std::vector<std::uint32_t> place_of_;  ///< of every listed column
  std::vector<std::uint8_t> two_valued_at_;
  std::vector<std::uint8_t> two_valued_;
  std::vector<ColumnDefault> defaults_;
  mutable std::array<std::once_flag, 2> whole_made_;
  mutable std::array<std::unique_ptr<const Frame>, 2> whole_;
  mutable std::once_flag dense_rows_made_;
  mutable std::unique_ptr<const DenseRows> dense_rows_;
  mutable std::once_flag bit_rows_made_;
  mutable std::unique_ptr<const BitRows> bit_rows_;
};

}  // namespace coppice

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"

namespace coppice {

/// One input column with every value replaced by its rank among the distinct values of the column, the form
/// in which trees are grown: integers sort fast, and the rank of a value does not change from node to node.
/// Dense columns hold a code for every row. Sparse columns hold codes for the rows that are not zero only;
/// `rows` ascend, and a column whose non-zero values are all alike holds no codes at all. Narrow columns use
/// 16 bits.
struct CodedColumn {
  bool dense = true;
  bool narrow = true;
  std::uint32_t zero_code = 0;          ///< sparse: the code of the rows that are not listed
  std::span<const float> values;        ///< ascending; the value of each code
  std::span<const std::uint32_t> rows;  ///< sparse only
  std::span<const std::uint16_t> narrow_codes;
  std::span<const std::uint32_t> wide_codes;

  bool constant() const { return values.size() < 2; }
  /// Sparse only: the code of the listed row number `entry`.
  std::uint32_t entry_code(std::size_t entry) const {
    if (!narrow_codes.empty()) return narrow_codes[entry];
    if (!wide_codes.empty()) return wide_codes[entry];
    return 1U - zero_code;
  }
};

/// All the columns of a dataset, coded. Made once per dataset and shared by every tree, fold and trial. The
/// layout of a column follows from its values, not from how the dataset stores it: columns with few non-zero
/// values are sparse.
class CodedInputs {
 public:
  /// The codes of a dataset; computed on first use and kept as long as the dataset lives. The inputs must
  /// have no missing values.
  static std::shared_ptr<const CodedInputs> of(const std::shared_ptr<const Dataset>& dataset,
                                               const Context& context);
  /// Columns with at most `sparse_density` non-zero values are kept sparse.
  CodedInputs(const Features& features, const Context& context, double sparse_density = 0.2);

  std::size_t rows() const { return rows_; }
  std::uint32_t columns() const { return static_cast<std::uint32_t>(columns_.size()); }
  CodedColumn column(std::size_t index) const;
  bool has_sparse() const { return has_sparse_; }

 private:
  struct Column {
    bool dense = true;
    std::uint32_t zero_code = 0;
    std::vector<float> values;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint16_t> narrow_codes;
    std::vector<std::uint32_t> wide_codes;
  };
  static Column code(const ColumnView& view, double sparse_density);

  std::size_t rows_;
  std::vector<Column> columns_;
  bool has_sparse_ = false;
};

}  // namespace coppice

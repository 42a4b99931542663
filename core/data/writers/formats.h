#pragma once

#include <cmath>
#include <span>

#include "core/data/dataset.h"
#include "core/data/writers/text_writer.h"

namespace coppice {

/// A row of a dataset as a format sees it.
struct RowToWrite {
  std::size_t row;                         ///< in the dataset
  std::span<const std::uint32_t> columns;  ///< those that are not 0
  std::span<const float> values;
};

/// How a format puts a dataset into text.
class FormatWriter {
 public:
  virtual ~FormatWriter() = default;
  /// Throws Error(data) if the format cannot hold the dataset.
  virtual void check(const Dataset& dataset) const = 0;
  /// What stands before the rows of a file.
  virtual void begin(TextWriter& out, const Dataset& dataset, std::size_t rows) = 0;
  virtual void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) = 0;
};

std::unique_ptr<FormatWriter> make_arff_writer();
std::unique_ptr<FormatWriter> make_csv_writer();
std::unique_ptr<FormatWriter> make_extreme_text_writer();
std::unique_ptr<FormatWriter> make_libsvm_writer();

/// A line `l1,l2 f:v f:v …` with labels and features counted from 0.
void write_sparse_row(TextWriter& out, std::span<const std::uint32_t> labels,
                      std::span<const std::uint32_t> features, std::span<const float> values);

/// Mulan's XML file for the labels of a dataset.
void write_mulan_labels(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace coppice

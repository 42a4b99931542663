#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/writers/formats.h"

namespace coppice {

namespace {

/// Pairs of feature and value hold neither missing values nor categories.
void require_plain_inputs(const Dataset& dataset, const std::string& format) {
  if (dataset.features().has_missing())
    throw Error(
        ErrorKind::data,
        fmt::format("dataset '{}' has {} missing values, which {} cannot hold; fill them in first or write "
                    "ARFF or CSV",
                    dataset.name(), dataset.features().missing(), format));
  if (dataset.features().categorical_columns() > 0)
    throw Error(ErrorKind::data,
                fmt::format("dataset '{}' has {} categorical columns, which {} cannot hold; write ARFF "
                            "or CSV",
                            dataset.name(), dataset.features().categorical_columns(), format));
}

void write_pairs(TextWriter& out, std::span<const std::uint32_t> features, std::span<const float> values,
                 std::uint32_t base) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    out << " ";
    out.number(features[i] + base);
    out << ":";
    out.number(values[i]);
  }
  out << "\n";
}

void write_labels(TextWriter& out, std::span<const std::uint32_t> labels, std::uint32_t base) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) out << ",";
    out.number(labels[i] + base);
  }
}

class ExtremeTextWriter : public FormatWriter {
 public:
  void check(const Dataset& dataset) const override {
    require_plain_inputs(dataset, "extreme text");
    if (!has_labels(dataset.task()))
      throw Error(ErrorKind::data,
                  fmt::format("dataset '{}' has real targets, which extreme text cannot hold; write "
                              "LibSVM, ARFF or CSV",
                              dataset.name()));
  }

  void begin(TextWriter& out, const Dataset& dataset, std::size_t rows) const override {
    out << fmt::format("{} {} {}\n", rows, dataset.feature_count(), dataset.output_count());
  }

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) const override {
    write_sparse_row(out, dataset.labels()[row.row], row.columns, row.values);
  }
};

/// Labels are counted from 0, features from 1.
class LibsvmWriter : public FormatWriter {
 public:
  void check(const Dataset& dataset) const override { require_plain_inputs(dataset, "LibSVM"); }

  void begin(TextWriter& /*out*/, const Dataset& /*dataset*/, std::size_t /*rows*/) const override {}

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) const override {
    if (has_labels(dataset.task())) {
      write_labels(out, dataset.labels()[row.row], 0);
    } else {
      const auto targets = dataset.targets()[row.row];
      for (std::size_t j = 0; j < targets.size(); ++j) {
        if (j > 0) out << ",";
        out.number(targets[j]);
      }
    }
    // A row with nothing in it would be taken for an empty line.
    if (row.columns.empty() && has_labels(dataset.task()) && dataset.labels()[row.row].empty()) out << " 1:0";
    write_pairs(out, row.columns, row.values, 1);
  }
};

}  // namespace

void write_sparse_row(TextWriter& out, std::span<const std::uint32_t> labels,
                      std::span<const std::uint32_t> features, std::span<const float> values) {
  write_labels(out, labels, 0);
  write_pairs(out, features, values, 0);
}

std::unique_ptr<FormatWriter> make_extreme_text_writer() {
  return std::make_unique<ExtremeTextWriter>();
}

std::unique_ptr<FormatWriter> make_libsvm_writer() {
  return std::make_unique<LibsvmWriter>();
}

}  // namespace coppice

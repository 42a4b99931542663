#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/readers/numbers.h"
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

  void begin(TextWriter& out, const Dataset& dataset, std::size_t rows) override {
    out << fmt::format("{} {} {}\n", rows, dataset.feature_count(), dataset.output_count());
  }

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) override {
    write_sparse_row(out, dataset.labels()[row.row], row.columns, row.values);
  }
};

/// Labels and features are counted from 1: a reader that tells by the smallest number cannot be mistaken
/// then. Classes whose names are all numbers keep them, others are counted from 0.
class LibsvmWriter : public FormatWriter {
 public:
  void check(const Dataset& dataset) const override { require_plain_inputs(dataset, "LibSVM"); }

  void begin(TextWriter& /*out*/, const Dataset& dataset, std::size_t /*rows*/) override {
    classes_.clear();
    if (dataset.task() == Task::multiclass) classes_ = class_texts(dataset);
    names_last_feature_ =
        dataset.feature_count() > 0 && is_empty_column(dataset, dataset.feature_count() - 1);
  }

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) override {
    const bool lists_labels = dataset.task() == Task::multilabel;
    if (lists_labels) {
      write_labels(out, dataset.labels()[row.row], 1);
    } else if (dataset.task() == Task::multiclass) {
      out << classes_[dataset.labels()[row.row][0]];
    } else {
      const auto targets = dataset.targets()[row.row];
      for (std::size_t j = 0; j < targets.size(); ++j) {
        if (j > 0) out << ",";
        out.number(targets[j]);
      }
    }
    if (names_last_feature_) {
      // Nothing else says how many features there are.
      names_last_feature_ = false;
      write_pairs(out, row.columns, row.values, 1);
      out << fmt::format(" {}:0", dataset.feature_count());
    } else if (lists_labels && row.columns.empty() && dataset.labels()[row.row].empty()) {
      // A row with nothing in it would be taken for an empty line.
      out << " 1:0";
    } else {
      write_pairs(out, row.columns, row.values, 1);
    }
    out << "\n";
  }

 private:
  static std::vector<std::string> class_texts(const Dataset& dataset) {
    std::vector<std::string> names;
    std::vector<std::string> numbers;
    bool ascending = true;
    double before = -std::numeric_limits<double>::infinity();
    for (std::size_t label = 0; label < dataset.output_count(); ++label) {
      const std::string name = dataset.output_name(label);
      double number = 0.0;
      ascending =
          ascending && parse_real(name.c_str(), number) == name.c_str() + name.size() && number > before;
      before = number;
      names.push_back(name);
      numbers.push_back(fmt::format("{}", label));
    }
    return ascending ? names : numbers;
  }

  static bool is_empty_column(const Dataset& dataset, std::size_t column) {
    return std::ranges::all_of(dataset.features().column(column).values,
                               [](float value) { return value == 0.0F; });
  }

  std::vector<std::string> classes_;  ///< what stands for each class
  bool names_last_feature_ = false;   ///< whether the next row has to mention the last feature
};

}  // namespace

void write_sparse_row(TextWriter& out, std::span<const std::uint32_t> labels,
                      std::span<const std::uint32_t> features, std::span<const float> values) {
  write_labels(out, labels, 0);
  write_pairs(out, features, values, 0);
  out << "\n";
}

std::unique_ptr<FormatWriter> make_extreme_text_writer() {
  return std::make_unique<ExtremeTextWriter>();
}

std::unique_ptr<FormatWriter> make_libsvm_writer() {
  return std::make_unique<LibsvmWriter>();
}

}  // namespace coppice

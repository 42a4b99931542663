#pragma once

#include <string>

#include "core/base/error.h"
#include "core/data/readers/reader.h"

namespace coppice {

/// Options that read `text` as if it were a file of that format.
inline ReadOptions reading(const std::string& format, const std::string& text) {
  ReadOptions options;
  options.name = "mine";
  options.format = format;
  options.train.push_back({"mine.txt", text});
  return options;
}

inline ReadOptions with_test(ReadOptions options, const std::string& text) {
  options.test.push_back({"test.txt", text});
  return options;
}

/// The message with its place, or `accepted`.
inline std::string problem(const ReadOptions& options) {
  try {
    read_dataset(options);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

/// The values of a feature in all rows.
inline std::vector<float> column(const Dataset& dataset, std::size_t index) {
  const ColumnView view = dataset.features().column(index);
  std::vector<float> values;
  for (std::size_t row = 0; row < view.row_count; ++row) values.push_back(view.at(row));
  return values;
}

inline std::vector<std::uint32_t> labels_of(const Dataset& dataset, std::size_t row) {
  const auto labels = dataset.labels()[row];
  return {labels.begin(), labels.end()};
}

}  // namespace coppice

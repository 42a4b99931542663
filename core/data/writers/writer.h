#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace coppice {

/// Where a dataset is written to.
struct WriteOptions {
  std::string format;          ///< a name of writer_formats()
  std::filesystem::path file;  ///< all rows, or those of the given split to train on
  std::optional<std::filesystem::path>
      test;  ///< rows of the given split to test on; rows of neither are left out
  std::optional<std::filesystem::path> labels;  ///< ARFF: Mulan's XML file with the labels
};

/// The names of the formats that can be written: `arff` (sparse), `csv`, `extreme-text`, `libsvm`.
const std::vector<std::string>& writer_formats();

/// Writes a dataset so that the reader of that format gives the same values back. Throws Error(data) for what
/// the format cannot hold (missing or categorical inputs in sparse text, real targets in extreme text),
/// Error(input_output) for what the file system refuses.
void write_dataset(const Dataset& dataset, const WriteOptions& options);

}  // namespace coppice

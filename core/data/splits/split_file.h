#pragma once

#include <filesystem>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/readers/reader.h"

namespace coppice {

/// Writes splits so that another tool can use the same: a CSV file with the columns `split` (from 0), `part`
/// (`train` or `test`) and `row` (from 0, in the order of the data files). A row that a bootstrap drew twice
/// stands there twice.
void write_splits(const std::vector<Split>& splits, const std::filesystem::path& path);

/// Reads such a file for a dataset with that many rows. Throws Error(data) with the place of what is wrong:
/// rows out of range, a row to train and to test on in one split, a split without one of its parts.
std::vector<Split> read_splits(const InputFile& file, std::size_t rows);

}  // namespace coppice

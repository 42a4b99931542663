#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/readers/reader.h"

namespace coppice {

/// The version of the layout below; files of other versions are not read.
inline constexpr std::uint32_t dataset_file_version = 1;

/// Writes a dataset and the reader's notes as one binary file that can be mapped into memory (see
/// ArrayFileWriter for its layout). Throws Error(input_output).
void write_dataset_file(const Dataset& dataset, const std::vector<std::string>& notes,
                        const std::filesystem::path& path);

/// Reads such a file as a dataset of that name; the inputs stay in the mapped file, which is kept as long as
/// the dataset. Throws Error(data) if it is damaged, cut short or of another version.
ReadResult read_dataset_file(const std::filesystem::path& path, const std::string& name);

}  // namespace coppice

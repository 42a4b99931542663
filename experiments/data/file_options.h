#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/data/readers/reader.h"
#include "experiments/data/source.h"

namespace coppice {

/// Names of the options that say how files are read (`task`, `targets`, `drop`…).
const std::vector<std::string>& reading_options();

/// Every such option with a sentence about it, for the reference page.
std::vector<std::pair<std::string, std::string>> reading_option_meanings();

/// Names of the options that name files (`file`, `valid`, `test`, `labels`).
const std::vector<std::string>& file_options();

/// Takes reading options over into `read`; every problem is added with its place. Options of other kinds are
/// left alone.
void apply_reading_options(const std::map<std::string, DatasetOption>& options, ReadOptions& read,
                           Problems& problems);

/// Takes the files over into `read`, relative to `folder`; a file that is not there is a problem.
void apply_file_options(const std::map<std::string, DatasetOption>& options,
                        const std::filesystem::path& folder, ReadOptions& read, Problems& problems);

}  // namespace coppice

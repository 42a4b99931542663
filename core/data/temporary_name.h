#pragma once

#include <filesystem>

namespace coppice {

/// A name beside `path` that nobody else uses: what a file is called while it is written.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// The file that a new one may take the place of: `path` itself, or what it links to. Throws
/// Error(input_output) for a device, a pipe or a folder, which must not be replaced by a file.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

}  // namespace coppice

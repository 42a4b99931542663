#pragma once

#include <filesystem>

namespace coppice {

/// A name beside `path` that nobody else uses: what a file is called while it is written.
std::filesystem::path temporary_name(const std::filesystem::path& path);

}  // namespace coppice

#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "experiments/store/files.h"

namespace coppice::testing {

/// Compares generated text with a file of the project; with COPPICE_UPDATE_GOLDEN set it writes the file
/// instead.
inline void check_page(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(COPPICE_SOURCE_DIR) / file;
  if (std::getenv("COPPICE_UPDATE_GOLDEN") != nullptr) write_atomically(path, text);
  const bool same = std::filesystem::exists(path) && read_text(path) == text;
  CHECK_MESSAGE(same, file,
                " is out of date: run the unit tests once with COPPICE_UPDATE_GOLDEN=1 and commit it");
}

}  // namespace coppice::testing

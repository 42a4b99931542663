#pragma once

#include <string>

namespace coppice {

/// A word as a shell takes it: in quotes where it must be.
std::string shell_word(const std::string& word);

}  // namespace coppice

#pragma once

#include <string>

namespace coppice {

/// docs/datasets.md: formats, catalogue, cache, generators, preparation, splits and verbs, from the program's
/// own declarations.
std::string datasets_reference();

}  // namespace coppice

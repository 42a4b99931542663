#pragma once

#include <string>

#include "algorithms/forest/forest_model.h"

namespace coppice {

/// A forest in words: the most important features, and the rules of its first tree (thesis 3.4), each the
/// conditions on the way to a leaf with those that are implied by others left out.
std::string describe_forest(const ForestParts& forest, const ModelSchema& schema);

}  // namespace coppice

#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "algorithms/algorithm.h"

namespace coppice {

/// The description of an algorithm in words, as `describe` prints it.
std::string describe_algorithm(const AlgorithmDescription& description);
nlohmann::ordered_json describe_algorithm_json(const AlgorithmDescription& description);

/// docs/algorithms.md: every algorithm of the registry with its parameters.
std::string algorithms_reference();

}  // namespace coppice

#pragma once

#include <nlohmann/json.hpp>

namespace coppice {

/// The JSON Schema (2020-12) of results.json.
nlohmann::ordered_json results_schema();

}  // namespace coppice

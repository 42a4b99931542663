#pragma once

#include <nlohmann/json.hpp>

namespace coppice {

/// The JSON Schema (2020-12) of the config, for editors: made from the registries, so it knows every
/// algorithm, parameter, metric and generator.
nlohmann::ordered_json config_schema();

}  // namespace coppice

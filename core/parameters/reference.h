#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/parameters/parameters.h"

namespace coppice {

/// Parameters as `describe` prints them: two lines each.
std::string parameter_list(const std::vector<ParameterSpec>& specs);
/// The same as a Markdown table, for the reference pages.
std::string parameter_table(const std::vector<ParameterSpec>& specs);
nlohmann::ordered_json parameters_json(const std::vector<ParameterSpec>& specs);

}  // namespace coppice

#pragma once

#include <string>
#include <vector>

#include "core/parameters/parameters.h"

namespace coppice {

/// Declarations of the usual kinds of parameters; what is left to say (a maximum, staged…) is set afterwards.

/// A number with a least value; a default of `none` makes it optional.
ParameterSpec number_parameter(const std::string& name, ParameterType type, const std::string& fallback,
                               const std::string& minimum, const std::string& meaning,
                               const std::string& symbol, const std::string& reference);
/// One of some words, the first by default.
ParameterSpec choice_parameter(const std::string& name, const std::vector<std::string>& choices,
                               const std::string& meaning, const std::string& reference);
/// True or false.
ParameterSpec switch_parameter(const std::string& name, bool fallback, const std::string& meaning,
                               const std::string& reference);

}  // namespace coppice

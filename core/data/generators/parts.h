#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/parameters/parameters.h"

namespace coppice {

/// The sizes every generator has, and its seed.
std::vector<ParameterSpec> size_parameters(const std::string& train, const std::string& test);

/// A parameter that is a whole number from `minimum` on.
ParameterSpec count_parameter(const std::string& name, const std::string& default_value,
                              const std::string& minimum, const std::string& meaning);
/// A parameter that is a real number between bounds; an empty maximum is none.
ParameterSpec real_parameter(const std::string& name, const std::string& default_value,
                             const std::string& minimum, const std::string& maximum,
                             const std::string& meaning);

/// The parameter of that name as a size.
std::size_t size_of(const Parameters& parameters, const std::string& name);
/// Training and test rows together.
std::size_t row_count(const Parameters& parameters);
/// First the training rows, then the test rows; none if there are no test rows.
std::optional<Split> given_split(const Parameters& parameters);

}  // namespace coppice

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/data/features.h"

namespace coppice {

/// The rule that chooses a numeric column's layout: sparse where fewer than one value in four is stored. A
/// sparse value costs twice the memory of a dense one, and the scattered access to it more time still, so the
/// layouts break even between a quarter and a half. Results never depend on the layout.
bool stored_sparse(std::size_t stored_values, std::size_t rows);

/// Appends a numeric column that is 0 but in `present` (ascending), in the layout the rule chooses.
void add_column(Features& features, std::string name, std::span<const std::uint32_t> present,
                std::span<const float> values);

}  // namespace coppice

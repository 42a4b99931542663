#pragma once

#include <string>

#include "core/data/dataset.h"

namespace coppice {

/// Throws Error(fit) if a view has no rows, or if an input is missing in one of its rows; `who` is the
/// algorithm that cannot work with that.
void require_rows(const DatasetView& view, const std::string& who);
void require_no_missing(const DatasetView& view, const std::string& who);

}  // namespace coppice

#pragma once

#include <filesystem>

#include "experiments/tables/table.h"

namespace coppice {

/// What was chosen by tuning: a row for each dataset, tuned algorithm, repeat and fold, with the chosen
/// values and the score on the validation parts that they were chosen for, and how many settings were tried
/// and failed. Throws Error(usage) if nothing was tuned.
Table chosen_table(const std::filesystem::path& folder);

}  // namespace coppice

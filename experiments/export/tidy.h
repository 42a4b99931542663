#pragma once

#include <string>

#include "experiments/results/result_set.h"

namespace coppice {

/// `algorithm,id,parameter,value`: what the names of swept algorithms are made of, one row for each value; an
/// algorithm without a sweep has one row with parameter and value left empty. To be joined with results.csv.
std::string algorithms_csv(const ResultSet& results);

}  // namespace coppice

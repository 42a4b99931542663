#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// Forests of k-ary trees whose nodes cluster rows by randomly projected labels (Siblini et al. 2018).
std::unique_ptr<Algorithm> make_craftml();

}  // namespace coppice

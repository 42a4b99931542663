#pragma once

#include "core/data/dataset.h"

namespace coppice {

/// The dataset with every categorical column replaced by one 0/1 column per category, named `feature=category`, for algorithms that
/// take numbers only. A missing value is missing in all of them. Everything else is the same.
Dataset one_hot_encoded(const Dataset& dataset);

}  // namespace coppice

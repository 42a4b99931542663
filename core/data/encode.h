#pragma once

#include "core/data/dataset.h"

namespace coppice {

/// The dataset with every categorical column replaced, where it stands, by a 0/1 column for each of its
/// categories, named `column=category`. A missing category is missing in all of them. Everything else stays.
Dataset one_hot_encoded(const Dataset& dataset);

/// The number of columns that one_hot_encoded() would give.
std::size_t encoded_feature_count(const Features& features);

}  // namespace coppice

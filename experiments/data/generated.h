#pragma once

#include <memory>

#include "core/data/generators/generator.h"
#include "experiments/data/source.h"

namespace coppice {

/// A source that runs a generator. Checks every option against the generator's parameters; adds what is wrong
/// to `problems` and returns null then.
std::unique_ptr<DatasetSource> make_generated_source(const DatasetEntry& entry, const Generator& generator,
                                                     Problems& problems);

}  // namespace coppice

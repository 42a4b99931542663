#pragma once

#include <memory>
#include <optional>

#include "core/data/generators/generator.h"
#include "experiments/data/source.h"

namespace coppice {

/// The options of an entry as parameters of the generator, checked. Adds what is wrong to `problems` and
/// returns none then.
std::optional<Parameters> generator_parameters(const DatasetEntry& entry, const Generator& generator,
                                               Problems& problems);

/// A source that runs a generator. Checks every option against the generator's parameters; adds what is wrong
/// to `problems` and returns null then.
std::unique_ptr<DatasetSource> make_generated_source(const DatasetEntry& entry, const Generator& generator,
                                                     Problems& problems);

}  // namespace coppice

#pragma once

#include <string>
#include <vector>

#include "experiments/config/experiment.h"
#include "experiments/tuning/search_space.h"

namespace coppice {

/// The identity of a trial: a hash of everything that determines it, and of nothing else. `settings` are the
/// resolved parameters, or what is searched (tuned_settings).
std::string trial_hash(const AlgorithmDescription& algorithm, const std::string& settings,
                       const Fingerprint& dataset, const std::vector<PrepareStep>& preparation,
                       const Split& split, const Stream& stream, const Protocol& protocol);

/// What stands for the parameters of a tuned trial: the space, how it is searched, and how settings are
/// compared.
std::string tuned_settings(const SearchSpace& space, const SearchSetting& search, const Selection& selection,
                           const std::string& metric);

/// The identity of one fit inside a search: `whole_train` are the rows that preparation was fitted on.
std::string inner_hash(const AlgorithmEntry& entry, const Parameters& parameters,
                       const std::vector<double>& stages, const std::string& metric, const Dataset& dataset,
                       const std::vector<PrepareStep>& preparation, const Split& split,
                       const Rows& whole_train, const Stream& stream);

}  // namespace coppice

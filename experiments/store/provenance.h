#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "experiments/plan/plan.h"

namespace coppice {

/// What made the numbers: build, machine, threads, data and command. `previous` is the provenance of earlier
/// runs into the same folder (or null); each run is kept.
nlohmann::ordered_json make_provenance(const Plan& plan, const std::string& command, int jobs,
                                       const nlohmann::json& previous);

/// Notes in the newest run when and how it ended.
void finish_provenance(nlohmann::ordered_json& provenance, std::size_t done, std::size_t failed,
                       bool interrupted);

/// The name of this machine.
std::string host_name();

/// The current time as `2026-01-31T12:34:56Z`.
std::string utc_time();

}  // namespace coppice

#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// Where a number of the tables comes from: its trials with their values, seeds and parameters, the lines of
/// the config, the data, the build and the machine, and the command that computes it again. `cell` is
/// `dataset,algorithm,metric`. Throws Error(usage) if there is no such cell.
nlohmann::ordered_json explain_cell(const std::filesystem::path& folder, const std::string& cell);

/// The same for people to read.
std::string explanation_text(const nlohmann::ordered_json& explanation);

}  // namespace coppice

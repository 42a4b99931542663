#pragma once

#include <cstddef>
#include <filesystem>

#include "experiments/store/result_folder.h"

namespace coppice {

/// Writes every recorded trial as a run of an MLflow file store (`mlflow ui --backend-store-uri STORE`): one
/// experiment with the name of ours, parameters and metrics as files, failed trials as failed runs. A store
/// that is there already is added to; exporting again replaces our runs. MLflow takes no '@' and few other
/// signs in names: they become '_'. Returns the number of runs; throws Error(input_output).
std::size_t export_mlflow(const ResultFolder& folder, const std::filesystem::path& store);

}  // namespace coppice

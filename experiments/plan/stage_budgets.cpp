#include "experiments/plan/stage_budgets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "experiments/store/files.h"

namespace coppice {

StageBudgets StageBudgets::read(const std::filesystem::path& path) {
  StageBudgets budgets;
  if (!std::filesystem::exists(path)) return budgets;
  const auto json = nlohmann::json::parse(read_text(path), nullptr, false);
  if (!json.is_object())
    throw Error(
        ErrorKind::input_output,
        fmt::format("'{}' is damaged; remove it to have the time budgets measured again", path.string()));
  for (const auto& [key, stages] : json.items())
    if (stages.is_number()) budgets.stages_[key] = stages.get<double>();
  return budgets;
}

void StageBudgets::write(const std::filesystem::path& path) const {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [key, stages] : stages_) json[key] = stages;
  write_atomically(path, json.dump(1) + "\n");
}

double StageBudgets::stages(const std::string& key, const std::function<double()>& measure) {
  const auto found = stages_.find(key);
  if (found != stages_.end()) return found->second;
  return stages_[key] = measure();
}

}  // namespace coppice

#include "core/tree/category_codes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

CategoryCodes::CategoryCodes(const Features& features) {
  if (features.categorical_columns() == 0) return;
  for (std::uint32_t j = 0; j < features.columns(); ++j)
    if (features.column(j).kind == FeatureKind::categorical) names_[j] = features.categories(j);
}

const std::vector<std::string>& CategoryCodes::names(std::uint32_t feature) const {
  static const std::vector<std::string> none;
  const auto found = names_.find(feature);
  return found == names_.end() ? none : found->second;
}

std::vector<CodeTranslation> CategoryCodes::translations(const Features& features) const {
  std::vector<CodeTranslation> all;
  if (names_.empty() && features.categorical_columns() == 0) return all;
  for (std::uint32_t j = 0; j < features.columns(); ++j) {
    const auto& known = names(j);
    const auto& here = features.categories(j);
    const bool categorical = features.column(j).kind == FeatureKind::categorical;
    if (categorical != names_.contains(j))
      throw Error(ErrorKind::fit,
                  fmt::format("feature '{}' is {}, but was {} when the model was fitted; declare it alike in "
                              "both files",
                              features.name(j), categorical ? "categorical" : "numeric",
                              categorical ? "numeric" : "categorical"));
    if (known == here) continue;
    CodeTranslation translation{j, {}};
    for (const std::string& name : here) {
      const auto found = std::find(known.begin(), known.end(), name);
      translation.codes.push_back(found == known.end() ? -1.0F : static_cast<float>(found - known.begin()));
    }
    all.push_back(std::move(translation));
  }
  return all;
}

void CategoryCodes::save(ModelWriter& writer) const {
  if (names_.empty()) return;
  nlohmann::json& all = writer.facts()["categories"] = nlohmann::json::array();
  for (const auto& [feature, names] : names_) all.push_back({{"feature", feature}, {"names", names}});
}

CategoryCodes CategoryCodes::load(const ModelReader& reader) {
  CategoryCodes codes;
  try {
    if (reader.facts().contains("categories"))
      for (const nlohmann::json& entry : reader.facts().at("categories"))
        codes.names_[entry.at("feature").get<std::uint32_t>()] =
            entry.at("names").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& problem) {
    reader.fail(fmt::format("has damaged names of categories: {}", problem.what()));
  }
  return codes;
}

}  // namespace coppice

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/data/features.h"
#include "core/model/model_file.h"

namespace coppice {

/// How codes of a column read in other data become those that trees were grown on; -1 where they do not know
/// a category.
struct CodeTranslation {
  std::uint32_t feature = 0;
  std::vector<float> codes;
};

/// The names of the categories that trees were grown on. The same category may have another code in another
/// file: categories are told apart by their names.
class CategoryCodes {
 public:
  CategoryCodes() = default;
  explicit CategoryCodes(const Features& features);

  bool empty() const { return names_.empty(); }
  /// The categories of a feature; empty for a numeric one.
  const std::vector<std::string>& names(std::uint32_t feature) const;
  /// What has to be translated of inputs that are to be predicted; throws Error(fit) if a column is
  /// categorical in one and numeric in the other.
  std::vector<CodeTranslation> translations(const Features& features) const;

  void save(ModelWriter& writer) const;
  static CategoryCodes load(const ModelReader& reader);

 private:
  std::map<std::uint32_t, std::vector<std::string>> names_;
};

}  // namespace coppice

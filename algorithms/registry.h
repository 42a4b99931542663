#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/algorithm.h"

namespace coppice {

/// All algorithms by name. Adding one:
///
///     // algorithms/mine/mine.cpp
///     std::unique_ptr<Algorithm> make_mine();
///     // algorithms/builtin.cpp
///     registry.add(make_mine());
///
/// and it can be named in configs, described, trained and tested by the conformance suite.
class Registry {
 public:
  /// The built-in algorithms; made on first use.
  static Registry& instance();

  /// Throws Error(usage) if the name is taken or the description is malformed (a default out of its own
  /// range…).
  void add(std::unique_ptr<Algorithm> algorithm);
  /// Takes an algorithm out again; nothing may use it any more.
  void remove(const std::string& name);
  const Algorithm* find(const std::string& name) const;
  /// Throws Error(usage) that names the nearest.
  const Algorithm& get(const std::string& name) const;
  /// Sorted.
  std::vector<std::string> names() const;

 private:
  std::vector<std::unique_ptr<Algorithm>> algorithms_;
};

/// Adds the algorithms that come with coppice: one explicit list, nothing depends on what a linker keeps.
void register_builtin(Registry& registry);

/// A model together with what is needed to use it.
struct SavedModel {
  std::unique_ptr<Model> model;
  std::string algorithm;
  Parameters parameters;
  ModelSchema schema;
  nlohmann::json provenance;
  std::size_t bytes = 0;
};

/// The bytes of the model file.
std::string model_bytes(const Model& model, const std::string& algorithm, const Parameters& parameters,
                        const ModelSchema& schema, const nlohmann::json& provenance);
/// Reads a model file; throws Error(model).
SavedModel load_model(const std::filesystem::path& path);
SavedModel load_model(const std::shared_ptr<const ModelReader>& reader);

}  // namespace coppice

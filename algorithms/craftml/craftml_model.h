#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/craftml/inputs.h"
#include "algorithms/craftml/options.h"
#include "algorithms/craftml/tree_store.h"
#include "core/model/model.h"
#include "core/model/model_file.h"
#include "core/tree/leaf_rows.h"

namespace coppice::craftml {

/// What a CRAFTML forest is made of. The weighted training rows are part of it: centroids and leaves are made
/// from them when rows are predicted, which takes a byte or two a row and level of a tree where the centroids
/// themselves would take hundreds.
struct ForestParts {
  Task task = Task::multilabel;
  std::size_t features = 0;
  std::size_t outputs = 0;
  Options options;
  InputWeights weights;
  SparseRowsView training;
  std::shared_ptr<const void> training_owner;
  TreeStore trees;
  LeafRows leaves;
};

class ScoreTable;

/// The mean over trees of the mean label vector of the leaf that a row comes to. Staged in trees.
class CraftmlModel : public Model {
 public:
  explicit CraftmlModel(ForestParts parts) : parts_(std::move(parts)) {}
  static std::unique_ptr<CraftmlModel> load(const std::shared_ptr<const ModelReader>& reader);

  Predictions predict(const DatasetView& rows, const Context& context) const override;
  void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                      const Context& context) const override;
  std::map<std::string, double> facts() const override;
  std::map<std::string, double> facts_at(double stage) const override;
  void save(ModelWriter& writer) const override;
  std::string describe(const ModelSchema& schema) const override;

  const ForestParts& parts() const { return parts_; }

 private:
  ScoreTable empty_table(const DatasetView& view) const;
  void add_trees(ScoreTable& table, std::size_t done, std::size_t stage, const Context& context) const;

  ForestParts parts_;
};

}  // namespace coppice::craftml

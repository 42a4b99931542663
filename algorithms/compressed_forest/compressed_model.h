#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/compressed_forest/length_choice.h"
#include "algorithms/compressed_forest/node_selection.h"
#include "core/model/model.h"
#include "core/model/model_file.h"
#include "core/path/node_path.h"
#include "core/tree/category_codes.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// What a compressed forest is made of.
struct CompressedParts {
  Task task = Task::regression;
  std::size_t features = 0;
  std::size_t outputs = 0;
  /// Two classes are one output of the path: the second class.
  bool two_classes = false;
  bool logistic = false;  ///< scores of the path are log-odds
  bool missing = false;   ///< trees know where missing values go
  TreeSet trees;          ///< what is left of the forest
  CategoryCodes categories;
  NodePath path;
  double path_length = 0.0;         ///< t up to which it was fitted
  LengthChoice choice;              ///< which t stands for which bound on it
  std::optional<TreeSizes> before;  ///< of the forest, if there was a whole one
  bool only_end = false;            ///< a saved model: the path is its last point
};

/// A linear model on the indicators of those nodes of a forest that have a weight. Staged in the bound on the
/// sum of absolute weights.
class CompressedModel : public Model {
 public:
  explicit CompressedModel(CompressedParts parts) : parts_(std::move(parts)) {}
  static std::unique_ptr<CompressedModel> load(const std::shared_ptr<const ModelReader>& reader);

  Predictions predict(const DatasetView& rows, const Context& context) const override;
  void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                      const Context& context) const override;
  std::map<std::string, double> facts() const override { return facts_at(parts_.path_length); }
  std::map<std::string, double> facts_at(double stage) const override;
  void save(ModelWriter& writer) const override;
  std::string describe(const ModelSchema& schema) const override;

  const CompressedParts& parts() const { return parts_; }

 private:
  /// The scores that each leaf adds: outputs and amounts, leaf after leaf over all trees.
  struct LeafScores {
    std::vector<std::size_t> tree_begin;  ///< of each tree: the number of its first leaf
    std::vector<std::size_t> begin;       ///< of each leaf
    std::vector<std::uint32_t> outputs;
    std::vector<double> amounts;
    std::vector<double> intercepts;
  };
  LeafScores leaf_scores(double stage) const;
  Predictions score(const std::vector<std::uint32_t>& leaves, std::size_t rows, const LeafScores& scores,
                    const Context& context) const;
  /// The bound that a stage stands for; throws Error(fit) if the path does not go so far.
  double length_of(double stage) const;

  CompressedParts parts_;
};

}  // namespace coppice

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/boosting/boosting_parameters.h"
#include "core/model/model.h"
#include "core/model/model_file.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// What a boosted model is made of. Learning rate and steps are multiplied into what is stored.
struct BoostedParts {
  Task task = Task::multilabel;
  std::size_t features = 0;
  std::size_t outputs = 0;  ///< that were learnt
  std::size_t copies = 1;   ///< how often each is repeated in predictions; above 1 only for a single one
  std::string loss;
  BoostingForm form = BoostingForm::separate;
  bool ridge = false;
  std::vector<double> constants;     ///< of each output, the score before the first step
  TreeSet trees;                     ///< one a step, or with separate outputs one for each of them
  std::vector<double> leaf_values;   ///< a number for each leaf of each tree; joint: one for each output
  std::vector<double> steps;         ///< shared: one for each step and output
  std::vector<double> coefficients;  ///< ridge: of each model, the intercept and one for each feature
  std::vector<double> importances;   ///< of each feature, the impurity its splits decrease, per step
  std::vector<double> validation;    ///< early stopping: the loss on the rows held back, after each step
};

/// A sum of weak models (thesis eq. 6.6 and 6.12). Staged in the number of steps.
class BoostedModel : public Model {
 public:
  explicit BoostedModel(BoostedParts parts);
  static std::unique_ptr<BoostedModel> load(const std::shared_ptr<const ModelReader>& reader);

  Predictions predict(const DatasetView& rows, const Context& context) const override;
  void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                      const Context& context) const override;
  std::map<std::string, double> facts() const override;
  std::map<std::string, double> facts_at(double stage) const override;
  void save(ModelWriter& writer) const override;
  std::string describe(const ModelSchema& schema) const override;

  const BoostedParts& parts() const { return parts_; }
  /// The steps there are.
  std::size_t iterations() const { return iterations_; }
  /// The steps that a model fitted with so many uses: all of them, or up to the best on the rows held back.
  std::size_t used(std::size_t iterations) const;

 private:
  /// Weak models of one step.
  std::size_t per_step() const { return parts_.form == BoostingForm::separate ? parts_.outputs : 1; }
  void add_steps(const DatasetView& rows, std::size_t first, std::size_t last, std::vector<double>& scores,
                 const Context& context) const;
  /// Adds what one weak model says to the scores of a row; `told` is a leaf's place or a linear model's
  /// value.
  void add_leaf(std::size_t model, std::size_t leaf, double* scores) const;
  void add_told(std::size_t model, double told, double* scores) const;
  void add_trees(const DatasetView& rows, std::size_t first, std::size_t last, std::vector<double>& scores,
                 const Context& context) const;
  void add_linear(const DatasetView& rows, std::size_t first, std::size_t last, std::vector<double>& scores,
                  const Context& context) const;
  Predictions predictions(std::size_t rows, const std::vector<double>& scores) const;
  void check_inputs(const DatasetView& rows) const;

  BoostedParts parts_;
  const Loss* loss_;
  std::size_t iterations_;
  std::vector<std::size_t> leaf_begin_;  ///< where the leaves of each tree begin
};

}  // namespace coppice

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/model/predictions.h"

namespace coppice {

class ModelReader;
class ModelWriter;

/// The shape of the data a model was fitted on: what it needs to refuse data that does not fit.
struct ModelSchema {
  Task task = Task::multilabel;
  std::vector<std::string> features;
  std::vector<std::string> outputs;

  static ModelSchema of(const Dataset& dataset);
  /// Throws Error(data) that says what differs.
  void require_match(const Dataset& dataset) const;
};

/// A fitted model: immutable, safe to use from several threads.
class Model {
 public:
  virtual ~Model() = default;

  /// The scores of the rows of a view.
  virtual Predictions predict(const DatasetView& rows, const Context& context) const = 0;

  /// The scores at several values of the staged parameter (number of trees, iterations…), ascending and not
  /// above what was fitted; `emit(i, predictions)` is called once for each, in order. A model at stage s
  /// equals a model fitted with the staged parameter s. The default is for algorithms without a staged
  /// parameter.
  using Emit = std::function<void(std::size_t stage_index, const Predictions& predictions)>;
  virtual void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                              const Context& context) const;

  /// Facts about the size of the model by the names of the cost metrics: `nodes`, `leaves`, `depth`. At a
  /// stage, where the algorithm has a staged parameter; the whole model by default.
  virtual std::map<std::string, double> facts() const { return {}; }
  virtual std::map<std::string, double> facts_at(double /*stage*/) const { return facts(); }

  /// Writes everything needed to load the model again.
  virtual void save(ModelWriter& writer) const = 0;

  /// What `coppice inspect` shows beside the facts: importances, the rules of a tree in words… `features`
  /// names the inputs.
  virtual std::string describe(const ModelSchema& /*schema*/) const { return ""; }
};

}  // namespace coppice

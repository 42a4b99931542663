#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/model/model_file.h"
#include "core/parameters/parameters.h"

namespace coppice {

/// What an algorithm can be given. Declared, so that a config is refused before anything runs.
struct Capabilities {
  std::vector<Task> tasks{Task::multilabel, Task::multiclass, Task::regression};
  bool missing_values = false;  ///< NaN in the inputs; others may have a parameter `missing` that allows it
  bool categorical = false;     ///< categorical columns as such; otherwise they are one-hot encoded for it
};

/// Everything there is to say about an algorithm without running it.
struct AlgorithmDescription {
  std::string name;
  std::string summary;    ///< one sentence
  std::string reference;  ///< paper and section
  int version = 1;        ///< raised when results change: part of the identity of a trial
  Capabilities capabilities;
  std::vector<ParameterSpec> parameters;

  /// The staged parameter, or null.
  const ParameterSpec* staged() const;
  const ParameterSpec* find(const std::string& parameter) const;
  /// Whether missing values are handled: always, or because the parameter `missing` has the value `learn`.
  bool handles_missing(const std::string& missing_parameter) const {
    return capabilities.missing_values || (find("missing") != nullptr && missing_parameter == "learn");
  }
};

/// What is wrong with the value of a parameter.
struct ParameterProblem {
  std::string parameter;
  std::string message;
};

/// How large a learning problem is, for estimates.
struct ProblemSize {
  double rows = 0.0;
  double features = 0.0;
  double outputs = 0.0;
  double values = 0.0;  ///< stored inputs: rows × features, or the non-zeros of sparse data
  double labels = 0.0;  ///< pairs of row and label; rows × outputs of real targets

  static ProblemSize of(const DatasetView& rows);
};

/// What a fit is expected to take.
struct FitCost {
  double work = 0.0;   ///< in a unit of the algorithm's own: a measurement tells the seconds
  double bytes = 0.0;  ///< of memory beside the data
};

/// A learning algorithm. Stateless: fitting is const and returns a model.
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  virtual const AlgorithmDescription& description() const = 0;
  /// The description that goes with some settings: an algorithm that wraps another takes the parameters of
  /// its `base` beside its own. Throws Error(usage) if there is no such base.
  virtual AlgorithmDescription description_for(const RawParameters& /*settings*/) const {
    return description();
  }
  /// What no single declaration can say: whether the values go together, on data of this size.
  virtual std::optional<ParameterProblem> check(const Parameters& /*parameters*/,
                                                const ExpressionVariables& /*sizes*/) const {
    return std::nullopt;
  }
  /// `parameters` holds every declared parameter. The result depends on the rows, the parameters and the
  /// context's stream only.
  virtual std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                                     const Context& context) const = 0;
  /// What a fit takes, roughly: how it grows with parameters and data. The default knows the usual parameters
  /// of tree ensembles.
  virtual FitCost cost(const Parameters& parameters, const ProblemSize& size) const;
  /// The inverse of Model::save. The reader may be kept to serve arrays from the mapped file.
  virtual std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const = 0;
};

}  // namespace coppice

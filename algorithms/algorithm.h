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
  bool missing_values = false;  ///< NaN in the inputs
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
};

/// What is wrong with the value of a parameter.
struct ParameterProblem {
  std::string parameter;
  std::string message;
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
  /// The inverse of Model::save. The reader may be kept to serve arrays from the mapped file.
  virtual std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const = 0;
};

}  // namespace coppice

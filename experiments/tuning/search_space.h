#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/expression.h"
#include "core/base/random.h"
#include "core/parameters/parameters.h"
#include "experiments/config/value_axis.h"

namespace coppice {

/// A tuned parameter with its values for data of one size.
struct SpaceAxis {
  std::string parameter;
  ValueAxis::Kind kind = ValueAxis::Kind::list;
  std::vector<Parameters::Value> values;  ///< of a list, ascending
  double low = 0.0;                       ///< of a distribution
  double high = 0.0;

  /// The value at a position of [0, 1]: how the searches that model a distribution see it.
  double value_at(double position) const;
  double position_of(double value) const;
};

/// Everything that may be tried for one algorithm row on one dataset. Neither the order of the axes nor that
/// of their values matters.
struct SearchSpace {
  Parameters fixed;             ///< every parameter; the tuned ones have some value
  std::vector<SpaceAxis> axes;  ///< without the staged parameter
  std::string staged;           ///< the algorithm's staged parameter, if it has one
  std::vector<double> stages;   ///< its values, ascending, if it is tuned: one fit answers all of them

  /// The last stage that a setting may have, by setting_text; all of them where there is none.
  std::map<std::string, double> limits;

  /// What a setting is apart from its stage.
  std::string setting_text(const Parameters& parameters) const;
  double limit_of(const Parameters& parameters) const;

  /// Throws Error(config) where a value is out of range for data of this size.
  void add(const ParameterSpec& spec, const ValueAxis& axis, const ExpressionVariables& sizes);
  /// Sorts the axes; after the last one was added.
  void put_in_order();

  /// Whether all axes are lists.
  bool is_finite() const;
  /// The number of combinations of a finite space; the staged parameter does not count.
  std::size_t grid_size() const;
  /// All of them, the last axis fastest; the staged parameter at its last stage.
  std::vector<Parameters> grid() const;
  /// All of them, or some drawn at random where they are many: to tell what they cost.
  std::vector<Parameters> examples() const;
  /// A combination drawn at random.
  Parameters sample(const Stream& stream) const;
  /// The fixed parameters, the staged one at its last stage.
  Parameters base() const;
  /// The last stage: of those to be tried, or the fixed one. 1 without a staged parameter.
  double last_stage() const;
  /// The values of the tuned parameters alone, for people to read.
  nlohmann::json tuned_json(const Parameters& parameters) const;

  nlohmann::json json() const;
};

}  // namespace coppice

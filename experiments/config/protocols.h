#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/config/config_node.h"
#include "experiments/config/problems.h"
#include "experiments/config/tuning.h"

namespace coppice {

/// How many models the protocol bias-variance fits: seeds for each projection, projections (of algorithms
/// that have any) for each learning set.
struct BiasVarianceSetting {
  int learning_sets = 50;
  int projections = 5;
  int seeds = 5;
};

/// How data is cut into training and test parts. Where a dataset has groups, whatever is drawn is whole
/// groups.
struct Protocol {
  enum class Test { given, redrawn, holdout, kfold, leave_one_out, bootstrap, folds };

  Test test = Test::given;
  double test_fraction = 0.0;  ///< for holdout
  int folds = 1;               ///< for kfold and bootstrap: splits of one repeat
  bool stratify = false;       ///< for holdout and kfold: every label has its share of rows in every part
  bool estimate_632 = false;  ///< for bootstrap: 0.632 × the score out of the bag + 0.368 × that in the bag
  std::string file;           ///< for folds: a file of splits as written, may hold {dataset} and {repeat}
  /// In place of one model on the training rows: many, on learning sets of the same kind.
  std::optional<BiasVarianceSetting> bias_variance;
  int repeats = 1;
  std::optional<Selection> select;  ///< how `tune` compares settings; a default where it is not given
  Location location;

  /// As it would stand in a config.
  std::string test_text() const;
  /// All of it as lines of `protocol`, indented.
  std::string yaml() const;
};

/// Reads `protocol` of a config; everything wrong goes to `problems`.
Protocol parse_protocol(const ConfigNode& node, Problems& problems);

/// Reads what `protocol.test` may hold (`given`, `{kfold: 10}`…) into `protocol`.
void parse_protocol_test(const ConfigNode& node, Protocol& protocol, Problems& problems);

/// The JSON Schema of `protocol`.
nlohmann::ordered_json protocol_schema();

/// A way to cut data into training and test parts, for `list` and `describe`.
struct ProtocolDescription {
  std::string name;
  std::string form;  ///< as it stands in a config
  std::string summary;
  std::string reference;
};

const std::vector<ProtocolDescription>& protocol_descriptions();

}  // namespace coppice

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/data/dataset.h"

namespace coppice {

/// What there is to say of the labels of a dataset, or of its classes.
struct LabelFacts {
  double cardinality = 0.0;       ///< labels of a row on average
  double density = 0.0;           ///< cardinality / labels
  std::size_t distinct_sets = 0;  ///< different label sets
  std::size_t rows_without_labels = 0;
  std::size_t labels_without_rows = 0;
  std::size_t smallest_support = 0;  ///< rows of the rarest label that occurs
  std::size_t largest_support = 0;   ///< rows of the most frequent label
  double mean_imbalance = 0.0;       ///< mean over labels that occur of largest_support / support (MeanIR)
  std::optional<std::size_t> test_labels_not_in_train;  ///< of the given split
};

/// One real output.
struct TargetFacts {
  std::string name;
  double mean = 0.0;
  double deviation = 0.0;
  double smallest = 0.0;
  double largest = 0.0;
};

/// How often labels occur in the parts of a split.
struct FoldSupport {
  std::size_t train = 0;                 ///< rows
  std::size_t test = 0;                  ///< rows
  std::size_t labels_without_train = 0;  ///< labels that no training row has: they cannot be learnt
  std::size_t labels_without_test =
      0;  ///< labels that no test row has: some metrics are not defined for them
  std::size_t smallest_train_support = 0;  ///< training rows of the rarest label that occurs there
};

/// The facts that `data info` shows.
struct DatasetInfo {
  std::string name;
  Task task = Task::multilabel;
  std::size_t rows = 0;
  bool given_split = false;
  std::size_t train = 0;  ///< of the given split; all rows where there is none
  std::size_t test = 0;
  std::size_t features = 0;
  std::size_t dense_features = 0;
  std::size_t sparse_features = 0;
  std::size_t categorical_features = 0;
  std::size_t binary_features = 0;    ///< numeric ones with no values but 0 and 1
  std::size_t constant_features = 0;  ///< with one value in all rows
  std::size_t encoded_features = 0;   ///< after one-hot encoding, for algorithms that do not take categories
  double input_density = 0.0;         ///< share of inputs that are not 0
  std::size_t missing_values = 0;
  std::size_t rows_with_missing_values = 0;
  std::size_t outputs = 0;
  std::optional<LabelFacts> labels;
  std::vector<TargetFacts> targets;    ///< of regression tasks
  std::size_t duplicate_rows = 0;      ///< rows with the inputs of an earlier row
  std::size_t test_rows_in_train = 0;  ///< test rows of the given split with the inputs of a training row
  std::optional<std::size_t> groups;
  std::string fingerprint;
  std::vector<std::string> notes;  ///< of the reader

  nlohmann::ordered_json json() const;
  /// One fact a line.
  std::string text() const;
};

DatasetInfo describe_dataset(const Dataset& dataset, std::vector<std::string> notes = {});

/// Of a dataset with labels or classes.
FoldSupport label_support(const Dataset& dataset, const Split& split);

}  // namespace coppice

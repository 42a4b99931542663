#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace coppice {

/// Problems and warnings of a plan, from several threads; what is said twice is kept once.
class PlanNotes {
 public:
  explicit PlanNotes(Problems& problems) : problems_(problems) {}

  void add(const Location& location, const std::string& message);
  /// The same mistake on every fold is one problem: `key` tells mistakes apart.
  void add_once(const std::string& key, const Location& location, const std::string& message);
  void warn(std::string warning);
  bool has_problems() const;
  /// In an order that does not depend on threads.
  std::vector<std::string> warnings() const;

 private:
  Problems& problems_;
  mutable std::mutex mutex_;
  std::vector<std::string> keys_;
  std::vector<std::string> warnings_;
};

/// Names of rows differ, and published values name rows that exist.
void check_ids(const Plan& plan, PlanNotes& notes);

/// How small test parts are, and which labels they and the training parts lack: worth a word, but a fold
/// without any label to learn is refused. Fills in PlannedDataset::smallest_test.
void check_splits(const Protocol& protocol, const Dataset& dataset, const Splits& splits,
                  const Location& where, PlannedDataset& planned, PlanNotes& notes);

/// Whether every algorithm takes the task and the missing values of a dataset.
void check_capabilities(const Experiment& experiment, const Dataset& dataset,
                        const std::vector<PrepareStep>& steps, const Location& where, PlanNotes& notes);

/// Whether metrics, tasks and sizes go together. `locations` are those of the datasets.
void check_metrics(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes);

/// The protocol bias-variance and its metrics need each other, and data that can be drawn again.
void check_bias_variance(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes);

/// Whether tuned settings can be compared on every dataset: a metric that decides, and a training part that
/// can be cut as the protocol says.
void check_tuning(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes);

}  // namespace coppice

#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/config/experiment.h"
#include "experiments/plan/dataset_pool.h"
#include "experiments/plan/splits.h"
#include "experiments/plan/stage_budgets.h"
#include "experiments/tuning/search_space.h"

namespace coppice {

/// Part of the identity of a trial: raised when the meaning of a result record changes.
inline constexpr int result_format_version = 1;

/// A row of the tables: an algorithm of the config at one combination of its swept values.
struct AlgorithmRow {
  std::string id;            ///< the entry's id, with the swept values
  std::size_t entry = 0;     ///< index into Experiment::algorithms
  RawParameters parameters;  ///< as written, swept values included
};

/// What is known of a dataset once it has been read.
struct PlannedDataset {
  std::string name;
  Task task = Task::multilabel;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t outputs = 0;
  std::size_t train = 0;  ///< rows of the first fold of the first repeat
  std::size_t test = 0;
  std::size_t folds = 1;             ///< splits of the first repeat
  std::size_t smallest_test = 0;     ///< test rows of the smallest of them
  std::size_t encoded_features = 0;  ///< after one-hot encoding, for algorithms that do not take categories
  ProblemSize size;                  ///< of that training part
  std::vector<std::string> fingerprints;  ///< one, or one for each repeat
  std::vector<std::string> notes;         ///< of the reader
};

/// One result to be had: an algorithm row on a dataset, for a repeat and a fold.
struct Trial {
  std::string hash;
  std::size_t dataset = 0;
  std::size_t algorithm = 0;  ///< index into Plan::algorithms
  int repeat = 0;
  int fold = 0;
  /// The value of the algorithm's staged parameter, if it has one and it is not tuned.
  std::optional<double> stage;
};

/// One model to be fitted; it answers all trials that differ in the staged parameter only.
struct Fit {
  std::size_t dataset = 0;
  int repeat = 0;
  int fold = 0;
  std::size_t entry = 0;            ///< index into Experiment::algorithms
  Parameters parameters;            ///< resolved; the staged parameter at its largest value
  std::vector<std::size_t> trials;  ///< indices into Plan::trials, ascending in the stage
  /// What is searched for the parameters, where they are tuned; `parameters` has then some of them.
  std::shared_ptr<const SearchSpace> space;
};

/// Everything an experiment consists of, in the order in which it runs: all datasets and algorithms at repeat
/// 0 before repeat 1, so that an early stop leaves a complete coarse table.
struct Plan {
  Experiment experiment;
  std::vector<PlannedDataset> datasets;
  std::vector<DatasetEntry> absent;  ///< entries left out because their files are not here
  std::vector<AlgorithmRow> algorithms;
  std::vector<Trial> trials;
  std::vector<Fit> fits;
  std::shared_ptr<DatasetPool> pool;
  std::shared_ptr<SplitPool> splits;
  std::shared_ptr<StageBudgets> budgets;  ///< what time budgets came to; may be empty
  std::vector<std::string> warnings;      ///< what is allowed but should be known

  /// All splits of a dataset in a repeat, before `training_rows`.
  std::shared_ptr<const Splits> splits_of(std::size_t dataset, int repeat) const;
  /// The rows to train and test on. The same for all algorithms.
  Split split(std::size_t dataset, int repeat, int fold) const;
  /// The most splits that a dataset has in one repeat.
  std::size_t most_folds() const;
  /// The parameters of a fit at the stage of one of its trials.
  Parameters parameters_at(const Fit& fit, const Trial& trial) const;
  /// The metrics of the experiment that apply to a dataset.
  std::vector<Metric> metrics_for(std::size_t dataset) const;
};

/// Reads the data, expands sweeps and protocol, resolves every parameter, and checks that all of it fits
/// together. Everything wrong goes to `problems`; the plan is usable only if there is none.
/// Time budgets that are not among the known ones are measured.
Plan make_plan(Experiment experiment, const DataPath& path, Problems& problems, StageBudgets budgets = {});

/// The data as an algorithm gets it: prepared as the entry asks, fitted on the training part of the split,
/// and with categorical columns encoded where the algorithm takes numbers only.
std::shared_ptr<const Dataset> data_for(DatasetPool& pool, std::size_t dataset, int repeat,
                                        const Split& split, const Capabilities& capabilities);

/// The address of a model's randomness: seed, repeat, fold and algorithm, but not its parameters, so that a
/// sweep compares like with like and a staged parameter cannot change what a fit draws.
Stream model_stream(std::uint64_t seed, int repeat, int fold, const std::string& algorithm);

/// The plan as kept in the results folder: what `table` and the others read beside the journal.
nlohmann::json plan_json(const Plan& plan);

}  // namespace coppice

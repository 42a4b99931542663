#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/base/context.h"
#include "core/data/encode.h"
#include "experiments/plan/algorithm_rows.h"
#include "experiments/plan/budgeted.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/plan_checks.h"
#include "experiments/plan/trial_hash.h"

namespace coppice {

namespace {

/// Builds a plan step by step; each step adds its problems.
class Planner {
 public:
  Planner(Experiment experiment, const DataPath& path, Problems& problems, StageBudgets budgets)
      : problems_(problems), notes_(problems) {
    plan_.experiment = std::move(experiment);
    plan_.budgets = std::make_shared<StageBudgets>(std::move(budgets));
    if (plan_.experiment.skip_absent) leave_out_absent(path);
    std::vector<std::unique_ptr<DatasetSource>> sources;
    for (const DatasetEntry& entry : plan_.experiment.datasets) {
      auto source = make_source(entry, path, problems_);
      if (source == nullptr) continue;
      sources.push_back(std::move(source));
      locations_.push_back(entry.location);
    }
    plan_.pool = std::make_shared<DatasetPool>(std::move(sources), plan_.experiment.seed,
                                               plan_.experiment.protocol.repeats);
    plan_.splits = std::make_shared<SplitPool>(plan_.experiment.protocol, plan_.experiment.seed);
  }

  Plan make() {
    for (std::size_t i = 0; i < plan_.experiment.algorithms.size(); ++i) {
      const auto rows = expand_sweep(plan_.experiment.algorithms[i], i);
      plan_.algorithms.insert(plan_.algorithms.end(), rows.begin(), rows.end());
    }
    check_ids(plan_, notes_);
    load_datasets();
    plan_.warnings = notes_.warnings();
    check_metrics(plan_, locations_, notes_);
    check_bias_variance(plan_, locations_, notes_);
    check_tuning(plan_, locations_, notes_);
    if (!problems_.empty()) return std::move(plan_);
    for (int repeat = 0; repeat < plan_.experiment.protocol.repeats; ++repeat) plan_repeat(repeat);
    return std::move(plan_);
  }

 private:
  void leave_out_absent(const DataPath& path) {
    auto& entries = plan_.experiment.datasets;
    const auto here = [&](const DatasetEntry& entry) { return !is_absent(entry, path); };
    const auto first_absent = std::stable_partition(entries.begin(), entries.end(), here);
    plan_.absent.assign(first_absent, entries.end());
    for (const DatasetEntry& entry : plan_.absent)
      notes_.warn(
          fmt::format("dataset '{}' is absent (its files are not on this machine) and left out", entry.name));
    if (first_absent == entries.begin() && !entries.empty())
      problems_.add(entries.front().location,
                    "absent: none of the datasets is on this machine; point --data or COPPICE_DATA at their "
                    "folder");
    entries.erase(first_absent, entries.end());
  }

  void plan_repeat(int repeat) {
    std::vector<std::size_t> folds;
    for (std::size_t dataset = 0; dataset < plan_.datasets.size(); ++dataset)
      folds.push_back(fold_count(dataset, repeat));
    for (std::size_t fold = 0; fold < *std::max_element(folds.begin(), folds.end()); ++fold)
      for (std::size_t dataset = 0; dataset < plan_.datasets.size(); ++dataset)
        if (fold < folds[dataset]) plan_part(dataset, repeat, static_cast<int>(fold));
  }

  std::size_t fold_count(std::size_t dataset, int repeat) {
    try {
      return plan_.splits_of(dataset, repeat)->count();
    } catch (const Error& error) {
      problems_.add(locations_[dataset],
                    fmt::format("dataset '{}': {}", plan_.datasets[dataset].name, error.what()));
      return 0;
    }
  }

  void load_datasets() {
    plan_.datasets.resize(plan_.pool->dataset_count());
    parallel_for({}, plan_.datasets.size(), [&](std::size_t i) {
      try {
        load_dataset(i);
      } catch (const Error& error) {
        notes_.add(locations_[i],
                   fmt::format("dataset '{}': {}", plan_.pool->source(i).name(), error.what()));
      }
    });
  }

  void load_dataset(std::size_t index) {
    const Protocol& protocol = plan_.experiment.protocol;
    PlannedDataset& planned = plan_.datasets[index];
    planned.name = plan_.pool->source(index).name();
    const int versions = plan_.pool->source(index).fresh_for_each_repeat() ? protocol.repeats : 1;
    for (int repeat = 0; repeat < versions; ++repeat) {
      const auto dataset = plan_.pool->get(index, repeat);
      planned.fingerprints.push_back(dataset->fingerprint().text());
      if (repeat > 0) continue;
      planned.task = dataset->task();
      planned.rows = dataset->rows();
      planned.features = dataset->feature_count();
      planned.outputs = dataset->output_count();
      planned.encoded_features = encoded_feature_count(dataset->features());
      planned.notes = plan_.pool->source(index).notes();
      const auto splits = plan_.splits_of(index, 0);
      const Split split = plan_.split(index, 0, 0);
      planned.folds = splits->count();
      planned.train = split.train.size();
      planned.test = split.test.size();
      planned.size = ProblemSize::of(DatasetView(dataset, split.train));
      check_splits(protocol, *dataset, *splits, locations_[index], planned, notes_);
      check_capabilities(plan_.experiment, *dataset, plan_.pool->source(index).preparation(),
                         locations_[index], notes_);
    }
  }

  /// Whether one fit may answer several stages: not where what is measured belongs to the whole fit.
  bool may_share(std::size_t dataset) const {
    for (const Metric& metric : plan_.metrics_for(dataset))
      if (metric.description->varies_between_runs || metric.name == "model-bytes") return false;
    return true;
  }

  /// What expressions speak of: the data as the algorithm gets it. Empty if it cannot be prepared.
  std::optional<ExpressionVariables> sizes_for(std::size_t dataset, int repeat, const Split& split,
                                               const Capabilities& capabilities) {
    try {
      const auto data = data_for(*plan_.pool, dataset, repeat, split, capabilities);
      return ExpressionVariables{static_cast<double>(split.train.size()),
                                 static_cast<double>(data->feature_count()),
                                 static_cast<double>(data->output_count())};
    } catch (const Error& error) {
      notes_.add_once(error.message(), locations_[dataset], error.message());
      return std::nullopt;
    }
  }

  void plan_part(std::size_t dataset_index, int repeat, int fold) {
    const auto dataset = plan_.pool->get(dataset_index, repeat);
    const Split split = plan_.split(dataset_index, repeat, fold);
    std::array<std::optional<ExpressionVariables>, 2> sizes;  // for algorithms with and without categories
    std::map<std::string, std::size_t> shared;  // what a fit is apart from its stage → its index
    for (std::size_t row = 0; row < plan_.algorithms.size(); ++row) {
      const AlgorithmEntry& entry = plan_.experiment.algorithms[plan_.algorithms[row].entry];
      auto& known_sizes = sizes[entry.description.capabilities.categorical ? 1 : 0];
      if (!known_sizes) known_sizes = sizes_for(dataset_index, repeat, split, entry.description.capabilities);
      if (!known_sizes) return;
      const auto parameters = resolve_row(entry, plan_.algorithms[row], *dataset, *known_sizes, notes_);
      if (!parameters) continue;
      Fit fit{dataset_index, repeat, fold, plan_.algorithms[row].entry, *parameters, {}, nullptr};
      if (entry.tune) {
        auto space = resolve_space(entry, plan_.algorithms[row], *parameters, *dataset, *known_sizes, notes_);
        if (!space) continue;
        if (entry.budget) limit_space(*space, fit, *dataset, *known_sizes);
        fit.space = std::make_shared<const SearchSpace>(std::move(*space));
      } else if (entry.budget) {
        spend_budget(fit, *dataset, *known_sizes);
      }
      add_trial(std::move(fit), row, *dataset, split, shared);
    }
    for (const auto& [key, index] : shared) {
      auto& trials = plan_.fits[index].trials;
      std::stable_sort(trials.begin(), trials.end(), [&](std::size_t a, std::size_t b) {
        return plan_.trials[a].stage.value_or(0.0) < plan_.trials[b].stage.value_or(0.0);
      });
    }
  }

  /// The fit that the budget of an entry is a multiple of: the first row of the entry that it names.
  std::optional<Fit> reference_fit(const Fit& fit, const Dataset& dataset, const ExpressionVariables& sizes) {
    const std::string& of = plan_.experiment.algorithms[fit.entry].budget->of;
    for (const AlgorithmRow& row : plan_.algorithms) {
      const AlgorithmEntry& entry = plan_.experiment.algorithms[row.entry];
      if (entry.id != of) continue;
      const auto parameters = resolve_row(entry, row, dataset, sizes, notes_);
      if (!parameters) return std::nullopt;
      return Fit{fit.dataset, fit.repeat, fit.fold, row.entry, *parameters, {}, nullptr};
    }
    return std::nullopt;  // check_ids has said it
  }

  /// As many stages as the budget of the entry allows.
  void spend_budget(Fit& fit, const Dataset& dataset, const ExpressionVariables& sizes) {
    if (const auto reference = reference_fit(fit, dataset, sizes))
      fit.parameters.set_number(plan_.experiment.algorithms[fit.entry].description.staged()->name,
                                budgeted_stages(plan_, fit, *reference));
  }

  /// The same for every setting of a grid.
  void limit_space(SearchSpace& space, const Fit& fit, const Dataset& dataset,
                   const ExpressionVariables& sizes) {
    const auto reference = reference_fit(fit, dataset, sizes);
    if (!reference) return;
    double most = 1.0;
    for (const Parameters& setting : space.grid()) {
      Fit one = fit;
      one.parameters = setting;
      const double limit = budgeted_stages(plan_, one, *reference);
      space.limits[space.setting_text(setting)] = limit;
      most = std::max(most, limit);
    }
    // The stages to choose from: those asked for, or all of them, as far as a budget goes.
    if (space.stages.empty())
      for (double stage = 1.0; stage <= most; stage += 1.0) space.stages.push_back(stage);
    std::erase_if(space.stages, [&](double stage) { return stage > most; });
    if (space.stages.empty()) space.stages.push_back(most);
    space.fixed = space.base();
  }

  /// Adds the trial that a fit answers, and the fit itself unless another one answers it as well.
  void add_trial(Fit fit, std::size_t row, const Dataset& dataset, const Split& split,
                 std::map<std::string, std::size_t>& shared) {
    const AlgorithmEntry& entry = plan_.experiment.algorithms[fit.entry];
    const AlgorithmDescription& description = entry.description;
    std::string settings = fit.parameters.json().dump();
    if (fit.space)
      settings = tuned_settings(*fit.space, entry.tune->search, plan_.experiment.selection(),
                                plan_.experiment.selection_metric(dataset.task())->name);
    Trial trial{"", fit.dataset, row, fit.repeat, fit.fold, std::nullopt};
    trial.hash = trial_hash(description, settings, dataset.fingerprint(),
                            plan_.pool->source(fit.dataset).preparation(), split,
                            model_stream(plan_.experiment.seed, fit.repeat, fit.fold, description.name),
                            plan_.experiment.protocol);
    const ParameterSpec* staged = description.staged();
    const bool chosen = fit.space && !fit.space->stages.empty();
    if (staged != nullptr && !chosen) trial.stage = fit.parameters.number(staged->name);
    if (trial.stage && !fit.space && may_share(fit.dataset)) {
      Parameters unstaged = fit.parameters;
      unstaged.set(staged->name, std::monostate{});
      settings = unstaged.json().dump();
    }
    plan_.trials.push_back(trial);
    // Two entries may mean the same trial under different names: it runs once and shows twice.
    if (!planned_.insert(trial.hash).second) return;
    const auto [place, fresh] = shared.emplace(description.name + settings, plan_.fits.size());
    if (fresh) plan_.fits.push_back(std::move(fit));
    Fit& kept = plan_.fits[place->second];
    kept.trials.push_back(plan_.trials.size() - 1);
    if (trial.stage && *trial.stage > kept.parameters.number(staged->name))
      kept.parameters.set_number(staged->name, *trial.stage);
  }

  Problems& problems_;
  PlanNotes notes_;
  Plan plan_;
  std::vector<Location> locations_;
  std::set<std::string> planned_;  // hashes that belong to a fit already
};

}  // namespace

Plan make_plan(Experiment experiment, const DataPath& path, Problems& problems, StageBudgets budgets) {
  return Planner(std::move(experiment), path, problems, std::move(budgets)).make();
}

}  // namespace coppice

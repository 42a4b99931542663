#include "experiments/schedule/run_fit.h"

#include <chrono>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/version.h"
#include "core/data/splits/splits.h"
#include "experiments/schedule/bias_variance.h"
#include "experiments/schedule/error_text.h"
#include "experiments/schedule/score_model.h"
#include "experiments/store/provenance.h"

namespace coppice {

namespace {

/// Turns scores out of the bag into the .632 estimate.
void mix_in_training(const ModelScores& training, ModelScores& scores) {
  for (std::size_t i = 0; i < scores.metrics.size(); ++i)
    for (auto& [name, value] : scores.metrics[i]) value = estimate_632(training.metrics[i].at(name), value);
}

/// The records of a fit before anything has been done.
std::vector<TrialRecord> blank_records(const Plan& plan, const Fit& fit) {
  std::vector<TrialRecord> records;
  for (const std::size_t index : fit.trials) {
    const Trial& trial = plan.trials[index];
    TrialRecord record;
    record.trial = trial.hash;
    record.dataset = plan.datasets[trial.dataset].name;
    record.algorithm = plan.algorithms[trial.algorithm].id;
    record.repeat = trial.repeat;
    record.fold = trial.fold;
    record.stage = trial.stage;
    record.parameters = plan.parameters_at(fit, trial).json();
    record.details = {{"coppice", version_text()}, {"host", host_name()}};
    records.push_back(std::move(record));
  }
  return records;
}

/// Fills in the records of one fit.
class FitRunner {
 public:
  FitRunner(const Plan& plan, const Fit& fit, const StopFlag& stop, InnerLog* log, std::size_t models_at_once,
            std::vector<TrialRecord>& records)
      : plan_(plan),
        fit_(fit),
        entry_(plan.experiment.algorithms[fit.entry]),
        log_(log),
        models_at_once_(models_at_once),
        records_(records),
        context_{model_stream(plan.experiment.seed, fit.repeat, fit.fold, entry_.description.name), &stop,
                 &fit_meter_} {
    for (const TrialRecord& record : records)
      if (record.stage) stages_.push_back(*record.stage);
  }

  void run() {
    const auto original = plan_.pool->get(fit_.dataset, fit_.repeat);
    for (TrialRecord& record : records_) record.details["dataset"] = original->fingerprint().text();
    if (plan_.experiment.protocol.bias_variance) return decompose();
    Parameters parameters = fit_.parameters;
    Split split = plan_.split(fit_.dataset, fit_.repeat, fit_.fold);
    if (fit_.space) {
      TuningResult found = tuned();
      parameters = std::move(found.parameters);
      split.train = std::move(found.rows);
      context_.stream = found.stream;
    }
    const auto dataset =
        data_for(*plan_.pool, fit_.dataset, fit_.repeat, split, entry_.description.capabilities);
    const DatasetView train(dataset, split.train);
    const DatasetView test(dataset, split.test);
    const auto start = std::chrono::steady_clock::now();
    std::unique_ptr<Model> model;
    {
      const CpuMeter::Section section(&fit_meter_);
      model = entry_.algorithm->fit(train, parameters, context_);
    }
    fit_seconds_ = seconds_since(start);
    score(*model, train, test, parameters);
  }

 private:
  void decompose() {
    std::vector<std::map<std::string, double>> parts;
    {
      const CpuMeter::Section section(&fit_meter_);
      parts = decompose_error(plan_, fit_, stages_, context_);
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      records_[i].details["fit-cpu-seconds"] = fit_meter_.seconds();  // of all models
      for (const Metric& metric : plan_.metrics_for(fit_.dataset))
        records_[i].metrics[metric.name] = parts[i].at(metric.name);
    }
  }

  /// Searches for the parameters, on the training part alone.
  TuningResult tuned() {
    CpuMeter meter;
    Context context = context_;
    context.meter = &meter;
    TuningResult found = [&] {
      const CpuMeter::Section section(&meter);
      return tune(plan_, fit_, log_, context, models_at_once_);
    }();
    for (TrialRecord& record : records_) {
      record.parameters = found.parameters.json();
      record.details["tuning"] = found.report;
      record.details["tuning-cpu-seconds"] = meter.seconds();
    }
    return found;
  }

  void score(const Model& model, const DatasetView& train, const DatasetView& test,
             const Parameters& parameters) {
    std::vector<Metric> computed;
    for (const Metric& metric : plan_.metrics_for(fit_.dataset))
      if (!metric.description->cost) computed.push_back(metric);
    CpuMeter meter;
    Context context = context_;
    context.meter = &meter;
    ModelScores scores;
    {
      const CpuMeter::Section section(&meter);
      scores = score_model(model, train, test, computed, stages_, context);
      if (plan_.experiment.protocol.estimate_632)
        mix_in_training(score_model(model, train, train, computed, stages_, context), scores);
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      TrialRecord& record = records_[i];
      record.metrics = scores.metrics[i];
      record.details["fit-seconds"] = fit_seconds_;
      record.details["fit-cpu-seconds"] = fit_meter_.seconds();
      record.details["predict-seconds"] = scores.predict_seconds[i];
      record.details["predict-cpu-seconds"] = meter.seconds();
      record.details["shared-by"] = records_.size();
      add_costs(model, test.dataset(), parameters, record);
    }
  }

  void add_costs(const Model& model, const Dataset& dataset, const Parameters& parameters,
                 TrialRecord& record) const {
    std::map<std::string, double> facts = record.stage ? model.facts_at(*record.stage) : model.facts();
    for (const char* measured : {"fit-seconds", "fit-cpu-seconds", "predict-seconds"})
      facts[measured] = record.details[measured];
    for (const Metric& metric : plan_.metrics_for(fit_.dataset)) {
      if (!metric.description->cost) continue;
      if (metric.name == "model-bytes")
        facts[metric.name] =
            static_cast<double>(model_bytes(model, entry_.description.name, parameters,
                                            ModelSchema::of(dataset), nlohmann::json::object())
                                    .size());
      const auto fact = facts.find(metric.name);
      record.metrics[metric.name] =
          fact != facts.end() ? fact->second : std::numeric_limits<double>::quiet_NaN();
    }
  }

  const Plan& plan_;
  const Fit& fit_;
  const AlgorithmEntry& entry_;
  InnerLog* log_;
  std::size_t models_at_once_;
  std::vector<TrialRecord>& records_;
  std::vector<double> stages_;
  CpuMeter fit_meter_;
  double fit_seconds_ = 0.0;
  Context context_;
};

}  // namespace

std::string fit_name(const Plan& plan, const Fit& fit) {
  return fmt::format("{} on {}", plan.experiment.algorithms[fit.entry].id, plan.datasets[fit.dataset].name);
}

std::vector<TrialRecord> failed_records(const Plan& plan, const Fit& fit, const std::string& reason) {
  std::vector<TrialRecord> records = blank_records(plan, fit);
  for (TrialRecord& record : records) {
    record.outcome = TrialRecord::Outcome::failed;
    record.error = reason;
  }
  return records;
}

std::vector<TrialRecord> run_fit(const Plan& plan, const Fit& fit, const StopFlag& stop, InnerLog* log,
                                 std::size_t models_at_once) {
  std::vector<TrialRecord> records = blank_records(plan, fit);
  try {
    FitRunner(plan, fit, stop, log, models_at_once, records).run();
    return records;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return failed_records(plan, fit, error_text());
  } catch (...) {
    return failed_records(plan, fit, error_text());
  }
}

}  // namespace coppice

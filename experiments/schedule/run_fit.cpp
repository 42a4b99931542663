#include "experiments/schedule/run_fit.h"

#include <chrono>
#include <new>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/version.h"
#include "core/data/splits/splits.h"
#include "experiments/schedule/bias_variance.h"

namespace coppice {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One entry for each stage, or one in all for an algorithm without a staged parameter.
struct Scores {
  std::vector<std::map<std::string, double>> metrics;
  std::vector<double> predict_seconds;
};

Scores score(const Model& model, const DatasetView& train, const DatasetView& test,
             const std::vector<Metric>& metrics, const std::vector<double>& stages, const Context& context) {
  Scores scores;
  std::vector<Scorer> scorers;
  const ScoringContext scoring = ScoringContext::of(train);
  const std::size_t answers = std::max<std::size_t>(1, stages.size());
  for (std::size_t i = 0; i < answers; ++i) scorers.emplace_back(metrics, scoring);
  scores.predict_seconds.assign(answers, 0.0);
  test.for_each_batch([&](const DatasetView& batch) {
    context.check_stop();
    auto start = std::chrono::steady_clock::now();
    double elapsed = 0.0;  // spent on predicting up to this stage, without the scoring in between
    const auto emit = [&](std::size_t index, const Predictions& predictions) {
      elapsed += seconds_since(start);
      scores.predict_seconds[index] += elapsed;
      scorers[index].add(batch, predictions);
      start = std::chrono::steady_clock::now();
    };
    if (stages.empty())
      emit(0, model.predict(batch, context));
    else
      model.predict_staged(batch, stages, emit, context);
  });
  for (const Scorer& scorer : scorers) scores.metrics.push_back(scorer.values());
  return scores;
}

/// Turns scores out of the bag into the .632 estimate.
void mix_in_training(const Scores& training, Scores& scores) {
  for (std::size_t i = 0; i < scores.metrics.size(); ++i)
    for (auto& [name, value] : scores.metrics[i]) value = estimate_632(training.metrics[i].at(name), value);
}

}  // namespace

std::vector<TrialRecord> run_fit(const Plan& plan, const Fit& fit, const StopFlag& stop) {
  const Algorithm& algorithm = *plan.experiment.algorithms[fit.entry].algorithm;
  const AlgorithmDescription& description = plan.experiment.algorithms[fit.entry].description;
  std::vector<TrialRecord> records;
  std::vector<double> stages;
  for (const std::size_t index : fit.trials) {
    const Trial& trial = plan.trials[index];
    TrialRecord record;
    record.trial = trial.hash;
    record.dataset = plan.datasets[trial.dataset].name;
    record.algorithm = plan.algorithms[trial.algorithm].id;
    record.repeat = trial.repeat;
    record.fold = trial.fold;
    record.stage = trial.stage;
    Parameters parameters = fit.parameters;
    if (trial.stage) parameters.set_number(description.staged()->name, *trial.stage);
    record.parameters = parameters.json();
    record.details = {{"coppice", version_text()}};
    records.push_back(std::move(record));
    if (trial.stage) stages.push_back(*trial.stage);
  }

  const auto fail = [&](const std::string& message) {
    for (TrialRecord& record : records) {
      record.outcome = TrialRecord::Outcome::failed;
      record.error = message;
    }
  };
  try {
    const auto original = plan.pool->get(fit.dataset, fit.repeat);
    const Split split = plan.split(fit.dataset, fit.repeat, fit.fold);
    const auto dataset = data_for(*plan.pool, fit.dataset, fit.repeat, split, description.capabilities);
    const DatasetView train(dataset, split.train);
    const DatasetView test(dataset, split.test);
    CpuMeter meter;
    Context context{model_stream(plan.experiment.seed, fit.repeat, fit.fold, description.name), &stop,
                    &meter};
    if (plan.experiment.protocol.bias_variance) {
      const auto parts = decompose_error(plan, fit, stages, context);
      for (std::size_t i = 0; i < records.size(); ++i) {
        for (const Metric& metric : plan.metrics_for(fit.dataset))
          records[i].metrics[metric.name] = parts[i].at(metric.name);
        records[i].details["dataset"] = original->fingerprint().text();
      }
      return records;
    }
    const auto start = std::chrono::steady_clock::now();
    std::unique_ptr<Model> model;
    {
      const CpuMeter::Section section(&meter);
      model = algorithm.fit(train, fit.parameters, context);
    }
    const double fit_seconds = seconds_since(start);
    const double cpu_seconds = meter.seconds();

    std::vector<Metric> computed;
    std::vector<Metric> costs;
    for (const Metric& metric : plan.metrics_for(fit.dataset))
      (metric.description->cost ? costs : computed).push_back(metric);
    Scores scores = score(*model, train, test, computed, stages, context);
    if (plan.experiment.protocol.estimate_632)
      mix_in_training(score(*model, train, train, computed, stages, context), scores);
    for (std::size_t i = 0; i < records.size(); ++i) {
      TrialRecord& record = records[i];
      record.metrics = scores.metrics[i];
      std::map<std::string, double> facts = record.stage ? model->facts_at(*record.stage) : model->facts();
      facts["fit-seconds"] = fit_seconds;
      facts["fit-cpu-seconds"] = cpu_seconds;
      facts["predict-seconds"] = scores.predict_seconds[i];
      for (const Metric& metric : costs) {
        if (metric.name == "model-bytes")
          facts[metric.name] =
              static_cast<double>(model_bytes(*model, description.name, fit.parameters,
                                              ModelSchema::of(*dataset), nlohmann::json::object())
                                      .size());
        const auto fact = facts.find(metric.name);
        record.metrics[metric.name] =
            fact != facts.end() ? fact->second : std::numeric_limits<double>::quiet_NaN();
      }
      record.details["dataset"] = original->fingerprint().text();
      record.details["fit-seconds"] = fit_seconds;
      record.details["fit-cpu-seconds"] = cpu_seconds;
      record.details["predict-seconds"] = scores.predict_seconds[i];
      record.details["shared-by"] = records.size();
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    fail(error.what());
  } catch (const std::bad_alloc&) {
    fail("out of memory; try fewer jobs or a smaller model");
  } catch (const std::exception& exception) {
    fail(fmt::format("internal error: {}", exception.what()));
  }
  return records;
}

}  // namespace coppice

#include "experiments/forecast/calibration.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "experiments/schedule/score_model.h"

namespace coppice {

namespace {

constexpr std::size_t first_rows = 250;
constexpr std::size_t scored_rows = 400;

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

double stage_of(const AlgorithmEntry& entry, const Parameters& parameters) {
  const ParameterSpec* staged = entry.description.staged();
  return staged == nullptr ? 1.0 : parameters.number(staged->name);
}

/// One fit of a probe.
struct Measurement {
  double work = 0.0;
  double seconds = 0.0;
};

/// Fits and measures.
class Probe {
 public:
  Probe(const Plan& plan, const Fit& fit, const StopFlag& stop)
      : entry_(plan.experiment.algorithms[fit.entry]),
        parameters_(fit.parameters),
        last_stage_(stage_of(entry_, fit.parameters)),
        split_(plan.split(fit.dataset, fit.repeat, fit.fold)),
        data_(data_for(*plan.pool, fit.dataset, fit.repeat, split_, entry_.description.capabilities)),
        planned_(plan.datasets[fit.dataset]),
        stop_(stop) {
    for (const Metric& metric : plan.metrics_for(fit.dataset))
      if (metric.description->from_predictions()) metrics_.push_back(metric);
  }

  Calibration run(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t all = split_.train.size();
    std::size_t rows = std::min(all, first_rows);
    double stage = 1.0;
    std::vector<Measurement> seen;
    while (true) {
      seen.push_back(measure(rows, stage));
      // The next step takes at most four times as long as the last one.
      const double left = seconds - seconds_since(start);
      if (left < 4.0 * seen.back().seconds) break;
      if (rows < all)
        rows = std::min(all, 4 * rows);
      else if (stage < last_stage_)
        stage = std::min(last_stage_, 4.0 * stage);
      else
        break;
    }
    // Two measurements on the same rows tell what comes once from what comes with every stage.
    const Measurement& last = seen.back();
    calibration_.per_work = last.seconds / last.work;
    if (seen.size() >= 2 && stage > 1.0) {
      const Measurement& before = seen[seen.size() - 2];
      const double slope = (last.seconds - before.seconds) / (last.work - before.work);
      if (slope > 0.0 && slope * last.work <= last.seconds) {
        calibration_.per_work = slope;
        calibration_.start = last.seconds - slope * last.work;
      }
    }
    return calibration_;
  }

 private:
  Measurement measure(std::size_t rows, double stage) {
    Rows some;
    for (std::size_t i = 0; i < rows; ++i) some.push_back(split_.train[i * split_.train.size() / rows]);
    const DatasetView train(data_, some);
    Parameters parameters = parameters_;
    if (const ParameterSpec* staged = entry_.description.staged()) parameters.set_number(staged->name, stage);
    CpuMeter meter;
    const Context context{Stream(0), &stop_, &meter};
    std::unique_ptr<Model> model;
    {
      const CpuMeter::Section section(&meter);
      model = entry_.algorithm->fit(train, parameters, context);
    }
    const ProblemSize size = size_for(planned_, entry_.description.capabilities, static_cast<double>(rows));
    const Measurement result{std::max(1.0, entry_.algorithm->cost(parameters, size).work),
                             std::max(1e-7, meter.seconds())};
    measure_scores(*model, train, stage, context);
    return result;
  }

  void measure_scores(const Model& model, const DatasetView& train, double stage, const Context& context) {
    Rows some = split_.test;
    if (some.size() > scored_rows) some.resize(scored_rows);
    if (some.empty() || metrics_.empty()) return;
    const auto rows = static_cast<double>(some.size());
    const auto start = std::chrono::steady_clock::now();
    const ModelScores scores = score_model(model, train, DatasetView(data_, some), metrics_, {}, context);
    const double all = seconds_since(start);
    calibration_.per_predicted = scores.predict_seconds[0] / rows / stage;
    calibration_.per_scored = std::max(0.0, all - scores.predict_seconds[0]) / rows;
  }

  const AlgorithmEntry& entry_;
  Parameters parameters_;
  double last_stage_;
  Split split_;
  std::shared_ptr<const Dataset> data_;
  const PlannedDataset& planned_;
  const StopFlag& stop_;
  std::vector<Metric> metrics_;
  Calibration calibration_;
};

}  // namespace

ProblemSize size_for(const PlannedDataset& dataset, const Capabilities& capabilities, double rows) {
  ProblemSize size = dataset.size;
  const double share = size.rows > 0.0 ? rows / size.rows : 0.0;
  size.rows = rows;
  size.values *= share;
  size.labels *= share;
  if (!capabilities.categorical && size.features > 0.0) {
    size.values *= static_cast<double>(dataset.encoded_features) / size.features;
    size.features = static_cast<double>(dataset.encoded_features);
  }
  return size;
}

std::optional<Calibration> calibrate_by_results(const Plan& plan, std::size_t entry_index,
                                                std::size_t dataset, const JournalContent& journal) {
  const AlgorithmEntry& entry = plan.experiment.algorithms[entry_index];
  const PlannedDataset& planned = plan.datasets[dataset];
  std::vector<double> fits;
  std::vector<double> predictions;
  for (const auto& [hash, record] : journal.records) {
    if (record.outcome != TrialRecord::Outcome::done || record.dataset != planned.name) continue;
    if (record.algorithm != entry.id && !record.algorithm.starts_with(entry.id + " ")) continue;
    if (!record.details.contains("fit-cpu-seconds") || !record.details.contains("predict-cpu-seconds"))
      continue;
    const Parameters parameters = Parameters::from_json(record.parameters);
    for (const ParameterSpec& spec : entry.description.parameters)
      if (!parameters.has(spec.name)) return std::nullopt;  // of an earlier version
    const ProblemSize size =
        size_for(planned, entry.description.capabilities, static_cast<double>(planned.train));
    fits.push_back(record.details["fit-cpu-seconds"].get<double>() /
                   std::max(1.0, entry.algorithm->cost(parameters, size).work));
    predictions.push_back(record.details["predict-cpu-seconds"].get<double>() /
                          static_cast<double>(std::max<std::size_t>(1, planned.test)) /
                          stage_of(entry, parameters));
  }
  if (fits.empty()) return std::nullopt;
  Calibration calibration;
  calibration.per_work = middle(fits);
  calibration.per_predicted = middle(predictions);
  return calibration;
}

Calibration calibrate_by_probe(const Plan& plan, const Fit& fit, double seconds, const StopFlag& stop) {
  return Probe(plan, fit, stop).run(seconds);
}

}  // namespace coppice

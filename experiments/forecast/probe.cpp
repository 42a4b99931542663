#include "experiments/forecast/probe.h"

#include "experiments/schedule/score_model.h"

namespace coppice {

namespace {

constexpr std::size_t most_scored_rows = 1000;

/// Fits and measures.
class Probe {
 public:
  Probe(const Plan& plan, const Fit& fit, const Parameters& parameters, const StopFlag& stop)
      : plan_(plan),
        fit_(fit),
        entry_(plan.experiment.algorithms[fit.entry]),
        parameters_(parameters),
        split_(plan.split(fit.dataset, fit.repeat, fit.fold)),
        data_(data_for(*plan.pool, fit.dataset, fit.repeat, split_, entry_.description.capabilities)),
        stop_(stop) {
    for (const Metric& metric : plan.metrics_for(fit.dataset))
      if (metric.description->from_predictions()) metrics_.push_back(metric);
    scored_ = split_.test;
    if (scored_.size() > most_scored_rows) scored_.resize(most_scored_rows);
  }

  Calibration run(double seconds) {
    ProbeTask task;
    task.rows = split_.train.size();
    task.last_stage = stage_of(entry_, parameters_);
    task.scored = scored_.size();
    // Prepared data is made anew for every fit, and with it what is kept for all fits on the same data.
    task.made_each_time = !plan_.pool->source(fit_.dataset).preparation().empty();
    task.work = [this](double rows, double stage) { return work_of(plan_, fit_, at_stage(stage), rows); };
    task.measure = [this](std::size_t rows, double stage) { return measure(rows, stage); };
    return calibrate(task, seconds);
  }

 private:
  Parameters at_stage(double stage) const {
    Parameters parameters = parameters_;
    if (const ParameterSpec* staged = entry_.description.staged()) parameters.set_number(staged->name, stage);
    return parameters;
  }

  ProbeMeasurement measure(std::size_t rows, double stage) {
    Rows some;
    for (std::size_t i = 0; i < rows; ++i) some.push_back(split_.train[i * split_.train.size() / rows]);
    const DatasetView train(data_, some);
    CpuMeter fitting;
    CpuMeter scoring;
    Context context{Stream(0), &stop_, &fitting};
    std::unique_ptr<Model> model;
    {
      const CpuMeter::Section section(&fitting);
      model = entry_.algorithm->fit(train, at_stage(stage), context);
    }
    if (!scored_.empty()) {
      context.meter = &scoring;
      const CpuMeter::Section section(&scoring);
      score_model(*model, train, DatasetView(data_, scored_), metrics_, {}, context);
    }
    constexpr double shortest = 1e-7;
    return {std::max(shortest, fitting.seconds()), std::max(shortest, scoring.seconds())};
  }

  const Plan& plan_;
  const Fit& fit_;
  const AlgorithmEntry& entry_;
  const Parameters& parameters_;
  Split split_;
  std::shared_ptr<const Dataset> data_;
  const StopFlag& stop_;
  std::vector<Metric> metrics_;
  Rows scored_;
};

}  // namespace

Calibration calibrate_by_probe(const Plan& plan, const Fit& fit, const Parameters& parameters, double seconds,
                               const StopFlag& stop) {
  return Probe(plan, fit, parameters, stop).run(seconds);
}

}  // namespace coppice

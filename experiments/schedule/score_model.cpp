#include "experiments/schedule/score_model.h"

#include <optional>

namespace coppice {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ModelScores score_model(const Model& model, const DatasetView& train, const DatasetView& test,
                        const std::vector<Metric>& metrics, const std::vector<double>& stages,
                        const Context& whole) {
  Context context = whole;
  context.best_labels = best_labels_of(metrics);
  const ScoringContext scoring = ScoringContext::of(train);
  const std::size_t answers = std::max<std::size_t>(1, stages.size());
  ModelScores scores;
  scores.predict_seconds.assign(answers, 0.0);
  scores.metrics.resize(answers);
  // Where all rows come at once a scorer is done after its stage: a long curve needs the memory of one.
  std::vector<std::optional<Scorer>> scorers(answers);
  test.for_each_batch([&](const DatasetView& batch) {
    context.check_stop();
    auto start = std::chrono::steady_clock::now();
    double elapsed = 0.0;  // spent on predicting up to this stage, without the scoring in between
    const auto emit = [&](std::size_t index, const Predictions& predictions) {
      elapsed += seconds_since(start);
      scores.predict_seconds[index] += elapsed;
      if (!scorers[index]) scorers[index].emplace(metrics, scoring);
      scorers[index]->add(batch, predictions);
      if (batch.size() == test.size()) {
        scores.metrics[index] = scorers[index]->values();
        scorers[index].reset();
      }
      context.check_stop();
      start = std::chrono::steady_clock::now();
    };
    if (stages.empty())
      emit(0, model.predict(batch, context));
    else
      model.predict_staged(batch, stages, emit, context);
  });
  for (std::size_t i = 0; i < answers; ++i)
    if (scorers[i]) scores.metrics[i] = scorers[i]->values();
  return scores;
}

}  // namespace coppice

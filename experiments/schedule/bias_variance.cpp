#include "experiments/schedule/bias_variance.h"

#include "core/metrics/bias_variance.h"

namespace coppice {

namespace {

/// All outputs of some rows one after another; labels are 0 or 1.
std::vector<double> outputs_of(const DatasetView& rows) {
  const Dataset& dataset = rows.dataset();
  const std::size_t d = dataset.output_count();
  std::vector<double> values(rows.size() * d, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (has_labels(dataset.task()))
      for (const std::uint32_t label : dataset.labels()[rows[i]]) values[i * d + label] = 1.0;
    else
      std::copy(dataset.targets()[rows[i]].begin(), dataset.targets()[rows[i]].end(),
                values.begin() + static_cast<std::ptrdiff_t>(i * d));
  }
  return values;
}

std::vector<double> scores_of(const Predictions& predictions) {
  std::vector<double> values(predictions.rows() * predictions.outputs());
  for (std::size_t row = 0; row < predictions.rows(); ++row)
    for (std::size_t j = 0; j < predictions.outputs(); ++j)
      values[row * predictions.outputs() + j] = predictions.score(row, j);
  return values;
}

/// The models of one fit under the protocol.
class Decomposition {
 public:
  Decomposition(const Plan& plan, const Fit& fit, const std::vector<double>& stages, const Context& context)
      : setting_(*plan.experiment.protocol.bias_variance),
        source_(plan.pool->source(fit.dataset)),
        algorithm_(*plan.experiment.algorithms[fit.entry].algorithm),
        parameters_(fit.parameters),
        stages_(stages),
        context_(context),
        data_stream_(plan.pool->stream(fit.repeat)),
        projections_(parameters_.has("projection") ? static_cast<std::size_t>(setting_.projections) : 1) {
    const auto base = plan.pool->get(fit.dataset, fit.repeat);
    points_ = std::make_unique<DatasetView>(base, plan.split(fit.dataset, fit.repeat, fit.fold).test);
    const auto sets = static_cast<std::size_t>(setting_.learning_sets);
    parts_.assign(std::max<std::size_t>(1, stages.size()),
                  BiasVariance(points_->size(), base->output_count(), sets, projections_,
                               static_cast<std::size_t>(setting_.seeds)));
    parallel_for(context_, sets, [&](std::size_t set) { learn(set); });
  }

  std::vector<std::map<std::string, double>> parts() const {
    const std::vector<double> observed = outputs_of(*points_);
    std::optional<std::vector<double>> truth;
    if (const auto clean = source_.load_without_noise(data_stream_))
      truth = outputs_of(DatasetView(clean, Rows(points_->rows().begin(), points_->rows().end())));
    std::vector<std::map<std::string, double>> all;
    for (const BiasVariance& part : parts_)
      all.push_back(
          part.parts(observed, truth ? std::optional<std::span<const double>>(*truth) : std::nullopt));
    return all;
  }

 private:
  void learn(std::size_t set) {
    const auto drawn = source_.load(data_stream_.at("learning-set", set));
    const DatasetView train(drawn, drawn->given_split()->train);
    const Stream stream = context_.stream.at("learning-set", set);
    for (std::size_t projection = 0; projection < projections_; ++projection)
      for (std::size_t seed = 0; seed < static_cast<std::size_t>(setting_.seeds); ++seed) {
        Context here = context_.with(stream.at("projection", projection).at("seed", seed));
        here.projection = stream.at("projection", projection);
        predict(set, *algorithm_.fit(train, parameters_, here), here);
      }
  }

  void predict(std::size_t set, const Model& model, const Context& context) {
    if (stages_.empty()) return parts_[0].add(set, scores_of(model.predict(*points_, context)));
    model.predict_staged(
        *points_, stages_,
        [&](std::size_t stage, const Predictions& predictions) {
          parts_[stage].add(set, scores_of(predictions));
        },
        context);
  }

  BiasVarianceSetting setting_;
  const DatasetSource& source_;
  const Algorithm& algorithm_;
  const Parameters& parameters_;
  const std::vector<double>& stages_;
  const Context& context_;
  Stream data_stream_;
  std::size_t projections_;
  std::unique_ptr<DatasetView> points_;
  std::vector<BiasVariance> parts_;
};

}  // namespace

std::vector<std::map<std::string, double>> decompose_error(const Plan& plan, const Fit& fit,
                                                           const std::vector<double>& stages,
                                                           const Context& context) {
  return Decomposition(plan, fit, stages, context).parts();
}

}  // namespace coppice

#include "algorithms/algorithm.h"

namespace coppice {

namespace {

/// One straight line for each output: y = intercept + slope · x[feature].
class BestLineModel : public Model {
 public:
  std::vector<std::uint32_t> features;
  std::vector<double> slopes, intercepts;

  Predictions predict(const DatasetView& rows, const Context&) const override {
    Predictions predictions = Predictions::make_dense(rows.size(), features.size());
    for (std::size_t output = 0; output < features.size(); ++output) {
      const ColumnView column = rows.dataset().features().column(features[output]);
      for (std::size_t i = 0; i < rows.size(); ++i)
        predictions.dense_row(i)[output] = intercepts[output] + slopes[output] * column.at(rows[i]);
    }
    return predictions;
  }

  void save(ModelWriter& writer) const override {
    writer.put("features", features);
    writer.put("slopes", slopes);
    writer.put("intercepts", intercepts);
  }
};

class BestLine : public Algorithm {
 public:
  BestLine() {
    description_.name = "best-line";
    description_.summary =
        "Predicts each output by a straight line in the one feature that explains it best.";
    description_.reference = "least squares in one variable";
    ParameterSpec shrinkage;
    shrinkage.name = "shrinkage";
    shrinkage.type = ParameterType::real;
    shrinkage.default_value = "0";
    shrinkage.minimum = "0";
    shrinkage.meaning = "Added to the variance of a feature: larger values give flatter lines.";
    description_.parameters = {shrinkage};
  }

  const AlgorithmDescription& description() const override { return description_; }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    const Dataset& data = train.dataset();
    const double n = static_cast<double>(train.size());
    auto model = std::make_unique<BestLineModel>();
    for (std::size_t output = 0; output < data.output_count(); ++output) {
      context.check_stop();  // long loops let the user stop them
      const auto target = [&](std::uint32_t row) {
        if (!has_labels(data.task())) return data.targets()[row][output];
        return data.labels().contains(row, static_cast<std::uint32_t>(output)) ? 1.0 : 0.0;
      };
      double mean = 0.0, best = -1.0;
      for (const std::uint32_t row : train.rows()) mean += target(row) / n;
      model->features.push_back(0), model->slopes.push_back(0.0), model->intercepts.push_back(mean);
      for (std::size_t feature = 0; feature < data.feature_count(); ++feature) {
        const ColumnView column = data.features().column(feature);
        double centre = 0.0, variance = parameters.real("shrinkage"), covariance = 0.0;
        for (const std::uint32_t row : train.rows()) centre += column.at(row) / n;
        for (const std::uint32_t row : train.rows()) {
          variance += (column.at(row) - centre) * (column.at(row) - centre) / n;
          covariance += (column.at(row) - centre) * (target(row) - mean) / n;
        }
        if (variance <= 0.0 || covariance * covariance / variance <= best) continue;
        best = covariance * covariance / variance;
        model->features.back() = static_cast<std::uint32_t>(feature);
        model->slopes.back() = covariance / variance;
        model->intercepts.back() = mean - model->slopes.back() * centre;
      }
    }
    return model;
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    auto model = std::make_unique<BestLineModel>();
    model->features = reader->vector<std::uint32_t>("features");
    model->slopes = reader->vector<double>("slopes");
    model->intercepts = reader->vector<double>("intercepts");
    return model;
  }

 private:
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_best_line() {
  return std::make_unique<BestLine>();
}

}  // namespace coppice

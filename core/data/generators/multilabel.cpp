#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"

namespace coppice {

namespace {

constexpr double most_frequent = 0.95;

/// Label frequencies that fall off as rank^-imbalance, none above `most_frequent`, with the asked sum.
std::vector<double> label_frequencies(std::size_t labels, double cardinality, double imbalance) {
  std::vector<double> weights(labels);
  for (std::size_t j = 0; j < labels; ++j) weights[j] = portable_pow(static_cast<double>(j + 1), -imbalance);
  const auto sum_at = [&](double scale) {
    double sum = 0.0;
    for (const double weight : weights) sum += std::min(most_frequent, scale * weight);
    return sum;
  };
  double low = 0.0;
  double high = 1.0;
  while (sum_at(high) < cardinality && high < 1e300) high *= 2.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (sum_at(middle) < cardinality ? low : high) = middle;
  }
  for (double& weight : weights) weight = std::min(most_frequent, high * weight);
  return weights;
}

std::vector<double> unit_vector(std::size_t size, Stream source) {
  std::vector<double> vector(size);
  double squares = 0.0;
  for (double& value : vector) {
    value = source.normal();
    squares += value * value;
  }
  for (double& value : vector) value /= std::sqrt(squares);
  return vector;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// A row has a standard normal position among latent topics. Inputs are projections of the position plus
/// noise; a label is present where the position goes far enough in the label's direction. Directions are
/// drawn around those of a few groups: the nearer, the more the labels of a group occur together.
class Multilabel : public Generator {
 public:
  Multilabel() {
    description_.name = "multilabel";
    description_.summary =
        "Label sets that follow latent topics of the inputs, with tunable size, imbalance and correlation.";
    description_.reference = "coppice; a Gaussian latent-factor model with thresholds";
    description_.task = Task::multilabel;
    auto& parameters = description_.parameters;
    parameters = size_parameters("500", "1000");
    parameters.push_back(count_parameter("features", "30", "1", "Inputs."));
    parameters.push_back(count_parameter("labels", "20", "1", "Labels."));
    parameters.push_back(count_parameter("topics", "8", "1", "Dimension of the latent space."));
    parameters.push_back(
        count_parameter("groups", "5", "1", "Groups of labels that tend to occur together."));
    ParameterSpec cardinality = real_parameter("cardinality", "3", "0", "", "Expected labels of a row.");
    cardinality.above_minimum = true;
    parameters.push_back(cardinality);
    parameters.push_back(real_parameter("imbalance", "0.5", "0", "4",
                                        "How fast label frequencies fall: rank to the power of minus this."));
    parameters.push_back(real_parameter("correlation", "0.5", "0", "1",
                                        "How close a label's direction is to that of its group: 0 unrelated, "
                                        "1 the same."));
    parameters.push_back(
        real_parameter("noise", "0.3", "0", "", "Standard deviation of the noise on the inputs."));
  }

  const GeneratorDescription& description() const override { return description_; }

  void check(const Parameters& parameters) const override {
    const double most = most_frequent * static_cast<double>(parameters.integer("labels"));
    if (parameters.real("cardinality") > most)
      throw Error(ErrorKind::config,
                  fmt::format("cardinality: {} labels a row is too many of {} labels; at most {} is possible",
                              parameters.real("cardinality"), parameters.integer("labels"), most));
  }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const std::size_t rows = row_count(parameters);
    const std::size_t topics = size_of(parameters, "topics");
    std::vector<std::vector<double>> projections;
    for (std::size_t j = 0; j < size_of(parameters, "features"); ++j)
      projections.push_back(unit_vector(topics, stream.at("projection", j)));
    const auto directions = label_directions(parameters, stream);
    const auto frequencies =
        label_frequencies(directions.size(), parameters.real("cardinality"), parameters.real("imbalance"));
    std::vector<double> thresholds;
    for (const double frequency : frequencies) thresholds.push_back(normal_quantile(1.0 - frequency));

    std::vector<std::vector<float>> columns(projections.size(), std::vector<float>(rows));
    LabelSets labels(static_cast<std::uint32_t>(directions.size()));
    std::vector<std::uint32_t> present;
    std::vector<double> position(topics);
    for (std::size_t row = 0; row < rows; ++row) {
      Stream source = stream.at("row", row);
      for (double& coordinate : position) coordinate = source.normal();
      for (std::size_t j = 0; j < columns.size(); ++j)
        columns[j][row] =
            static_cast<float>(dot(projections[j], position) + parameters.real("noise") * source.normal());
      present.clear();
      for (std::size_t j = 0; j < directions.size(); ++j)
        if (dot(directions[j], position) > thresholds[j]) present.push_back(static_cast<std::uint32_t>(j));
      labels.add_row(present);
    }
    return assemble(parameters, columns, std::move(labels));
  }

 private:
  /// Unit vectors; that of label j is a blend of the direction of group j mod groups and one of its own.
  static std::vector<std::vector<double>> label_directions(const Parameters& parameters,
                                                           const Stream& stream) {
    const std::size_t topics = size_of(parameters, "topics");
    const double shared = std::sqrt(parameters.real("correlation"));
    const double own = std::sqrt(1.0 - parameters.real("correlation"));
    std::vector<std::vector<double>> directions;
    for (std::size_t j = 0; j < size_of(parameters, "labels"); ++j) {
      std::vector<double> direction = unit_vector(topics, stream.at("label", j));
      const auto group = unit_vector(topics, stream.at("group", j % size_of(parameters, "groups")));
      for (std::size_t k = 0; k < topics; ++k) direction[k] = shared * group[k] + own * direction[k];
      const double length = std::sqrt(dot(direction, direction));
      // With one topic the two may cancel out; the group's direction then stands for both.
      for (std::size_t k = 0; k < topics; ++k)
        direction[k] = length > 1e-9 ? direction[k] / length : group[k];
      directions.push_back(std::move(direction));
    }
    return directions;
  }

  Dataset assemble(const Parameters& parameters, const std::vector<std::vector<float>>& columns,
                   LabelSets labels) const {
    Features features(row_count(parameters));
    features.reserve_dense(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
      features.add_dense(fmt::format("x{}", j + 1), columns[j]);
    DatasetExtras extras;
    for (std::uint32_t j = 0; j < labels.label_count(); ++j)
      extras.output_names.push_back(fmt::format("label{}", j + 1));
    extras.given_split = given_split(parameters);
    return {description_.name, Task::multilabel, std::move(features), std::move(labels), std::move(extras)};
  }

  GeneratorDescription description_;
};

}  // namespace

std::unique_ptr<Generator> make_multilabel() {
  return std::make_unique<Multilabel>();
}

}  // namespace coppice

#include <numbers>

#include <fmt/format.h>

#include "core/base/portable_math.h"
#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"

namespace coppice {

namespace {

constexpr std::size_t function_inputs = 5;

/// Thesis eq. 6.35.
double friedman_function(std::span<const float> x) {
  const auto at = [&](std::size_t i) { return static_cast<double>(x[i]); };
  return 10.0 * portable_sin(std::numbers::pi * at(0) * at(1)) + 20.0 * (at(2) - 0.5) * (at(2) - 0.5) +
         10.0 * at(3) + 5.0 * at(4);
}

ParameterSpec inputs_parameter() {
  ParameterSpec spec;
  spec.name = "inputs";
  spec.type = ParameterType::choice;
  spec.default_value = "uniform";
  spec.choices = {"uniform", "normal"};
  spec.meaning =
      "Distribution of the inputs: uniform on [0, 1) as in Friedman 1991, or standard normal as the text of "
      "the thesis says; its Table 6.1 can only come from uniform inputs.";
  return spec;
}

ParameterSpec noise_parameter() {
  return real_parameter("noise", "1", "0", "", "Standard deviation of the normal noise on every output.");
}

/// Inputs row by row; every row has a stream of its own, so that a larger sample begins with a smaller one.
std::vector<float> draw_inputs(std::size_t rows, std::size_t features, const Parameters& parameters,
                               const Stream& stream) {
  const bool normal = parameters.word("inputs") == "normal";
  std::vector<float> values(rows * features);
  for (std::size_t row = 0; row < rows; ++row) {
    Stream source = stream.at("inputs", row);
    for (std::size_t j = 0; j < features; ++j)
      values[row * features + j] = static_cast<float>(normal ? source.normal() : source.uniform());
  }
  return values;
}

Features columns_of(std::size_t rows, std::size_t features, const std::vector<float>& values) {
  Features columns(rows);
  columns.reserve_dense(features);
  std::vector<float> column(rows);
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t row = 0; row < rows; ++row) column[row] = values[row * features + j];
    columns.add_dense(fmt::format("x{}", j + 1), column);
  }
  return columns;
}

class Friedman1 : public Generator {
 public:
  Friedman1() {
    description_.name = "friedman1";
    description_.summary =
        "One output that is a smooth function of five inputs plus normal noise; the other inputs are noise.";
    description_.reference =
        "Friedman 1991; thesis A.1 (which prints 6x5 where Friedman and eq. 6.35 have 5x5)";
    description_.task = Task::regression;
    description_.parameters = size_parameters("300", "2000");
    description_.parameters.push_back(
        count_parameter("features", "10", "5", "Inputs; those beyond the fifth have no influence."));
    description_.parameters.push_back(noise_parameter());
    description_.parameters.push_back(inputs_parameter());
  }

  const GeneratorDescription& description() const override { return description_; }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const std::size_t rows = row_count(parameters);
    const std::size_t features = size_of(parameters, "features");
    const std::vector<float> inputs = draw_inputs(rows, features, parameters, stream);
    std::vector<double> targets(rows);
    for (std::size_t row = 0; row < rows; ++row)
      targets[row] = friedman_function(std::span(inputs).subspan(row * features, function_inputs)) +
                     parameters.real("noise") * stream.at("noise", row).normal();
    return {description_.name,
            columns_of(rows, features, inputs),
            RealTargets(1, std::move(targets)),
            {{"y1"}, given_split(parameters), {}}};
  }

 private:
  GeneratorDescription description_;
};

/// How the outputs of a multi-output friedman1 problem hang together.
enum class Structure { chain, group, independent };

class MultiFriedman : public Generator {
 public:
  MultiFriedman(Structure structure, const std::string& name, const std::string& summary,
                const std::string& equation)
      : structure_(structure) {
    description_.name = name;
    description_.summary = summary;
    description_.reference = "thesis 6.3.2.1, " + equation;
    description_.task = Task::regression;
    description_.parameters = size_parameters("300", "4000");
    description_.parameters.push_back(
        count_parameter("targets", "16", "1", "Outputs that depend on the inputs."));
    description_.parameters.push_back(count_parameter("noise_outputs", "0", "0",
                                                      "Further outputs without any link to the inputs: "
                                                      "random permutations of the others (thesis 6.3.2.3)."));
    description_.parameters.push_back(noise_parameter());
    description_.parameters.push_back(inputs_parameter());
  }

  const GeneratorDescription& description() const override { return description_; }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const std::size_t rows = row_count(parameters);
    const std::size_t targets = size_of(parameters, "targets");
    const std::size_t outputs = targets + size_of(parameters, "noise_outputs");
    const std::size_t features =
        structure_ == Structure::independent ? function_inputs * targets : function_inputs;
    const std::vector<float> inputs = draw_inputs(rows, features, parameters, stream);
    std::vector<double> values(rows * outputs);
    for (std::size_t row = 0; row < rows; ++row)
      fill_row(std::span(inputs).subspan(row * features, features), parameters.real("noise"),
               stream.at("noise", row), std::span(values).subspan(row * outputs, targets));
    add_noise_outputs(values, rows, targets, outputs, stream);
    DatasetExtras extras;
    for (std::size_t j = 0; j < outputs; ++j)
      extras.output_names.push_back(j < targets ? fmt::format("y{}", j + 1)
                                                : fmt::format("noise{}", j - targets + 1));
    extras.given_split = given_split(parameters);
    return {description_.name, columns_of(rows, features, inputs), RealTargets(outputs, std::move(values)),
            std::move(extras)};
  }

 private:
  void fill_row(std::span<const float> inputs, double noise, Stream source, std::span<double> targets) const {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const double start =
          structure_ == Structure::chain && j > 0
              ? targets[j - 1]
              : friedman_function(inputs.subspan(
                    structure_ == Structure::independent ? function_inputs * j : 0, function_inputs));
      targets[j] = start + noise * source.normal();
    }
  }

  /// Output targets + j holds the values of output j (counted round the originals) in another order of rows.
  static void add_noise_outputs(std::vector<double>& values, std::size_t rows, std::size_t targets,
                                std::size_t outputs, const Stream& stream) {
    Rows order(rows);
    for (std::size_t j = targets; j < outputs; ++j) {
      std::iota(order.begin(), order.end(), 0U);
      Stream source = stream.at("permutation", j - targets);
      source.shuffle(std::span(order));
      const std::size_t original = (j - targets) % targets;
      for (std::size_t row = 0; row < rows; ++row)
        values[row * outputs + j] = values[order[row] * outputs + original];
    }
  }

  Structure structure_;
  GeneratorDescription description_;
};

}  // namespace

std::unique_ptr<Generator> make_friedman1() {
  return std::make_unique<Friedman1>();
}

std::unique_ptr<Generator> make_friedman1_chain() {
  return std::make_unique<MultiFriedman>(
      Structure::chain, "friedman1-chain",
      "Outputs that form a chain: each is the one before plus fresh normal noise.", "eq. 6.36 and 6.37");
}

std::unique_ptr<Generator> make_friedman1_group() {
  return std::make_unique<MultiFriedman>(
      Structure::group, "friedman1-group",
      "Outputs that are one function of the inputs, each with normal noise of its own.", "eq. 6.38");
}

std::unique_ptr<Generator> make_friedman1_independent() {
  return std::make_unique<MultiFriedman>(
      Structure::independent, "friedman1-ind",
      "Independent outputs: each is a function of five inputs of its own plus normal noise.", "eq. 6.39");
}

}  // namespace coppice

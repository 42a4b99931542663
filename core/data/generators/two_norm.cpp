#include <cmath>

#include <fmt/format.h>

#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"

namespace coppice {

namespace {

class TwoNorm : public Generator {
 public:
  TwoNorm() {
    description_.name = "two-norm";
    description_.summary =
        "Two classes of equal probability, each a spherical normal cloud; the clouds are 4 apart.";
    description_.reference = "Breiman 1996, Bias, variance, and arcing classifiers; thesis A.1";
    description_.task = Task::multiclass;
    description_.parameters = size_parameters("300", "2000");
    description_.parameters.push_back(
        count_parameter("features", "20", "1", "Inputs; the classes are at ±2/√features in each."));
  }

  const GeneratorDescription& description() const override { return description_; }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const std::size_t rows = row_count(parameters);
    const std::size_t features = size_of(parameters, "features");
    const double offset = 2.0 / std::sqrt(static_cast<double>(features));
    std::vector<std::vector<float>> columns(features, std::vector<float>(rows));
    LabelSets classes(2);
    classes.reserve(rows, rows);
    for (std::size_t row = 0; row < rows; ++row) {
      Stream source = stream.at("row", row);
      const auto label = static_cast<std::uint32_t>(source.below(2));
      classes.add_row(std::span(&label, 1));
      for (std::vector<float>& column : columns)
        column[row] = static_cast<float>(source.normal() + (label == 1 ? offset : -offset));
    }
    Features inputs(rows);
    inputs.reserve_dense(features);
    for (std::size_t j = 0; j < features; ++j) inputs.add_dense(fmt::format("x{}", j + 1), columns[j]);
    return {description_.name,
            Task::multiclass,
            std::move(inputs),
            std::move(classes),
            {{"0", "1"}, given_split(parameters), {}}};
  }

 private:
  GeneratorDescription description_;
};

}  // namespace

std::unique_ptr<Generator> make_two_norm() {
  return std::make_unique<TwoNorm>();
}

}  // namespace coppice

#include <cmath>

#include <fmt/format.h>

#include "core/base/portable_math.h"
#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"
#include "core/data/layout.h"

namespace coppice {

namespace {

class SparseRegression : public Generator {
 public:
  SparseRegression() {
    description_.name = "sparse-regression";
    description_.summary =
        "Sparse random inputs with normal non-zero values and an output that is uniform on [0, 1) whatever "
        "the "
        "inputs: a task to measure time on, not to learn from.";
    description_.reference = "thesis 8.3.1";
    description_.task = Task::regression;
    description_.parameters = size_parameters("100000", "10000");
    description_.parameters.push_back(count_parameter("features", "1000", "1", "Inputs."));
    ParameterSpec density =
        real_parameter("density", "0.01", "0", "1", "Probability that an input is not zero.");
    density.above_minimum = true;
    description_.parameters.push_back(density);
  }

  const GeneratorDescription& description() const override { return description_; }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const std::size_t rows = row_count(parameters);
    const double density = parameters.real("density");
    Features inputs(rows);
    Rows present;
    std::vector<float> values;
    for (std::size_t j = 0; j < size_of(parameters, "features"); ++j) {
      Stream source = stream.at("column", j);
      draw_rows(rows, density, source, present);
      values.resize(present.size());
      for (float& value : values) value = static_cast<float>(source.normal());
      add_column(inputs, fmt::format("x{}", j + 1), present, values);
    }
    std::vector<double> targets(rows);
    Stream source = stream.at("targets");
    for (double& target : targets) target = source.uniform();
    return {description_.name,
            std::move(inputs),
            RealTargets(1, std::move(targets)),
            {{"y1"}, given_split(parameters), {}}};
  }

 private:
  /// The rows where a column is not zero: the gaps between them are geometric, so that the work is
  /// proportional to what is drawn.
  static void draw_rows(std::size_t rows, double density, Stream& source, Rows& present) {
    present.clear();
    const double scale = density < 1.0 ? 1.0 / portable_log(1.0 - density) : 0.0;
    for (double row = std::floor(portable_log(1.0 - source.uniform()) * scale);
         row < static_cast<double>(rows);
         row += 1.0 + std::floor(portable_log(1.0 - source.uniform()) * scale))
      present.push_back(static_cast<std::uint32_t>(row));
  }

  GeneratorDescription description_;
};

}  // namespace

std::unique_ptr<Generator> make_sparse_regression() {
  return std::make_unique<SparseRegression>();
}

}  // namespace coppice

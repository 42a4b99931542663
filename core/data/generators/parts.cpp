#include "core/data/generators/parts.h"

#include <numeric>

namespace coppice {

std::vector<ParameterSpec> size_parameters(const std::string& train, const std::string& test) {
  ParameterSpec seed = count_parameter("seed", "none", "0",
                                       "Draws the same data in every repeat and every experiment; none: "
                                       "every repeat draws its own.");
  seed.optional = true;
  return {count_parameter("train", train, "1", "Training rows of the given split."),
          count_parameter("test", test, "0", "Test rows of the given split; 0: no given split."), seed};
}

ParameterSpec count_parameter(const std::string& name, const std::string& default_value,
                              const std::string& minimum, const std::string& meaning) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = ParameterType::integer;
  spec.default_value = default_value;
  spec.minimum = minimum;
  spec.meaning = meaning;
  return spec;
}

ParameterSpec real_parameter(const std::string& name, const std::string& default_value,
                             const std::string& minimum, const std::string& maximum,
                             const std::string& meaning) {
  ParameterSpec spec = count_parameter(name, default_value, minimum, meaning);
  spec.type = ParameterType::real;
  spec.maximum = maximum;
  return spec;
}

std::size_t size_of(const Parameters& parameters, const std::string& name) {
  return static_cast<std::size_t>(parameters.integer(name));
}

std::size_t row_count(const Parameters& parameters) {
  return size_of(parameters, "train") + size_of(parameters, "test");
}

std::optional<Split> given_split(const Parameters& parameters) {
  if (parameters.integer("test") == 0) return std::nullopt;
  Split split{Rows(size_of(parameters, "train")), Rows(size_of(parameters, "test"))};
  std::iota(split.train.begin(), split.train.end(), 0U);
  std::iota(split.test.begin(), split.test.end(), static_cast<std::uint32_t>(split.train.size()));
  return split;
}

}  // namespace coppice

#include "core/projections/projection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/portable_math.h"
#include "core/parameters/declare.h"
#include "core/projections/hadamard.h"
#include "core/projections/principal_components.h"
#include "core/projections/random_coefficients.h"
#include "core/projections/selected_outputs.h"

namespace coppice {

namespace {

constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

/// A kind that is told by functions.
class Kind : public ProjectionKind {
 public:
  using Make =
      std::function<std::unique_ptr<Projection>(const ProjectionSetting&, const Stream&, const Context&)>;
  using Largest = std::function<std::size_t(const ProjectionSetting&)>;

  Kind(ProjectionDescription description, Make make, Largest largest)
      : description_(std::move(description)), make_(std::move(make)), largest_(std::move(largest)) {}

  const ProjectionDescription& description() const override { return description_; }

  std::unique_ptr<Projection> make(const ProjectionSetting& setting, const Stream& stream,
                                   const Context& context) const override {
    if (const std::string why = problem(setting); !why.empty()) throw Error(ErrorKind::config, why);
    return make_(setting, stream, context);
  }

  std::string problem(const ProjectionSetting& setting) const override {
    const std::string& name = description_.name;
    if (setting.size < 1) return fmt::format("size: {} projects onto at least 1 component", name);
    if (name == "identity" && setting.size != setting.outputs)
      return fmt::format("size: identity keeps all {} outputs, not {}; leave size out or write size: d",
                         setting.outputs, setting.size);
    if (const std::size_t largest = largest_(setting); setting.size > largest)
      return fmt::format("size: {} gives at most {} components of {} outputs ({}), not {}", name, largest,
                         setting.outputs, description_.largest_size, setting.size);
    if (!(setting.sparsity >= 1.0)) return "sparsity: expected a number that is at least 1";
    return "";
  }

 private:
  ProjectionDescription description_;
  Make make_;
  Largest largest_;
};

std::size_t any_size(const ProjectionSetting& /*setting*/) {
  return unlimited;
}

std::vector<std::unique_ptr<ProjectionKind>> all_kinds() {
  std::vector<std::unique_ptr<ProjectionKind>> kinds;
  const auto add = [&](ProjectionDescription description, Kind::Make make, Kind::Largest largest = any_size) {
    kinds.push_back(std::make_unique<Kind>(std::move(description), std::move(make), std::move(largest)));
  };
  const auto drawn = [](std::unique_ptr<Projection> (*make)(const ProjectionSetting&, const Stream&)) {
    return [make](const ProjectionSetting& setting, const Stream& stream, const Context&) {
      return make(setting, stream);
    };
  };
  const auto rademacher = [](double sparsity) {
    return [sparsity](ProjectionSetting setting, const Stream& stream, const Context&) {
      setting.sparsity = sparsity;
      return rademacher_projection(setting, stream);
    };
  };
  add({.name = "gaussian",
       .summary = "Independent coefficients from N(0, 1/q).",
       .reference = "thesis 2.6.2"},
      drawn(gaussian_projection));
  add({.name = "rademacher",
       .summary = "Independent coefficients +sqrt(1/q) or -sqrt(1/q).",
       .reference = "thesis 2.6.2"},
      rademacher(1.0));
  add({.name = "achlioptas",
       .summary = "sparse-rademacher with s = 3: a third of the coefficients are not zero.",
       .reference = "thesis 2.6.2; Achlioptas 2003"},
      rademacher(3.0));
  add({.name = "sparse-rademacher",
       .summary = "Independent coefficients ±sqrt(s/q), each with probability 1/(2s), else 0.",
       .reference = "thesis 2.6.2; Li et al. 2006",
       .parameter = "sparsity"},
      drawn(rademacher_projection));
  add({.name = "hadamard",
       .summary = "Rows of a Hadamard matrix, drawn without replacement.",
       .reference = "Joly et al. 2014, 4.5",
       .largest_size = "the first power of two that is not below d"},
      drawn(hadamard_projection),
      [](const ProjectionSetting& setting) { return std::bit_ceil(setting.outputs); });
  add({.name = "subsample",
       .summary = "Some of the outputs, drawn with or without replacement, times sqrt(d/q).",
       .reference = "thesis 2.6.2; Ho 1998",
       .largest_size = "d without replacement",
       .parameter = "replacement"},
      drawn(subsample_projection),
      [](const ProjectionSetting& setting) { return setting.replacement ? unlimited : setting.outputs; });
  add(
      {.name = "pca",
       .summary = "The first principal components of the training outputs; the same for every tree.",
       .reference = "thesis 2.6.1",
       .random = false,
       .learns = true,
       .largest_size = "d"},
      [](const ProjectionSetting& setting, const Stream&, const Context& context) {
        return principal_components(setting, context);
      },
      [](const ProjectionSetting& setting) { return setting.outputs; });
  add({.name = "hashing",
       .summary = "Each output goes, with a random sign, to one random component.",
       .reference = "Siblini et al. 2018, 3.1"},
      drawn(hashing_projection));
  add({.name = "identity", .summary = "The outputs as they are.", .reference = "", .random = false},
      [](const ProjectionSetting& setting, const Stream&, const Context&) {
        return identity_projection(setting);
      });
  return kinds;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& kind : projection_kinds()) all.push_back(kind->description().name);
  return all;
}

}  // namespace

const std::vector<std::unique_ptr<ProjectionKind>>& projection_kinds() {
  static const std::vector<std::unique_ptr<ProjectionKind>> kinds = all_kinds();
  return kinds;
}

void Projection::multiples(std::uint32_t first, std::span<std::int32_t> values) const {
  std::fill(values.begin(), values.end(), 0);
  ProjectionColumn one;
  for (std::size_t begin = 0; begin < values.size(); begin += size_, ++first) {
    column(first, one);
    for (std::size_t i = 0; i < one.values.size(); ++i)
      values[begin + (one.dense ? i : one.components[i])] =
          static_cast<std::int32_t>(std::lround(one.values[i] / unit()));
  }
}

const ProjectionKind& projection_kind(const std::string& name) {
  for (const auto& kind : projection_kinds())
    if (kind->description().name == name) return *kind;
  throw Error(ErrorKind::usage, fmt::format("no projection '{}'{}; coppice list projections shows them", name,
                                            did_you_mean(name, names())));
}

std::vector<ParameterSpec> projection_parameters() {
  ParameterSpec projection =
      choice_parameter("projection", names(),
                       "How outputs are projected; `coppice list projections` says more.", "thesis 2.6.2");
  projection.symbol = "Φ";
  ParameterSpec size = number_parameter(
      "size", ParameterType::integer, "none", "1",
      "Number of components, rounded to the nearest; none: ln(d), or all d outputs for identity.", "q",
      "thesis 5.1");
  size.nearest = true;
  return {
      projection, size,
      number_parameter("sparsity", ParameterType::real, "sqrt(d)", "1",
                       "For sparse-rademacher: one coefficient in so many is not zero.", "s", "thesis 2.6.2"),
      switch_parameter("replacement", false, "For subsample: whether an output may be drawn more than once.",
                       "thesis 2.6.2")};
}

ProjectionSetting projection_setting(const Parameters& parameters, std::size_t outputs) {
  ProjectionSetting setting;
  setting.outputs = outputs;
  setting.sparsity = parameters.real("sparsity");
  setting.replacement = parameters.boolean("replacement");
  if (const auto size = parameters.optional_integer("size"))
    setting.size = static_cast<std::size_t>(*size);
  else if (parameters.word("projection") == "identity")
    setting.size = outputs;
  else
    setting.size = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(portable_log(static_cast<double>(outputs)))));
  return setting;
}

}  // namespace coppice

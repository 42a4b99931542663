#include "algorithms/forest/forest_parameters.h"

namespace coppice {

namespace {

/// A number with a least value; a default of `none` makes it optional.
ParameterSpec number(const std::string& name, ParameterType type, const std::string& fallback,
                     const std::string& minimum, const std::string& meaning, const std::string& symbol,
                     const std::string& reference) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = type;
  spec.default_value = fallback;
  spec.minimum = minimum;
  spec.optional = fallback == "none";
  spec.meaning = meaning;
  spec.symbol = symbol;
  spec.reference = reference;
  return spec;
}

/// One of some words, the first by default.
ParameterSpec choice(const std::string& name, const std::vector<std::string>& choices,
                     const std::string& meaning, const std::string& reference) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = ParameterType::choice;
  spec.default_value = choices.front();
  spec.choices = choices;
  spec.meaning = meaning;
  spec.reference = reference;
  return spec;
}

ParameterSpec features_spec(const ForestKind& kind) {
  const std::string all = "p";
  ParameterSpec spec =
      number("features", ParameterType::integer, kind.features, "1",
             "Number of non-constant features looked at in each node, drawn without replacement.", "k",
             "thesis 4.2.3");
  spec.regression_default = kind.regression_features;
  spec.maximum = all;
  return spec;
}

ParameterSpec bootstrap_spec(const ForestKind& kind) {
  ParameterSpec spec;
  spec.name = "bootstrap";
  spec.type = ParameterType::boolean;
  spec.default_value = kind.bootstrap ? "true" : "false";
  spec.meaning = "Whether each tree sees as many rows drawn with replacement, instead of all rows.";
  spec.reference = "thesis 4.2.3";
  return spec;
}

}  // namespace

std::vector<ParameterSpec> forest_parameters(const ForestKind& kind) {
  constexpr auto integer = ParameterType::integer;
  std::vector<ParameterSpec> specs;
  if (kind.ensemble) {
    specs.push_back(number("trees", integer, "100", "1", "Number of trees.", "M", "thesis 4.2"));
    specs.back().staged = true;
  }
  specs.push_back(features_spec(kind));
  specs.push_back(number("min_samples_split", integer, "2", "2",
                         "Nodes with fewer training rows become leaves. A row counts once, however often a "
                         "bootstrap sample has it.",
                         "n_min", "thesis 3.2.3"));
  specs.back().regression_default = kind.regression_min_samples_split;
  specs.push_back(number("min_samples_leaf", integer, "1", "1",
                         "Splits that leave fewer rows on a side are not made.", "", "thesis 3.2.3"));
  specs.push_back(number("max_depth", integer, "none", "0", "Deepest level of a tree; the root is level 0.",
                         "", "thesis 3.2.3"));
  specs.push_back(number("max_leaves", integer, "none", "1",
                         "Most leaves of a tree, which then grows where the impurity decreases most.", "",
                         "thesis 3.2.3"));
  specs.push_back(
      number("min_impurity_decrease", ParameterType::real, "0", "0",
             "Least decrease of the impurity, summed over outputs and weighted by the share of rows "
             "in the node, for which a split is made.",
             "", "thesis 3.2.3, (3.9)"));
  if (kind.ensemble) specs.push_back(bootstrap_spec(kind));
  specs.push_back(
      choice("impurity", {"variance", "gini", "entropy"},
             "Impurity to decrease. On labels the variance is the Gini index; regression knows the "
             "variance only.",
             "thesis 3.2.1, 3.5"));
  specs.push_back(choice("outputs", {"joint", "separate"},
                         "One forest for all outputs, or one for each (binary relevance).",
                         "thesis 2.4.3, 3.5"));
  return specs;
}

GrowthOptions growth_options(const ForestKind& kind, const Parameters& parameters) {
  GrowthOptions options;
  options.rule = kind.rule;
  options.features = static_cast<std::uint32_t>(parameters.integer("features"));
  options.min_samples_split = static_cast<std::uint64_t>(parameters.integer("min_samples_split"));
  options.min_samples_leaf = static_cast<std::uint64_t>(parameters.integer("min_samples_leaf"));
  if (const auto depth = parameters.optional_integer("max_depth"))
    options.max_depth = static_cast<std::uint64_t>(*depth);
  if (const auto leaves = parameters.optional_integer("max_leaves"))
    options.max_leaves = static_cast<std::uint64_t>(*leaves);
  options.min_impurity_decrease = parameters.real("min_impurity_decrease");
  return options;
}

}  // namespace coppice

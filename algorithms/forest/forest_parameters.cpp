#include "algorithms/forest/forest_parameters.h"

#include "core/parameters/declare.h"

namespace coppice {

namespace {

ParameterSpec features_spec(const ForestKind& kind) {
  const std::string all = "p";
  ParameterSpec spec =
      number_parameter("features", ParameterType::integer, kind.features, "1",
                       "Number of non-constant features looked at in each node, drawn without replacement.",
                       "k", "thesis 4.2.3");
  spec.regression_default = kind.regression_features;
  spec.maximum = all;
  return spec;
}

void add_ensemble(const ForestKind& kind, std::vector<ParameterSpec>& specs) {
  specs.push_back(switch_parameter(
      "bootstrap", kind.bootstrap,
      "Whether each tree sees as many rows drawn with replacement, instead of all rows.", "thesis 4.2.3"));
  specs.push_back(
      switch_parameter("oob", false,
                       "Whether to score each training row by the trees that have not seen it, as facts of "
                       "the model; needs bootstrap.",
                       "Breiman 2001, 3.1"));
  specs.push_back(
      switch_parameter("permutation", false,
                       "Whether to measure the importance of features by how much the squared error on the "
                       "rows a tree has not seen grows when their values are shuffled; needs bootstrap.",
                       "Breiman 2001, 10"));
}

void add_pruning(std::vector<ParameterSpec>& specs) {
  specs.push_back(choice_parameter(
      "pruning", {"none", "cost-complexity", "reduced-error"},
      "How the grown tree is cut back. Reduced-error pruning grows it on the rows that are not held back.",
      "thesis 3.3"));
  specs.push_back(number_parameter("alpha", ParameterType::real, "none", "0",
                                   "Decrease of the impurity, summed over outputs, that cost-complexity "
                                   "pruning asks of each leaf; none: the "
                                   "one that is best on the rows held back.",
                                   "alpha", "thesis 3.3, (3.21)"));
  specs.push_back(number_parameter("validation", ParameterType::real, "0.25", "0",
                                   "Share of the training rows held back to prune by.", "", "thesis 3.3"));
  specs.back().above_minimum = true;
  specs.back().maximum = "0.9";
}

}  // namespace

std::vector<ParameterSpec> forest_parameters(const ForestKind& kind) {
  constexpr auto integer = ParameterType::integer;
  std::vector<ParameterSpec> specs;
  if (kind.ensemble) {
    specs.push_back(number_parameter("trees", integer, "100", "1", "Number of trees.", "M", "thesis 4.2"));
    specs.back().staged = true;
  }
  specs.push_back(features_spec(kind));
  specs.push_back(
      number_parameter("min_samples_split", integer, "2", "2",
                       "Nodes with fewer training rows become leaves. A row counts once, however often a "
                       "bootstrap sample has it.",
                       "n_min", "thesis 3.2.3"));
  specs.back().regression_default = kind.regression_min_samples_split;
  specs.push_back(number_parameter("min_samples_leaf", integer, "1", "1",
                                   "Splits that leave fewer rows on a side are not made.", "",
                                   "thesis 3.2.3"));
  specs.push_back(number_parameter("max_depth", integer, "none", "0",
                                   "Deepest level of a tree; the root is level 0.", "", "thesis 3.2.3"));
  specs.push_back(number_parameter(
      "max_leaves", integer, "none", "1",
      "Most leaves of a tree, which then grows where the impurity decreases most.", "", "thesis 3.2.3"));
  specs.push_back(number_parameter(
      "min_impurity_decrease", ParameterType::real, "0", "0",
      "Least decrease of the impurity, summed over outputs and weighted by the share of rows "
      "in the node, for which a split is made.",
      "", "thesis 3.2.3, (3.9)"));
  if (kind.ensemble)
    add_ensemble(kind, specs);
  else
    add_pruning(specs);
  specs.push_back(
      choice_parameter("impurity", {"variance", "gini", "entropy"},
                       "Impurity to decrease. On labels the variance is the Gini index; regression knows the "
                       "variance only.",
                       "thesis 3.2.1, 3.5"));
  specs.push_back(choice_parameter("outputs", {"joint", "separate"},
                                   "One forest for all outputs, or one for each (binary relevance).",
                                   "thesis 2.4.3, 3.5"));
  specs.push_back(
      choice_parameter("missing", {"refuse", "learn"},
                       "Whether missing inputs are an error, or go to the side of each split where "
                       "they decrease the impurity most.",
                       "Chen and Guestrin 2016, 3.4"));
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

Pruning pruning_of(const ForestKind& kind, const Parameters& parameters) {
  Pruning pruning;
  if (kind.ensemble) return pruning;
  const std::string& word = parameters.word("pruning");
  if (word == "cost-complexity") pruning.kind = Pruning::Kind::cost_complexity;
  if (word == "reduced-error") pruning.kind = Pruning::Kind::reduced_error;
  pruning.alpha = parameters.optional_real("alpha");
  pruning.validation = parameters.real("validation");
  return pruning;
}

}  // namespace coppice

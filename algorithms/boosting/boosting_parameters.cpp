#include "algorithms/boosting/boosting_parameters.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/parameters/declare.h"
#include "core/projections/adaptive_projection.h"

namespace coppice {

namespace {

constexpr auto integer = ParameterType::integer;
constexpr auto real = ParameterType::real;
const std::string all_features = "p";

ParameterSpec above(ParameterSpec spec, const std::string& maximum = "") {
  spec.above_minimum = true;
  spec.maximum = maximum;
  return spec;
}

void add_steps(std::vector<ParameterSpec>& specs) {
  specs.push_back(number_parameter("iterations", integer, "100", "1",
                                   "Number of boosting steps; with separate outputs one weak model for each "
                                   "output in every step.",
                                   "M", "thesis 4.3.2"));
  specs.back().staged = true;
  specs.push_back(above(number_parameter("learning_rate", real, "0.1", "0",
                                         "By how much every step is shortened.", "μ", "thesis 4.3.2, 6.2.2"),
                        "1"));
  specs.push_back(choice_parameter("loss", loss_names(),
                                   "What is minimised; `coppice list losses` says more. Must be one for the "
                                   "task: labels or real outputs.",
                                   "thesis 6.2.1, Table 4.1"));
  specs.back().default_value = "logistic";
  specs.back().regression_default = "square";
  specs.push_back(above(number_parameter("huber_delta", real, "1", "0",
                                         "For the Huber loss: where it bends, in standard deviations of each "
                                         "output.",
                                         "δ", "Friedman 2001, 4.4")));
}

void add_weak(std::vector<ParameterSpec>& specs) {
  specs.push_back(choice_parameter("weak", {"decision-tree", "ridge"},
                                   "The weak model: a small tree, or a linear one.", "thesis 6.4"));
  ParameterSpec leaves =
      number_parameter("max_leaves", integer, "8", "1",
                       "Most leaves of a tree, which grows where the impurity decreases most; none: any.", "",
                       "thesis 6.3.1.2");
  leaves.optional = true;
  specs.push_back(leaves);
  specs.push_back(number_parameter("features", integer, "p", "1",
                                   "Number of non-constant features looked at in each node, drawn without "
                                   "replacement.",
                                   "k", "thesis 6.3.1.2"));
  specs.back().maximum = all_features;
  specs.push_back(number_parameter("max_depth", integer, "none", "0",
                                   "Deepest level of a tree; the root is level 0.", "", "thesis 3.2.3"));
  specs.push_back(number_parameter("min_samples_leaf", integer, "1", "1",
                                   "Splits that leave fewer rows on a side are not made.", "",
                                   "thesis 3.2.3"));
  specs.push_back(above(number_parameter("penalty", real, "1", "0",
                                         "For ridge: what the sum of squared coefficients is multiplied by.",
                                         "λ", "thesis 2.2.2")));
  specs.push_back(above(number_parameter("subsample_rows", real, "1", "0",
                                         "Share of the rows that each tree is grown and labelled on, drawn "
                                         "without replacement; steps look at all rows.",
                                         "", "Friedman 2002; thesis 4.3.2"),
                        "1"));
}

void add_stopping(std::vector<ParameterSpec>& specs) {
  specs.push_back(number_parameter("early_stopping", integer, "none", "1",
                                   "Ends after so many steps in which the loss on rows held back has not "
                                   "become less, and keeps the steps up to the best.",
                                   "", "thesis 6.3.1.2"));
  specs.push_back(above(
      number_parameter("validation", real, "0.2", "0",
                       "For early_stopping: share of the training rows held back.", "", "thesis 6.3.1.2"),
      "0.9"));
}

void add_projection(std::vector<ParameterSpec>& specs) {
  std::vector<ParameterSpec> projection = projection_parameters();
  for (const AdaptiveProjectionDescription& kind : adaptive_projections())
    projection[0].choices.push_back(kind.name);
  projection[0].meaning =
      "How gradients are projected, anew in each step; `coppice list projections` says more.";
  projection[0].reference = "thesis 6.2.2, 6.2.3";
  projection[1] = number_parameter("size", integer, "1", "1",
                                   "Number of components, rounded to the nearest; above 1 only with relabel.",
                                   "q", "thesis 6.2.3.3");
  projection[1].nearest = true;
  specs.insert(specs.end(), projection.begin(), projection.end());
  specs.push_back(switch_parameter("relabel", false,
                                   "Whether leaves are labelled with the gradients of all outputs "
                                   "(Algorithm 6.3) instead of one number that a vector over the outputs "
                                   "multiplies (Algorithm 6.2).",
                                   "thesis 6.2.2"));
}

}  // namespace

std::vector<ParameterSpec> boosting_parameters(const BoostingKind& kind) {
  std::vector<ParameterSpec> specs;
  add_steps(specs);
  if (kind.chooses_outputs)
    specs.push_back(choice_parameter("outputs", {"separate", "joint"},
                                     "A model for each output, fitted round robin, or one for all (gbmort).",
                                     "thesis 6.2.1, 6.3.1.2"));
  if (kind.knows_structure)
    specs.push_back(choice_parameter("structure", {"named", "chain", "group", "independent"},
                                     "How the outputs are known to hang together: chain learns the first and "
                                     "repeats it, group learns their mean and repeats it, independent learns "
                                     "each. named: as the name of the dataset ends, -chain or -group, else "
                                     "independent.",
                                     "thesis 6.3.2.1, 6.3.2.3"));
  if (kind.projects) add_projection(specs);
  add_weak(specs);
  add_stopping(specs);
  return specs;
}

std::optional<ParameterProblem> boosting_problem(const BoostingKind& kind, const Parameters& parameters,
                                                 std::size_t outputs) {
  const bool ridge = parameters.word("weak") == "ridge";
  if (ridge && parameters.real("subsample_rows") < 1.0)
    return ParameterProblem{"subsample_rows", "ridge is fitted to all rows; leave subsample_rows out"};
  if (!kind.projects) return std::nullopt;
  const bool relabel = parameters.boolean("relabel");
  if (ridge && relabel)
    return ParameterProblem{"relabel", "a linear model has no leaves to relabel; use weak: decision-tree"};
  if (!relabel && parameters.integer("size") > 1)
    return ParameterProblem{
        "size", fmt::format("without relabel a weak model is fitted to one component, not {}; set relabel: "
                            "true or size: 1",
                            parameters.integer("size"))};
  const std::string& projection = parameters.word("projection");
  const ProjectionSetting setting = projection_setting(parameters, outputs);
  const std::string problem = is_adaptive_projection(projection)
                                  ? adaptive_projection_problem(projection, setting)
                                  : projection_kind(projection).problem(setting);
  if (!problem.empty()) return ParameterProblem{"size", problem};
  return std::nullopt;
}

BoostingOptions boosting_options(const BoostingKind& kind, const Parameters& parameters,
                                 const Dataset& dataset) {
  BoostingOptions options;
  options.loss = &find_loss(parameters.word("loss"));
  if (!options.loss->description().fits(dataset.task()))
    throw Error(
        ErrorKind::fit,
        fmt::format("{}: loss {} is for {}, and dataset '{}' has {}; use loss: {}", kind.name,
                    parameters.word("loss"), options.loss->description().labels ? "labels" : "real outputs",
                    dataset.name(), has_labels(dataset.task()) ? "labels" : "real outputs",
                    has_labels(dataset.task()) ? "logistic, square, exponential or hinge"
                                               : "square, absolute or huber"));
  options.ridge = parameters.word("weak") == "ridge";
  const bool joint = kind.joint || (kind.chooses_outputs && parameters.word("outputs") == "joint");
  // One by one or all at once, a linear model of each output is the same.
  options.form = joint && !options.ridge ? BoostingForm::joint : BoostingForm::separate;
  if (kind.projects) {
    options.form = parameters.boolean("relabel") ? BoostingForm::joint : BoostingForm::shared;
    options.projection = parameters.word("projection");
    options.projection_setting = projection_setting(parameters, dataset.output_count());
    // All outputs as they are need no projecting.
    if (options.projection == "identity" && options.form == BoostingForm::joint) options.projection.clear();
  }
  options.iterations = static_cast<std::size_t>(parameters.integer("iterations"));
  options.learning_rate = parameters.real("learning_rate");
  options.huber_delta = parameters.real("huber_delta");
  options.penalty = parameters.real("penalty");
  options.subsample_rows = parameters.real("subsample_rows");
  if (const auto patience = parameters.optional_integer("early_stopping"))
    options.patience = static_cast<std::size_t>(*patience);
  options.validation = parameters.real("validation");
  options.growth.features = static_cast<std::uint32_t>(parameters.integer("features"));
  options.growth.min_samples_leaf = static_cast<std::uint64_t>(parameters.integer("min_samples_leaf"));
  if (const auto depth = parameters.optional_integer("max_depth"))
    options.growth.max_depth = static_cast<std::uint64_t>(*depth);
  if (const auto leaves = parameters.optional_integer("max_leaves"))
    options.growth.max_leaves = static_cast<std::uint64_t>(*leaves);
  return options;
}

}  // namespace coppice

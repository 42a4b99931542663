#include "algorithms/craftml/options.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/parameters/declare.h"

namespace coppice::craftml {

namespace {

ParameterSpec whole_number(const std::string& name, const std::string& fallback, const std::string& minimum,
                           const std::string& meaning, const std::string& symbol,
                           const std::string& reference) {
  return number_parameter(name, ParameterType::integer, fallback, minimum, meaning, symbol, reference);
}

const char* const beyond_paper = "not in the paper";

std::vector<ParameterSpec> paper_specs() {
  std::vector<ParameterSpec> specs;
  specs.push_back(whole_number("trees", "50", "1", "Number of trees.", "m_F", "paper 4.3"));
  specs.back().staged = true;
  specs.push_back(whole_number("branches", "max(10, min(16, sqrt(d)))", "2",
                               "Clusters that a node's rows are put in.", "k",
                               "paper 3.2; 10 in the authors' code"));
  specs.back().maximum = fmt::format("{}", most_branches);
  specs.push_back(whole_number("leaf_size", "10", "1", "Nodes with at most so many rows become leaves.",
                               "n_leaf", "paper 3.1, 4.3"));
  specs.push_back(whole_number("feature_dimension", "min(p, 10000)", "1",
                               "Dimension that features are projected to.", "d'_x", "paper 4.3"));
  specs.back().maximum = fmt::format("{}", most_dimensions);
  specs.push_back(whole_number("label_dimension", "min(d, 10000)", "1",
                               "Dimension that labels are projected to.", "d'_y", "paper 4.3"));
  specs.back().maximum = fmt::format("{}", most_dimensions);
  specs.push_back(whole_number("sample_size", "20000", "2",
                               "Most rows of a node that its clusters are found from, drawn without "
                               "replacement; all rows are routed.",
                               "n_s", "paper 3.2, 4.3"));
  specs.push_back(whole_number(
      "iterations", "2", "1",
      "Iterations of the spherical k-means: in each, centroids are updated and rows assigned anew.", "i",
      "paper 4.1"));
  specs.push_back(choice_parameter("projection", {"hashing", "gaussian"},
                                   "Random projection of features and labels: one signed coordinate for each "
                                   "(hashing), or dense normal coefficients, which take far more time.",
                                   "paper 3.2, step 1"));
  specs.push_back(
      choice_parameter("diversity", {"SxSy", "SxDy", "DxSy", "DxDy"},
                       "Whether the projections of features (x) and labels (y) are the same (S) in all nodes "
                       "of a tree, or different (D).",
                       "paper 3.2, step 1"));
  return specs;
}

/// No dataset has so many rows or labels that a larger number would say more.
std::uint32_t narrow(std::int64_t value) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

ParameterSpec second_route_spec() {
  ParameterSpec spec = number_parameter(
      "second_route", ParameterType::real, "0.05", "0",
      "A row that is predicted goes two ways, once in a tree, at the first node where its second best cosine "
      "is nearer to the best than this share of it; the leaves of both ways count half. 0, the paper: never.",
      "", beyond_paper);
  spec.maximum = std::string("1");
  return spec;
}

}  // namespace

std::vector<ParameterSpec> parameter_specs() {
  std::vector<ParameterSpec> specs = paper_specs();
  specs.push_back(choice_parameter(
      "inputs", {"auto", "none", "idf", "sqrt-idf", "tf-idf"},
      "Weighting of the inputs: by inverse document frequency, ln((n + 1) / (rows with the feature + "
      "1)), fitted on the training rows, or by its square root; tf-idf takes 1 + ln(value) first. "
      "auto is idf for sparse counts (whole numbers, fewer than a quarter of them not 0), and none "
      "for what is dense or has been weighted already.",
      "not in the paper, but its figures need it"));
  specs.push_back(switch_parameter(
      "unit_rows", false, "Whether rows of (weighted) inputs are scaled to length 1.", beyond_paper));
  specs.push_back(
      choice_parameter("label_weighting", {"none", "idf"},
                       "What labels count in the clustering: all alike, or rare ones more, by ln((n + 1) / "
                       "(rows with the label + 1)).",
                       beyond_paper));
  specs.push_back(whole_number("rows_per_branch", "4", "1",
                               "A node has at most one branch for every so many of its rows, but two at "
                               "least: few rows in many clusters make leaves of one row. 1 is the paper.",
                               "", beyond_paper));
  specs.push_back(second_route_spec());
  specs.push_back(switch_parameter(
      "balanced", false, "Whether no cluster may have more than its share of the rows.", beyond_paper));
  specs.push_back(whole_number("centroid_entries", "none", "1",
                               "Largest coordinates that each centroid keeps.", "", beyond_paper));
  specs.push_back(whole_number("leaf_labels", "none", "1", "Most frequent labels that each leaf keeps.", "",
                               beyond_paper));
  specs.push_back(
      whole_number("early_exit", "none", "1",
                   "Prediction looks at a row after every so many trees, and ends it when its five "
                   "best labels and their order have not changed since the last look.",
                   "trees", beyond_paper));
  specs.push_back(
      whole_number("top_labels", "none", "1",
                   "Best labels that a prediction lists; the others get score 0. None: as many as "
                   "the metrics look at, 5 for precision@5; all that some leaf mentions where one "
                   "of them looks at all.",
                   "", "paper 4.2: precision at 5 needs 5"));
  return specs;
}

Options Options::of(const Parameters& parameters) {
  const auto number = [&](const char* name) { return narrow(parameters.integer(name)); };
  const auto optional = [&](const char* name) -> std::optional<std::uint32_t> {
    const auto value = parameters.optional_integer(name);
    if (!value) return std::nullopt;
    return narrow(*value);
  };
  Options options;
  options.trees = static_cast<std::size_t>(parameters.integer("trees"));
  options.branches = number("branches");
  options.leaf_size = number("leaf_size");
  options.rows_per_branch = number("rows_per_branch");
  options.feature_dimension = number("feature_dimension");
  options.label_dimension = number("label_dimension");
  options.sample_size = static_cast<std::size_t>(parameters.integer("sample_size"));
  options.iterations = number("iterations");
  if (parameters.word("projection") == "gaussian") options.projection = ProjectionKind::gaussian;
  options.features_per_node = parameters.word("diversity").starts_with("Dx");
  options.labels_per_node = parameters.word("diversity").ends_with("Dy");
  const std::string& inputs = parameters.word("inputs");
  if (inputs == "none") options.inputs = InputWeighting::none;
  if (inputs == "idf") options.inputs = InputWeighting::idf;
  if (inputs == "sqrt-idf") options.inputs = InputWeighting::sqrt_idf;
  if (inputs == "tf-idf") options.inputs = InputWeighting::tf_idf;
  options.unit_rows = parameters.boolean("unit_rows");
  options.tail_labels = parameters.word("label_weighting") == "idf";
  options.balanced = parameters.boolean("balanced");
  options.second_route = parameters.real("second_route");
  options.centroid_entries = optional("centroid_entries");
  options.leaf_labels = optional("leaf_labels");
  options.early_exit = optional("early_exit");
  options.top_labels = optional("top_labels");
  return options;
}

}  // namespace coppice::craftml

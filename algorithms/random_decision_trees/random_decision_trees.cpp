#include "algorithms/random_decision_trees/random_decision_trees.h"

#include <utility>

#include "algorithms/forest/forest_model.h"
#include "algorithms/input_checks.h"
#include "algorithms/random_decision_trees/powerset_model.h"
#include "algorithms/random_decision_trees/unnecessary_nodes.h"
#include "core/parameters/declare.h"

namespace coppice {

namespace {

std::vector<ParameterSpec> rdt_parameters() {
  constexpr auto integer = ParameterType::integer;
  std::vector<ParameterSpec> specs;
  specs.push_back(number_parameter("trees", integer, "200", "1", "Number of trees.", "m", "section 5.3.1"));
  specs.back().staged = true;
  specs.push_back(number_parameter("max_depth", integer, "p/2", "0",
                                   "Deepest level of a tree; a feature with many categories makes one level.",
                                   "", "section 5.3.1"));
  specs.push_back(number_parameter("leaf_size", integer, "4", "1",
                                   "Nodes with at most so many training rows become leaves.", "",
                                   "section 5.3.1"));
  specs.push_back(choice_parameter("transform", {"binary-relevance", "label-powerset"},
                                   "Whether leaves have a distribution of each label, or of the label sets "
                                   "that occur; the most likely set is "
                                   "then the prediction. Multi-class tasks do not see the difference.",
                                   "sections 2.2, 2.3"));
  return specs;
}

class RandomDecisionTrees : public Algorithm {
 public:
  RandomDecisionTrees() {
    description_.name = "random-decision-trees";
    description_.summary =
        "The mean of trees whose features and thresholds are random: growing never looks at labels.";
    description_.reference = "Zhang et al. 2010, section 2";
    description_.version = 4;
    description_.parameters = rdt_parameters();
    description_.capabilities.tasks = {Task::multilabel, Task::multiclass};
    description_.capabilities.categorical = true;
  }

  const AlgorithmDescription& description() const override { return description_; }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, description_.name);
    require_no_missing(train, description_.name);
    const Dataset& dataset = train.dataset();
    const auto inputs = CodedInputs::of(train.shared_dataset(), DenseUse::cuts, context);
    const Sample all = Sample::of(train);
    const bool sets = parameters.word("transform") == "label-powerset";
    const RowClasses classes = sets ? RowClasses::of_sets(dataset.labels()) : RowClasses(dataset.labels());
    GrowthOptions options;
    options.rule = SplitRule::random_cut;
    options.features = 1;
    options.max_depth = static_cast<std::uint64_t>(parameters.integer("max_depth"));
    options.min_samples_split = static_cast<std::uint64_t>(parameters.integer("leaf_size")) + 1;
    options.branch_for_each_category = true;
    std::vector<GrownTree> trees(static_cast<std::size_t>(parameters.integer("trees")));
    parallel_for(context, trees.size(), [&](std::size_t t) {
      const GrownTree grown =
          grow_tree(*inputs, NoTargets{}, all, options, context.stream.at("tree", t), context);
      trees[t] = without_unnecessary_nodes(grown, classes);
    });
    ForestParts parts;
    parts.task = dataset.task();
    parts.features = dataset.feature_count();
    parts.outputs = dataset.output_count();
    parts.categories = CategoryCodes(dataset.features());
    parts.trees = TreeSet(trees, context);
    parts.leaf_rows = LeafRows(trees, train, context);
    parts.importances.assign(parts.features, 0.0);
    return finish(std::make_unique<ForestModel>(std::move(parts)), sets);
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return finish(ForestModel::load(reader),
                  reader->about().at("parameters").at("transform") == "label-powerset");
  }

 private:
  static std::unique_ptr<Model> finish(std::unique_ptr<ForestModel> forest, bool sets) {
    if (!sets || forest->parts().task != Task::multilabel) return forest;
    return std::make_unique<PowersetModel>(std::move(forest));
  }

  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_random_decision_trees() {
  return std::make_unique<RandomDecisionTrees>();
}

}  // namespace coppice

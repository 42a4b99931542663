#include "algorithms/forest/forest.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/forest/forest_parameters.h"
#include "algorithms/forest/out_of_bag.h"
#include "algorithms/forest/tree_pruning.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/tree/grower.h"

namespace coppice {

namespace {

/// The leaf values of a tree on a single output.
std::vector<double> leaf_means(const GrownTree& tree, const Dataset& dataset, std::uint32_t output) {
  std::vector<double> means(tree.leaves());
  for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    const auto rows = tree.leaf_rows(leaf);
    double sum = 0.0;
    for (const std::uint32_t row : rows)
      sum += has_labels(dataset.task()) ? (dataset.labels().contains(row, output) ? 1.0 : 0.0)
                                        : dataset.targets()[row][output];
    means[leaf] = sum / static_cast<double>(rows.size());
  }
  return means;
}

/// One output of a dataset as a space to grow in.
class OneOutput {
 public:
  OneOutput(const Dataset& dataset, std::uint32_t output, const Sample& sample, const EntropyTable* entropy)
      : labels_(1) {
    if (has_labels(dataset.task())) {
      constexpr std::uint32_t present = 0;
      for (std::size_t row = 0; row < dataset.rows(); ++row)
        labels_.add_row(std::span(&present, dataset.labels().contains(row, output) ? 1 : 0));
      targets_ = LabelTargets{&labels_, entropy, false};
      return;
    }
    std::vector<double> values(dataset.rows());
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = dataset.targets()[row][output];
    grid_ = std::make_unique<RealGrid>(values, 1, sample);
    targets_ = grid_.get();
  }
  OneOutput(const OneOutput&) = delete;
  OneOutput& operator=(const OneOutput&) = delete;

  const GrowthTargets& targets() const { return targets_; }

 private:
  LabelSets labels_;
  std::unique_ptr<RealGrid> grid_;
  GrowthTargets targets_;
};

/// A forest under construction.
class ForestFit {
 public:
  /// Trees grow in the space of the outputs themselves unless `space` makes others.
  ForestFit(const ForestKind& kind, const DatasetView& train, const Parameters& parameters,
            const MakeGrowthSpace& space, const Context& context)
      : train_(&train),
        dataset_(&train.dataset()),
        context_(&context),
        space_(&space),
        inputs_(CodedInputs::of(train.shared_dataset(), dense_use(kind.rule), context)),
        all_(Sample::of(train)),
        missing_(parameters.has("missing") && parameters.word("missing") == "learn"),
        trees_(kind.ensemble ? static_cast<std::size_t>(parameters.integer("trees")) : 1),
        bootstrap_(kind.ensemble && parameters.boolean("bootstrap")),
        separate_(!space && parameters.word("outputs") == "separate"),
        options_(growth_options(kind, parameters)),
        pruning_(pruning_of(kind, parameters)),
        oob_(kind.ensemble && parameters.boolean("oob")),
        permutation_(kind.ensemble && parameters.boolean("permutation")) {
    if (!space && parameters.word("impurity") == "entropy")
      entropy_ = std::make_unique<EntropyTable>(all_.total, separate_ ? 1 : dataset_->output_count());
  }

  std::unique_ptr<Model> run() {
    ForestParts parts;
    parts.task = dataset_->task();
    parts.features = dataset_->feature_count();
    parts.outputs = dataset_->output_count();
    parts.separate = separate_;
    parts.missing = missing_;
    parts.categories = CategoryCodes(dataset_->features());
    const std::size_t groups = separate_ ? parts.outputs : 1;
    grown_.resize(trees_ * groups);
    leaf_means_.resize(separate_ ? grown_.size() : 0);
    if (separate_)
      parallel_for(*context_, groups,
                   [&](std::size_t output) { grow_output(static_cast<std::uint32_t>(output)); });
    else
      grow_joint();
    parallel_for(*context_, 2, [&](std::size_t part) {
      if (part == 0)
        parts.importances = importances();
      else
        store(parts);
    });
    auto model = std::make_unique<ForestModel>(std::move(parts));
    model->leaf_means(*context_);  // a part of fitting, not of the first prediction
    if (oob_ || permutation_) {
      const OutOfBag unseen(*model, *train_, [&](std::size_t tree) { return sample_of(tree); });
      if (oob_) model->set_out_of_bag(unseen.scores(*context_));
      if (permutation_) model->set_permutation(unseen.permutation_importances(*context_));
    }
    return model;
  }

 private:
  /// The stream of a tree, by its number in the model.
  Stream stream_of(std::size_t tree) const {
    if (!separate_) return context_->stream.at("tree", tree);
    const std::size_t groups = dataset_->output_count();
    return context_->stream.at("output", tree % groups).at("tree", tree / groups);
  }
  Sample sample_of(std::size_t tree) const {
    return bootstrap_ ? Sample::bootstrap(*train_, stream_of(tree).at("bootstrap")) : all_;
  }

  GrownTree grow(const GrowthTargets& targets, std::size_t tree, const OutputRows& outputs) const {
    if (bootstrap_) return grow_on(sample_of(tree), targets, tree, outputs);
    return grow_on(all_, targets, tree, outputs);
  }

  GrownTree grow_on(const Sample& sample, const GrowthTargets& targets, std::size_t tree,
                    const OutputRows& outputs) const {
    const Stream stream = stream_of(tree);
    const auto grow_on_rows = [&](const Sample& rows) {
      return grow_tree(*inputs_, targets, rows, options_, stream, *context_);
    };
    if (bootstrap_ || pruning_.kind == Pruning::Kind::none || train_->size() < 2) return grow_on_rows(sample);
    return pruned(pruning_, *train_, outputs, stream.at("pruning"), grow_on_rows, *context_);
  }

  void grow_joint() {
    if (*space_) {
      parallel_for(*context_, trees_, [&](std::size_t t) {
        const Sample drawn = bootstrap_ ? sample_of(t) : Sample{};
        const Sample& sample = bootstrap_ ? drawn : all_;
        const GrowthSpace space = (*space_)(t, sample);
        grown_[t] = grow_on(sample, space.targets, t, OutputRows(*dataset_));
      });
      return;
    }
    std::unique_ptr<RealGrid> grid;
    std::unique_ptr<LabelBits> bits;
    if (has_labels(dataset_->task()) && entropy_ == nullptr)
      bits = std::make_unique<LabelBits>(dataset_->labels());
    GrowthTargets targets =
        LabelTargets{&dataset_->labels(), entropy_.get(), dataset_->task() == Task::multiclass, bits.get()};
    if (!has_labels(dataset_->task())) {
      grid = std::make_unique<RealGrid>(dataset_->targets().values(), dataset_->output_count(), all_);
      targets = grid.get();
    }
    parallel_for(*context_, trees_,
                 [&](std::size_t t) { grown_[t] = grow(targets, t, OutputRows(*dataset_)); });
  }

  /// The forest of one output is the one that a dataset with only this output would get from the stream
  /// at("output", output).
  void grow_output(std::uint32_t output) {
    const OneOutput one(*dataset_, output, all_, entropy_.get());
    const std::size_t groups = dataset_->output_count();
    parallel_for(*context_, trees_, [&](std::size_t t) {
      GrownTree tree = grow(one.targets(), t * groups + output, OutputRows(*dataset_, output));
      leaf_means_[t * groups + output] = leaf_means(tree, *dataset_, output);
      tree.rows = {};
      tree.leaf_end = {};
      grown_[t * groups + output] = std::move(tree);
    });
  }

  /// Puts what has been grown in the form that predicts.
  void store(ForestParts& parts) const {
    parts.trees = TreeSet(grown_, *context_);
    if (separate_)
      parts.leaf_values = LeafValues(leaf_means_);
    else
      parts.leaf_rows = LeafRows(grown_, *train_, *context_);
  }

  std::vector<double> importances() const {
    std::vector<double> sums(dataset_->feature_count(), 0.0);
    for (const GrownTree& tree : grown_)
      for (std::size_t i = 0; i < tree.feature.size(); ++i)
        if (tree.feature[i] >= 0) sums[static_cast<std::size_t>(tree.feature[i])] += tree.decrease[i];
    for (double& sum : sums) sum /= static_cast<double>(trees_);
    return sums;
  }

  const DatasetView* train_;
  const Dataset* dataset_;
  const Context* context_;
  const MakeGrowthSpace* space_;
  std::shared_ptr<const CodedInputs> inputs_;
  Sample all_;
  bool missing_;
  std::size_t trees_;
  bool bootstrap_;
  bool separate_;
  GrowthOptions options_;
  Pruning pruning_;
  bool oob_;
  bool permutation_;
  std::unique_ptr<EntropyTable> entropy_;
  std::vector<GrownTree> grown_;
  std::vector<std::vector<double>> leaf_means_;
};

const std::vector<ForestKind>& forest_kinds() {
  static const std::vector<ForestKind> kinds{
      {.name = "decision-tree",
       .summary = "One tree; every node has the best split of all features (CART).",
       .reference = "Breiman et al. 1984; thesis 3",
       .ensemble = false,
       .features = "p",
       .regression_features = "",
       .regression_min_samples_split = ""},
      {.name = "random-forest",
       .summary = "The mean of trees on bootstrap samples, each node split by the best of k random features.",
       .reference = "Breiman 2001; thesis 4.2.3, regression defaults 6.3.1.2",
       .bootstrap = true,
       .features = "sqrt(p)",
       .regression_features = "p/3",
       .regression_min_samples_split = "5"},
      {.name = "extra-trees",
       .summary = "The mean of trees on all rows, each node split by the best of k features at random cuts.",
       .reference = "Geurts et al. 2006 (whose defaults for k these are); thesis 4.2.3",
       .rule = SplitRule::random_cut,
       .features = "sqrt(p)",
       .regression_features = "p",
       .regression_min_samples_split = ""},
  };
  return kinds;
}

const ForestKind& forest_kind(const std::string& name) {
  for (const ForestKind& kind : forest_kinds())
    if (kind.name == name) return kind;
  throw Error(ErrorKind::usage,
              fmt::format("no forest '{}'{}", name, did_you_mean(name, relabelled_forests())));
}

class ForestAlgorithm : public Algorithm {
 public:
  explicit ForestAlgorithm(ForestKind kind) : kind_(std::move(kind)) {
    description_.name = kind_.name;
    description_.summary = kind_.summary;
    description_.reference = kind_.reference;
    description_.parameters = forest_parameters(kind_);
    description_.capabilities.categorical = true;
    description_.version = 5;
  }

  const AlgorithmDescription& description() const override { return description_; }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, kind_.name);
    if (parameters.word("missing") != "learn")
      require_no_missing(train, kind_.name + " without 'missing: learn'");
    if (kind_.ensemble && !parameters.boolean("bootstrap") &&
        (parameters.boolean("oob") || parameters.boolean("permutation")))
      throw Error(
          ErrorKind::fit,
          fmt::format("{}: 'oob' and 'permutation' need rows that a tree has not seen; set bootstrap: true",
                      kind_.name));
    const std::string& impurity = parameters.word("impurity");
    if (!has_labels(train.dataset().task()) && impurity != "variance")
      throw Error(
          ErrorKind::fit,
          fmt::format(
              "{}: impurity {} needs labels, and dataset '{}' has real outputs; use impurity: variance",
              kind_.name, impurity, train.dataset().name()));
    return ForestFit(kind_, train, parameters, {}, context).run();
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return ForestModel::load(reader);
  }

 private:
  ForestKind kind_;
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_decision_tree() {
  return std::make_unique<ForestAlgorithm>(forest_kind("decision-tree"));
}

std::unique_ptr<Algorithm> make_random_forest() {
  return std::make_unique<ForestAlgorithm>(forest_kind("random-forest"));
}

std::unique_ptr<Algorithm> make_extra_trees() {
  return std::make_unique<ForestAlgorithm>(forest_kind("extra-trees"));
}

std::unique_ptr<Model> fit_relabelled_forest(const std::string& name, const DatasetView& train,
                                             const Parameters& parameters, const MakeGrowthSpace& space,
                                             const Context& context) {
  return ForestFit(forest_kind(name), train, parameters, space, context).run();
}

GrowthOptions forest_growth_options(const std::string& name, const Parameters& parameters) {
  return growth_options(forest_kind(name), parameters);
}

const std::vector<std::string>& relabelled_forests() {
  static const std::vector<std::string> names{"random-forest", "extra-trees", "decision-tree"};
  return names;
}

std::vector<ParameterSpec> relabelled_forest_parameters(const std::string& name) {
  std::vector<ParameterSpec> specs = forest_parameters(forest_kind(name));
  std::erase_if(specs, [](const ParameterSpec& spec) {
    return spec.name == "impurity" || spec.name == "outputs" || spec.name == "missing";
  });
  return specs;
}

}  // namespace coppice

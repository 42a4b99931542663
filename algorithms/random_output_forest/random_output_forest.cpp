#include "algorithms/random_output_forest/random_output_forest.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "algorithms/cost.h"
#include "algorithms/forest/forest.h"
#include "algorithms/forest/forest_model.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/parameters/declare.h"
#include "core/projections/output_columns.h"
#include "core/projections/padded_labels.h"
#include "core/projections/projection.h"
#include "core/projections/projection_table.h"
#include "core/tree/real_grid.h"
#include "core/tree/sample.h"

namespace coppice {

namespace {

const std::string name = "random-output-forest";

/// Memory that one tree after the other uses: what is returned to the system each time costs more than all
/// projecting.
class UsedMemory {
 public:
  /// With any numbers in it.
  std::vector<double> take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::vector<double>(size);
    std::vector<double> last = std::move(free_.back());
    free_.pop_back();
    return last;
  }
  void give_back(std::vector<double> memory) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<double>> free_;  ///< all of one size
};

/// A grid that gives its memory back.
struct ProjectedGrid {
  RealGrid grid;
  UsedMemory* memory;

  ProjectedGrid(RealGrid&& made, UsedMemory& from) : grid(std::move(made)), memory(&from) {}
  ProjectedGrid(const ProjectedGrid&) = delete;
  ProjectedGrid& operator=(const ProjectedGrid&) = delete;
  ~ProjectedGrid() { memory->give_back(std::move(grid).take_values()); }
};

/// Makes the output spaces of the trees of one forest: one projection for all, or one for each.
class ProjectedSpaces {
 public:
  ProjectedSpaces(const DatasetView& train, const Parameters& parameters, const Context& context)
      : dataset_(&train.dataset()),
        context_(&context),
        stream_(context.projection.value_or(context.stream)),
        kind_(&projection_kind(parameters.word("projection"))),
        columns_(train),
        setting_(projection_setting(parameters, train.dataset().output_count())) {
    setting_.learned = &columns_;
    if (columns_.has_labels()) {
      for (std::uint32_t label = 0; label < columns_.outputs(); ++label)
        label_shares_.push_back(static_cast<double>(columns_.rows_of(label).size()) /
                                static_cast<double>(columns_.rows().size()));
      if (PaddedLabels::suits(columns_.outputs())) labels_.emplace(columns_.labels(), columns_.rows());
    }
    const bool one_for_all = parameters.word("subspace") == "shared" || !kind_->description().random;
    if (one_for_all) shared_ = project_for(stream_.at("projection"), Sample::of(train));
  }

  GrowthSpace space(std::size_t tree, const Sample& sample) const {
    if (shared_) return *shared_;
    return project_for(stream_.at("tree", tree).at("projection"), sample);
  }

 private:
  GrowthSpace project_for(const Stream& stream, const Sample& sample) const {
    if (kind_->description().name == "identity" && has_labels(dataset_->task())) {
      // Label sets have a space of their own, in which nothing is rounded and a row costs its labels only.
      if (const std::string why = kind_->problem(setting_); !why.empty()) throw Error(ErrorKind::config, why);
      return {LabelTargets{&dataset_->labels(), nullptr, dataset_->task() == Task::multiclass}, nullptr};
    }
    const auto projection = kind_->make(setting_, stream, *context_);
    const auto made = std::make_shared<ProjectedGrid>(grid_of(*projection, sample), values_);
    return {&made->grid, made};
  }

  RealGrid grid_of(const Projection& projection, const Sample& sample) const {
    const std::size_t size = projection.size();
    const std::size_t stride = RealGrid::stride_of(size);
    std::vector<double> values = values_.take(columns_.dataset_rows() * stride);
    if (!labels_ || !ProjectionTable::suits(projection)) {
      project(projection, columns_, sample.rows, stride, values);
      return {std::move(values), size, sample};
    }
    const ProjectionTable table(projection);
    const WholeMultiples multiples{projection.unit(), ProjectionTable::bound(labels_->most_labels()),
                                   table.stride(), table.mean(label_shares_),
                                   [&](auto rows, auto numbers) { table.add_up(*labels_, rows, numbers); }};
    return {multiples, size, sample, std::move(values)};
  }

  const Dataset* dataset_;
  const Context* context_;
  Stream stream_;
  const ProjectionKind* kind_;
  OutputColumns columns_;
  std::vector<double> label_shares_;  ///< of the rows that have a label
  std::optional<PaddedLabels> labels_;
  mutable UsedMemory values_;
  ProjectionSetting setting_;
  std::optional<GrowthSpace> shared_;
};

class RandomOutputForest : public Algorithm {
 public:
  RandomOutputForest() : description_(described(relabelled_forests().front())) {}

  const AlgorithmDescription& description() const override { return description_; }

  AlgorithmDescription description_for(const RawParameters& settings) const override {
    const auto base = settings.find("base");
    return base == settings.end() ? description_ : described(base->second);
  }

  std::optional<ParameterProblem> check(const Parameters& parameters,
                                        const ExpressionVariables& sizes) const override {
    const auto setting = projection_setting(parameters, static_cast<std::size_t>(sizes.d));
    const std::string problem = projection_kind(parameters.word("projection")).problem(setting);
    if (problem.empty()) return std::nullopt;
    return ParameterProblem{"size", problem};
  }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, name);
    require_no_missing(train, name);
    const ProjectedSpaces spaces(train, parameters, context);
    return fit_relabelled_forest(
        parameters.word("base"), train, parameters,
        [&](std::size_t tree, const Sample& sample) { return spaces.space(tree, sample); }, context);
  }

  /// Beside what a forest takes, every tree has a projection made, and its rows have so many components.
  FitCost cost(const Parameters& parameters, const ProblemSize& size) const override {
    FitCost cost = Algorithm::cost(parameters, size);
    const double components = number_or(parameters, "size", 1.0);
    const TreeShape shape = TreeShape::of(parameters, size, size.rows);
    // A random number takes as long as so many steps of a sum.
    constexpr double steps_of_number = 14.0;
    cost.work += number_or(parameters, "trees", 1.0) * components *
                 (steps_of_number * size.outputs + shape.levels * size.rows);
    cost.bytes += 16.0 * components * (size.rows + size.outputs);
    return cost;
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return ForestModel::load(reader);
  }

 private:
  static AlgorithmDescription described(const std::string& base) {
    AlgorithmDescription made;
    made.name = name;
    made.summary =
        "A forest whose trees grow on a projection of the outputs and are labelled with the outputs.";
    made.reference = "Joly et al. 2014; thesis 5";
    made.version = 4;
    made.parameters = {
        choice_parameter("base", relabelled_forests(),
                         "The forest; its parameters stand beside these, with its defaults.", "thesis 5.1"),
        choice_parameter("subspace", {"individual", "shared"},
                         "A projection for each tree (Algorithm 5.2) or one for all (Algorithm 5.1).",
                         "thesis 5.1")};
    made.parameters.front().default_value = base;
    for (const auto& specs : {projection_parameters(), relabelled_forest_parameters(base)})
      made.parameters.insert(made.parameters.end(), specs.begin(), specs.end());
    return made;
  }

  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_random_output_forest() {
  return std::make_unique<RandomOutputForest>();
}

}  // namespace coppice

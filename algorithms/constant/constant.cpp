#include "algorithms/constant/constant.h"

#include "core/base/error.h"

namespace coppice {

namespace {

class ConstantModel : public Model {
 public:
  /// Labels are kept sparse: only those that occur have a score.
  ConstantModel(Task task, std::size_t outputs, std::vector<std::uint32_t> labels, std::vector<double> means)
      : task_(task), outputs_(outputs), labels_(std::move(labels)), means_(std::move(means)) {}

  Predictions predict(const DatasetView& rows, const Context& /*context*/) const override {
    if (has_labels(task_)) {
      Predictions predictions = Predictions::make_sparse(outputs_);
      for (std::size_t i = 0; i < rows.size(); ++i) predictions.add_row(labels_, means_);
      return predictions;
    }
    Predictions predictions = Predictions::make_dense(rows.size(), outputs_);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy(means_.begin(), means_.end(), predictions.dense_row(i).begin());
    return predictions;
  }

  void save(ModelWriter& writer) const override {
    writer.facts()["task"] = task_name(task_);
    writer.facts()["outputs"] = outputs_;
    writer.put("labels", labels_);
    writer.put("means", means_);
  }

 private:
  Task task_;
  std::size_t outputs_;
  std::vector<std::uint32_t> labels_;
  std::vector<double> means_;
};

class Constant : public Algorithm {
 public:
  Constant() {
    description_.name = "constant";
    description_.summary =
        "Predicts the mean of the training outputs for every row; the baseline of all tables.";
    description_.reference = "thesis 2.4.4 (an r² of zero is no better than a constant)";
    description_.capabilities.missing_values = true;
    description_.capabilities.categorical = true;
  }

  const AlgorithmDescription& description() const override { return description_; }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& /*parameters*/,
                             const Context& /*context*/) const override {
    const Dataset& dataset = train.dataset();
    if (train.size() == 0) throw Error(ErrorKind::fit, "constant needs at least one training row");
    std::vector<double> sums(dataset.output_count(), 0.0);
    for (const std::uint32_t row : train.rows()) {
      if (has_labels(dataset.task())) {
        for (const std::uint32_t label : dataset.labels()[row]) sums[label] += 1.0;
      } else {
        const auto targets = dataset.targets()[row];
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += targets[j];
      }
    }
    std::vector<std::uint32_t> labels;
    std::vector<double> means;
    for (std::size_t j = 0; j < sums.size(); ++j) {
      if (has_labels(dataset.task()) && sums[j] == 0.0) continue;
      labels.push_back(static_cast<std::uint32_t>(j));
      means.push_back(sums[j] / static_cast<double>(train.size()));
    }
    return std::make_unique<ConstantModel>(dataset.task(), sums.size(), std::move(labels), std::move(means));
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    const Task task = reader->task();
    auto labels = reader->vector<std::uint32_t>("labels");
    auto means = reader->vector<double>("means");
    const auto outputs = reader->facts().value("outputs", std::size_t{0});
    if (labels.size() != means.size() || (!labels.empty() && labels.back() >= outputs))
      reader->fail("has labels and means that do not belong together");
    return std::make_unique<ConstantModel>(task, outputs, std::move(labels), std::move(means));
  }

 private:
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_constant() {
  return std::make_unique<Constant>();
}

}  // namespace coppice

#include <memory>

#include <fmt/format.h>

#include "experiments/data/info.h"
#include "experiments/plan/splits.h"
#include "tools/single_dataset.h"
#include "tools/verbs/data.h"

namespace coppice {

namespace {

struct DataInfoArguments {
  SingleDataset dataset;
  std::string test;
  bool json = false;
};

/// With leave-one-out or many bootstrap samples nobody reads on.
constexpr std::size_t most_folds = 1000;

nlohmann::ordered_json fold_json(const FoldSupport& fold) {
  return {{"train", fold.train},
          {"test", fold.test},
          {"labels_without_train", fold.labels_without_train},
          {"labels_without_test", fold.labels_without_test},
          {"smallest_train_support", fold.smallest_train_support}};
}

std::string fold_text(std::size_t index, const FoldSupport& fold) {
  return fmt::format(
      "  fold {:<15} {} train, {} test; {} labels without train rows, {} without test rows; rarest: {}\n",
      index, fold.train, fold.test, fold.labels_without_train, fold.labels_without_test,
      fold.smallest_train_support);
}

void show(const DataInfoArguments& options) {
  std::vector<std::string> notes;
  const auto dataset = options.dataset.load(&notes);
  const DatasetInfo info = describe_dataset(*dataset, notes);
  const std::string usual = dataset->given_split() ? "given" : "{kfold: 10}";
  std::vector<FoldSupport> folds;
  const Protocol protocol = protocol_from_text(options.test.empty() ? usual : options.test);
  // Without labels there is no support, and ten folds of nine rows were not asked for.
  const bool possible = !options.test.empty() || dataset->given_split() || dataset->rows() >= 10;
  if (has_labels(dataset->task()) && possible) {
    const Splits splits(protocol, dataset->name(), *dataset, options.dataset.seed, 0);
    for (std::size_t i = 0; i < std::min(splits.count(), most_folds); ++i)
      folds.push_back(label_support(*dataset, splits[i]));
  }
  if (options.json) {
    nlohmann::ordered_json json = info.json();
    json["protocol"] = nullptr;
    if (!folds.empty()) json["protocol"] = protocol.test_text();
    json["folds"] = nlohmann::ordered_json::array();
    for (const FoldSupport& fold : folds) json["folds"].push_back(fold_json(fold));
    return print_json(json);
  }
  std::string text = info.text();
  if (!folds.empty()) text += fmt::format("{:<22} {}\n", "label support", protocol.test_text());
  for (std::size_t i = 0; i < folds.size(); ++i) text += fold_text(i, folds[i]);
  print(text);
}

}  // namespace

void add_data_info(CLI::App& data) {
  CLI::App* verb =
      data.add_subcommand("info", "Facts about a dataset: sizes, kinds of features, labels, folds");
  const auto options = std::make_shared<DataInfoArguments>();
  options->dataset.add_source_to(*verb, "Of generated data and of the folds; 0 by default");
  verb->add_option(
      "--test", options->test,
      "Label support in the folds of this protocol, as in a config: '{kfold: 10, stratify: true}'; "
      "the given split by default, else {kfold: 10}");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice

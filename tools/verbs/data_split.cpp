#include <memory>

#include <fmt/format.h>

#include "core/data/splits/split_file.h"
#include "experiments/plan/splits.h"
#include "tools/single_dataset.h"
#include "tools/verbs/data.h"

namespace coppice {

void add_data_split(CLI::App& data) {
  struct DataSplitArguments {
    SingleDataset dataset;
    std::string test = "{kfold: 10}";
    int repeat = 0;
    std::string out;
  };
  CLI::App* verb = data.add_subcommand(
      "split", "Write the splits of a dataset to a CSV file, for other tools and for 'test: {folds: FILE}'");
  const auto options = std::make_shared<DataSplitArguments>();
  options->dataset.add_source_to(*verb, "As the seed of a config, which makes the same splits; 0 by default");
  verb->add_option("--test", options->test, "As protocol.test of a config; {kfold: 10} by default");
  verb->add_option("--repeat", options->repeat, "The repeat of the experiment, from 0; 0 by default")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--out,-o", options->out, "The file to write")->required();
  verb->callback([options] {
    const Protocol protocol = protocol_from_text(options->test);
    const auto dataset = options->dataset.load();
    const Splits splits(protocol, dataset->name(), *dataset, options->dataset.seed, options->repeat);
    write_splits(splits.all(), options->out);
    print(fmt::format("{}: {} split{} of {} rows, test: {}\n", options->out, splits.count(),
                      splits.count() == 1 ? "" : "s", dataset->rows(), protocol.test_text()));
  });
}

}  // namespace coppice

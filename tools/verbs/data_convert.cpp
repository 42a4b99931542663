#include <memory>

#include <fmt/format.h>

#include "tools/single_dataset.h"
#include "tools/verbs/data.h"

namespace coppice {

void add_data_convert(CLI::App& data) {
  struct DataConvertArguments {
    SingleDataset dataset;
    OutputFiles files;
  };
  CLI::App* verb = data.add_subcommand("convert", "Write a dataset in another format");
  const auto options = std::make_shared<DataConvertArguments>();
  options->dataset.add_source_to(*verb, "Of generated data; 0 by default");
  options->files.add_to(*verb);
  verb->callback([options] {
    const WriteOptions files = options->files.options();
    const auto dataset = options->dataset.load();
    write_dataset(*dataset, files);
    print(fmt::format("{}: {} rows, {} features, {} outputs as {}\n", files.file.string(), dataset->rows(),
                      dataset->feature_count(), dataset->output_count(), files.format));
  });
}

}  // namespace coppice

#include <memory>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "core/data/generators/generator.h"
#include "experiments/data/generated.h"
#include "tools/single_dataset.h"
#include "tools/verbs/data.h"

namespace coppice {

namespace {

struct DataGenerateArguments {
  std::string generator;
  std::uint64_t seed = 0;
  OutputFiles files;
};

void generate(const DataGenerateArguments& options) {
  const WriteOptions files = options.files.options();
  const DatasetEntry entry = parse_dataset_text(options.generator);
  const Generator* generator = find_generator(entry.name);
  if (generator == nullptr) {
    std::vector<std::string> known;
    for (const auto& each : generators()) known.push_back(each->description().name);
    throw Error(ErrorKind::usage,
                fmt::format("no generator '{}'{}", entry.name, did_you_mean(entry.name, known)));
  }
  Problems problems;
  const auto parameters = generator_parameters(entry, *generator, problems);
  problems.raise(ErrorKind::usage);
  // The data that a config with this seed gets in its first repeat.
  generator->generate_files(*parameters, Stream(options.seed).at("repeat", 0).at("data"), files);
  print(fmt::format("{}{}: {} as {}\n", files.file.string(), files.test ? " and " + files.test->string() : "",
                    entry.name, files.format));
}

}  // namespace

void add_data_generate(CLI::App& data) {
  CLI::App* verb = data.add_subcommand("generate", "Make data with a generator and write it to a file");
  const auto options = std::make_shared<DataGenerateArguments>();
  verb->add_option(
          "GENERATOR", options->generator,
          "With its parameters: extreme:train=1000000,features=200000,labels=300000; see 'coppice list "
          "datasets'")
      ->required();
  verb->add_option("--seed", options->seed, "As the seed of a config; 0 by default");
  options->files.add_to(*verb);
  verb->callback([options] { generate(*options); });
}

}  // namespace coppice

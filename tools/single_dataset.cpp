#include "tools/single_dataset.h"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "core/base/error.h"
#include "experiments/data/source.h"

namespace coppice {

void SingleDataset::add_to(CLI::App& verb, const std::string& default_rows) {
  rows = default_rows;
  verb.add_option("DATASET", text,
                  "A catalogue name, a generator (friedman1-chain:train=300,targets=4) or a file "
                  "(mine.arff:labels=mine.xml)")
      ->required();
  verb.add_option("--rows", rows, fmt::format("train, test or all; {} by default", default_rows));
  verb.add_option("--data", data,
                  "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  verb.add_option("--seed", seed, "Of generated data and of what is random in the algorithm; 0 by default");
}

std::shared_ptr<const Dataset> SingleDataset::load() const {
  const std::size_t colon = text.find(':');
  DatasetEntry entry{text.substr(0, colon), {}, {}};
  if (colon != std::string::npos) {
    std::istringstream options(text.substr(colon + 1));
    for (std::string option; std::getline(options, option, ',');) {
      const std::size_t equals = option.find('=');
      if (equals == std::string::npos)
        throw Error(ErrorKind::usage,
                    fmt::format("'{}': expected key=value after the colon, found '{}'", text, option));
      entry.options[option.substr(0, equals)] = {option.substr(equals + 1), {}, {}};
    }
  }
  if (std::filesystem::is_regular_file(entry.name)) {
    const std::filesystem::path file = entry.name;
    entry.options["file"] = {std::filesystem::absolute(file).string(), {}, {}};
    entry.name = file.stem().string();
  }
  Problems problems;
  const auto source = make_source(entry, DataPath::standard(data), problems);
  if (!problems.empty()) throw Error(ErrorKind::data, problems.text());
  return source->load(Stream(seed).at("repeat", 0).at("data"));
}

DatasetView SingleDataset::view(const std::shared_ptr<const Dataset>& dataset) const {
  if (rows != "train" && rows != "test" && rows != "all")
    throw Error(ErrorKind::usage, fmt::format("--rows: expected train, test or all, found '{}'", rows));
  if (rows == "all" || !dataset->given_split()) return DatasetView(dataset);
  return {dataset, rows == "train" ? dataset->given_split()->train : dataset->given_split()->test};
}

}  // namespace coppice

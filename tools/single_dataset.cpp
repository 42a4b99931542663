#include "tools/single_dataset.h"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/readers/reader.h"
#include "experiments/data/source.h"

namespace coppice {

namespace {

DatasetOption option_of(const std::string& value) {
  if (value.find(';') == std::string::npos) return {value, {}, {}};
  DatasetOption option;
  std::istringstream items(value);
  for (std::string item; std::getline(items, item, ';');) option.items.push_back({item, {}, {}});
  return option;
}

}  // namespace

DatasetEntry parse_dataset_text(const std::string& text) {
  const std::size_t colon = text.find(':');
  DatasetEntry entry{text.substr(0, colon), {}, {}};
  if (colon != std::string::npos) {
    std::istringstream options(text.substr(colon + 1));
    for (std::string option; std::getline(options, option, ',');) {
      const std::size_t equals = option.find('=');
      if (equals == std::string::npos)
        throw Error(ErrorKind::usage,
                    fmt::format("'{}': expected key=value after the colon, found '{}'", text, option));
      entry.options[option.substr(0, equals)] = option_of(option.substr(equals + 1));
    }
  }
  if (std::filesystem::is_regular_file(entry.name)) {
    const std::filesystem::path file = entry.name;
    entry.options["file"] = {std::filesystem::absolute(file).string(), {}, {}};
    entry.name = without_compression(file.filename()).stem().string();
  } else if (entry.name.find('/') != std::string::npos || entry.name.find('.') != std::string::npos) {
    // Datasets have neither in their names.
    throw Error(ErrorKind::data, std::filesystem::is_directory(entry.name)
                                     ? fmt::format("'{}' is a folder where a file is expected", entry.name)
                                     : fmt::format("there is no file '{}'", entry.name));
  }
  return entry;
}

void SingleDataset::add_to(CLI::App& verb, const std::string& default_rows) {
  rows = default_rows;
  add_source_to(verb, "Of generated data and of what is random in the algorithm; 0 by default");
  verb.add_option("--rows", rows, fmt::format("train, test or all; {} by default", default_rows));
}

void SingleDataset::add_source_to(CLI::App& verb, const std::string& seed_meaning) {
  verb.add_option("DATASET", text,
                  "A catalogue name, a generator (friedman1-chain:train=300,targets=4) or a file "
                  "(mine.arff:labels=mine.xml)")
      ->required();
  verb.add_option("--data", data,
                  "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  verb.add_option("--seed", seed, seed_meaning);
}

std::shared_ptr<const Dataset> SingleDataset::load(std::vector<std::string>* notes) const {
  Problems problems;
  const DatasetEntry entry = parse_dataset_text(text);
  for (const char* option : {"prepare", "training_rows"})
    if (entry.options.contains(option))
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' is for the datasets of a config; here data is taken as it is", option));
  const auto source = make_source(entry, DataPath::standard(data), problems);
  problems.raise(ErrorKind::data);
  auto dataset = source->load(Stream(seed).at("repeat", 0).at("data"));
  if (notes != nullptr) *notes = source->notes();
  return dataset;
}

DatasetView SingleDataset::view(const std::shared_ptr<const Dataset>& dataset) const {
  if (rows != "train" && rows != "test" && rows != "all")
    throw Error(ErrorKind::usage, fmt::format("--rows: expected train, test or all, found '{}'", rows));
  if (rows == "all" || !dataset->given_split()) return DatasetView(dataset);
  return {dataset, rows == "train" ? dataset->given_split()->train : dataset->given_split()->test};
}

}  // namespace coppice

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/data/dataset.h"
#include "experiments/data/source.h"

namespace coppice {

/// A dataset as the command line names it: `yeast`, `friedman1-chain:train=300,targets=4`, or a file
/// `mine.arff:labels=mine.xml`; several values of one option are separated by `;`. Throws Error(usage).
DatasetEntry parse_dataset_text(const std::string& text);

/// The dataset that train, predict, evaluate and the data verbs work on, as given on the command line.
struct SingleDataset {
  std::string text;
  std::string rows;  ///< train, test or all
  std::string data;
  std::uint64_t seed = 0;

  void add_to(CLI::App& verb, const std::string& default_rows);
  /// The same without a choice of rows.
  void add_source_to(CLI::App& verb, const std::string& seed_meaning);
  /// With what the reader has to tell in `notes`, if asked for.
  std::shared_ptr<const Dataset> load(std::vector<std::string>* notes = nullptr) const;
  /// The rows asked for; data without a given split has only `all`, which is then what `train` and `test`
  /// mean.
  DatasetView view(const std::shared_ptr<const Dataset>& dataset) const;
};

}  // namespace coppice

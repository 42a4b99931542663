#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "core/data/dataset.h"

namespace coppice {

/// The dataset that train, predict and evaluate work on, as given on the command line.
struct SingleDataset {
  std::string
      text;  ///< `yeast`, `friedman1-chain:train=300,targets=4`, or a file `mine.arff:labels=mine.xml`
  std::string rows;  ///< train, test or all
  std::string data;
  std::uint64_t seed = 0;

  void add_to(CLI::App& verb, const std::string& default_rows);
  std::shared_ptr<const Dataset> load() const;
  /// The rows asked for; data without a given split has only `all`, which is then what `train` and `test`
  /// mean.
  DatasetView view(const std::shared_ptr<const Dataset>& dataset) const;
};

}  // namespace coppice

#pragma once

#include <string>
#include <vector>

#include "experiments/data/catalogue.h"

namespace coppice {

/// A dataset as `list datasets` shows it.
struct DatasetListing {
  std::string name;
  bool generated = false;  ///< a generator, always there
  bool present = false;    ///< all of its files are on this machine
  bool fetchable = false;  ///< all of its files have an address
  Task task = Task::multilabel;
  std::string domain;  ///< a generator's summary
  std::map<std::string, std::size_t> shape;
};

/// Generators and the catalogue, sorted by name. Throws Error(config) for a malformed catalogue file.
std::vector<DatasetListing> list_datasets(const DataPath& path);

}  // namespace coppice

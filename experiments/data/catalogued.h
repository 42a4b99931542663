#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/data/catalogue.h"
#include "experiments/data/source.h"

namespace coppice {

/// Looks for a file of a dataset below every folder of the path, first in the dataset's own folder, also
/// under another or no suffix of compression. The places looked at are appended to `tried`.
std::optional<std::filesystem::path> locate_file(const std::string& dataset, const CatalogueFile& file,
                                                 const DataPath& path,
                                                 std::vector<std::filesystem::path>& tried);

/// Whether all files of a catalogue entry are on this machine.
bool has_files(const CatalogueEntry& catalogue, const DataPath& path);

/// A source that reads the files of a catalogue entry. Adds what is wrong to `problems` and returns null
/// then: files that are not there, options that the entry does not take.
std::unique_ptr<DatasetSource> make_catalogued_source(const DatasetEntry& entry,
                                                      const CatalogueEntry& catalogue, const DataPath& path,
                                                      Problems& problems);

}  // namespace coppice

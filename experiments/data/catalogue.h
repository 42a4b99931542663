#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/task.h"
#include "experiments/data/source.h"

namespace coppice {

/// A file of a catalogued dataset.
struct CatalogueFile {
  std::string path;            ///< below a folder of the data path, or below the dataset's own folder there
  std::string sha256;          ///< of the file as it is distributed, or empty
  std::string content_sha256;  ///< of what it unpacks to, where that is another
  std::string address;         ///< where it can be downloaded, or empty
};

/// What the catalogue says of a dataset: one YAML file in the catalogue's folder.
struct CatalogueEntry {
  std::string name;
  Task task = Task::multilabel;
  std::string domain;
  std::string format;                            ///< a reader's name
  std::map<std::string, CatalogueFile> files;    ///< by part: `train`, `test`, `labels`…
  std::map<std::string, DatasetOption> options;  ///< for the reader, as in a config
  std::map<std::string, std::size_t> shape;      ///< `rows` or `train` and `test`, `features`, `outputs`
  std::string origin;                            ///< who made it, where it was published
  std::string licence;
  std::string source;  ///< the copy that the files were taken from, or where to ask
  std::string note;
  std::filesystem::path file;  ///< the YAML file itself
};

/// The folder with the catalogue: $COPPICE_CATALOGUE, else share/coppice/datasets beside the program's bin
/// folder, else datasets/ of the source tree it was built from.
std::filesystem::path catalogue_folder();

/// Names of all entries, sorted: the YAML files of the folder without their suffix.
std::vector<std::string> catalogue_names();

/// The entry of that name; none if the catalogue has none. Throws Error(config) with the place if the file is
/// malformed.
std::optional<CatalogueEntry> find_in_catalogue(const std::string& name);

/// One catalogue file; throws Error(config) with the place.
CatalogueEntry read_catalogue_entry(const std::filesystem::path& file);

}  // namespace coppice

#include "experiments/data/catalogued.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/data/file_options.h"
#include "experiments/data/files.h"

namespace coppice {

namespace fs = std::filesystem;

std::optional<fs::path> locate_file(const std::string& dataset, const CatalogueFile& file,
                                    const DataPath& path, std::vector<fs::path>& tried) {
  std::error_code error;
  for (const fs::path& folder : path.folders)
    for (const fs::path& place : {folder / dataset / file.path, folder / file.path}) {
      tried.push_back(place);
      if (fs::is_regular_file(place, error)) return place;
      const fs::path plain = without_compression(place);
      for (const std::string_view suffix : {"", ".xz", ".gz", ".bz2", ".zst"}) {
        fs::path variant = plain;
        variant += suffix;
        if (fs::is_regular_file(variant, error)) return variant;
      }
    }
  return std::nullopt;
}

bool has_files(const CatalogueEntry& catalogue, const DataPath& path) {
  std::vector<fs::path> tried;
  return !catalogue.files.empty() &&
         std::all_of(catalogue.files.begin(), catalogue.files.end(), [&](const auto& file) {
           return locate_file(catalogue.name, file.second, path, tried).has_value();
         });
}

namespace {

/// The files of the entry as they stand on this machine; none if one is missing, which is a problem then.
bool find_files(const DatasetEntry& entry, const CatalogueEntry& catalogue, const DataPath& path,
                ReadOptions& read, Problems& problems) {
  if (catalogue.files.empty()) {
    problems.add(
        entry.location,
        fmt::format("dataset '{}' is described in the catalogue but its files are not freely available{}",
                    entry.name, catalogue.note.empty() ? "" : "; " + catalogue.note));
    return false;
  }
  for (const char* part : {"train", "valid", "test", "labels"}) {
    const auto file = catalogue.files.find(part);
    if (file == catalogue.files.end()) continue;
    std::vector<fs::path> tried;
    const auto found = locate_file(catalogue.name, file->second, path, tried);
    if (!found) {
      std::vector<std::string> places;
      for (const fs::path& place : tried) places.push_back(place.string());
      problems.add(
          entry.location,
          fmt::format(
              "dataset '{}' is in the catalogue but its {} file is not on this machine; tried {}; "
              "point --data or COPPICE_DATA at its folder ('coppice describe {}' says where it comes from)",
              catalogue.name, part, fmt::join(places, ", "), catalogue.name));
      return false;
    }
    const InputFile input{*found, std::nullopt};
    if (file->first == "labels")
      read.labels = input;
    else if (file->first == "test")
      read.test.push_back(input);
    else
      read.train.push_back(input);
  }
  return true;
}

}  // namespace

std::unique_ptr<DatasetSource> make_catalogued_source(const DatasetEntry& entry,
                                                      const CatalogueEntry& catalogue, const DataPath& path,
                                                      Problems& problems) {
  const std::size_t before = problems.count();
  ReadOptions read;
  read.name = entry.name;
  read.task = catalogue.task;
  read.format = catalogue.format;
  require_known_options(entry, reading_options(), problems);
  apply_reading_options(catalogue.options, read, problems);
  apply_reading_options(entry.options, read, problems);
  find_files(entry, catalogue, path, read, problems);
  if (problems.count() > before) return nullptr;
  return make_read_source(std::move(read));
}

}  // namespace coppice

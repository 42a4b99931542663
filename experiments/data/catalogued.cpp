#include "experiments/data/catalogued.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coppice {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> compressions{".xz", ".gz", ".bz2", ".zst"};

fs::path without_compression(const fs::path& path) {
  for (const std::string_view suffix : compressions)
    if (path.extension() == suffix) return path.parent_path() / path.stem();
  return path;
}

}  // namespace

std::optional<fs::path> locate_file(const std::string& dataset, const CatalogueFile& file,
                                    const DataPath& path, std::vector<fs::path>& tried) {
  std::error_code error;
  for (const fs::path& folder : path.folders)
    for (const fs::path& place : {folder / dataset / file.path, folder / file.path}) {
      tried.push_back(place);
      if (fs::is_regular_file(place, error)) return place;
      const fs::path plain = without_compression(place);
      if (fs::is_regular_file(plain, error)) return plain;
      for (const std::string_view suffix : compressions) {
        fs::path packed = plain;
        packed += suffix;
        if (fs::is_regular_file(packed, error)) return packed;
      }
    }
  return std::nullopt;
}

std::unique_ptr<DatasetSource> make_catalogued_source(const DatasetEntry& entry,
                                                      const CatalogueEntry& catalogue, const DataPath& path,
                                                      Problems& problems) {
  for (const auto& [part, file] : catalogue.files) {
    std::vector<fs::path> tried;
    if (locate_file(entry.name, file, path, tried)) continue;
    std::vector<std::string> places;
    for (const fs::path& place : tried) places.push_back(place.string());
    problems.add(
        entry.location,
        fmt::format("dataset '{}' is in the catalogue but its {} file is not on this machine; tried {}; "
                    "get it with 'coppice data fetch {}' or point --data or COPPICE_DATA at its folder",
                    entry.name, part, fmt::join(places, ", "), entry.name));
    return nullptr;
  }
  problems.add(entry.location,
               fmt::format("dataset '{}': no reader for the format '{}'", entry.name, catalogue.format));
  return nullptr;
}

}  // namespace coppice

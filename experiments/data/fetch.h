#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/data/catalogue.h"

namespace coppice {

/// A file that `data fetch` brought or found.
struct FetchedFile {
  std::string part;  ///< `train`, `test`…
  std::filesystem::path path;
  bool was_there = false;  ///< with the right checksum, so that nothing was downloaded
};

/// How far a download is: the file's part, bytes so far, bytes in all (0 if unknown).
using FetchProgress = std::function<void(const std::string& part, std::uintmax_t done, std::uintmax_t total)>;

/// Downloads the files of a catalogued dataset to `folder`/<name>/, checks their checksums, unpacks them, and
/// gives each its name only then. Throws Error(data) if the catalogue has no address for a file or what came
/// has another checksum, and Error(input_output) in one line if the network or the disk refuses.
std::vector<FetchedFile> fetch_dataset(const CatalogueEntry& entry, const std::filesystem::path& folder,
                                       const FetchProgress& progress = {});

/// The SHA-256 of a file as it is and of what it unpacks to; the same twice where it is not compressed.
/// Throws Error(data).
struct FileDigests {
  std::string file;
  std::string content;
};
FileDigests file_digests(const std::filesystem::path& path);

}  // namespace coppice

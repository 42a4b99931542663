#pragma once

#include <filesystem>
#include <optional>

#include "core/data/readers/reader.h"

namespace coppice {

/// Keeps what was read from files in binary form, so that a second run starts at once. Entries are found by
/// the content of the files and the options they are read with: nothing depends on names, places or times,
/// and a changed file is another entry.
class DatasetCache {
 public:
  /// In $COPPICE_CACHE (`off`: no cache), else below $XDG_CACHE_HOME or ~/.cache; no cache where there is
  /// none of these.
  static DatasetCache standard();
  /// Without a folder nothing is kept.
  explicit DatasetCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  const std::optional<std::filesystem::path>& folder() const { return folder_; }

  /// The dataset from the cache, or from its files, in which case it is in the cache afterwards. A cache that
  /// cannot be written or is damaged makes a note and no error. Throws Error(data) like read_dataset().
  ReadResult read(const ReadOptions& options) const;

  /// Files below this many bytes are read faster than looked up.
  static constexpr std::uintmax_t smallest_files = 100'000;
  /// The oldest entries go when all of them need more than this.
  static constexpr std::uintmax_t largest_cache = std::uintmax_t{20} << 30;

 private:
  std::filesystem::path entry(const ReadOptions& options) const;
  void store(const ReadResult& result, const std::filesystem::path& file) const;
  void shrink(const std::filesystem::path& kept) const;

  std::optional<std::filesystem::path> folder_;
};

}  // namespace coppice

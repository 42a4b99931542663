#include "experiments/data/cache.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "core/base/fingerprint.h"
#include "core/data/cache/dataset_file.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

/// Raised whenever a reader makes other data out of the same files: old entries are not found any more then.
constexpr std::uint64_t reader_version = 2;

std::vector<const InputFile*> files_of(const ReadOptions& options) {
  std::vector<const InputFile*> files;
  for (const InputFile& file : options.train) files.push_back(&file);
  for (const InputFile& file : options.test) files.push_back(&file);
  if (options.labels) files.push_back(&*options.labels);
  return files;
}

void add_content(Fingerprinter& fingerprinter, const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    fingerprinter.add(std::string_view(block.data(), static_cast<std::size_t>(in.gcount())));
  fingerprinter.add("end of file");
}

void add_texts(Fingerprinter& fingerprinter, const std::vector<std::string>& texts) {
  fingerprinter.add(texts.size());
  for (const std::string& text : texts) fingerprinter.add(text);
}

/// Everything that decides what comes out but the name of the dataset.
Fingerprint key_of(const ReadOptions& options) {
  const auto or_none = [](const auto& value) { return value ? static_cast<std::uint64_t>(*value) + 1 : 0; };
  Fingerprinter fingerprinter;
  fingerprinter.add(std::uint64_t{dataset_file_version}).add(reader_version).add(options.format);
  fingerprinter.add(or_none(options.task)).add(or_none(options.output_count)).add(or_none(options.base));
  fingerprinter.add(or_none(options.separator))
      .add(or_none(options.header))
      .add(or_none(options.directed_graph));
  add_texts(fingerprinter, options.outputs);
  add_texts(fingerprinter, options.drop);
  add_texts(fingerprinter, options.categorical);
  fingerprinter.add(options.groups).add(options.propensity.a).add(options.propensity.b);
  fingerprinter.add(options.train.size())
      .add(options.test.size())
      .add(std::uint64_t{options.labels.has_value()});
  // A suffix decides between commas and tabs.
  fingerprinter.add(without_compression(options.train[0].path).extension().string());
  for (const InputFile* file : files_of(options)) add_content(fingerprinter, file->path);
  return fingerprinter.value();
}

bool worth_caching(const ReadOptions& options) {
  std::uintmax_t bytes = 0;
  for (const InputFile* file : files_of(options)) {
    std::error_code error;
    const std::uintmax_t size = file->text ? 0 : fs::file_size(file->path, error);
    if (file->text || error) return false;
    bytes += size;
  }
  return bytes >= DatasetCache::smallest_files;
}

}  // namespace

DatasetCache DatasetCache::standard() {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
  if (const auto chosen = variable("COPPICE_CACHE"))
    return DatasetCache(*chosen == "off" ? std::nullopt : std::optional<fs::path>(*chosen));
  if (const auto base = variable("XDG_CACHE_HOME")) return DatasetCache(fs::path(*base) / "coppice");
  if (const auto home = variable("HOME")) return DatasetCache(fs::path(*home) / ".cache" / "coppice");
  return DatasetCache(std::nullopt);
}

fs::path DatasetCache::entry(const ReadOptions& options) const {
  return *folder_ / (key_of(options).text() + ".coppice-data");
}

ReadResult DatasetCache::read(const ReadOptions& options) const {
  if (!folder_ || !worth_caching(options)) return read_dataset(options);
  const fs::path file = entry(options);
  std::error_code error;
  std::string trouble;
  if (fs::exists(file, error)) {
    try {
      ReadResult result = read_dataset_file(file, options.name);
      fs::last_write_time(file, fs::file_time_type::clock::now(), error);
      return result;
    } catch (const Error& damaged) {
      trouble = fmt::format("{}; it is made anew", damaged.message());
    }
  }
  ReadResult result = read_dataset(options);
  try {
    store(result, file);
  } catch (const Error& refused) {
    trouble = fmt::format("the cache cannot be used: {}", refused.message());
  }
  if (!trouble.empty()) result.notes.push_back(trouble);
  return result;
}

void DatasetCache::store(const ReadResult& result, const fs::path& file) const {
  std::error_code error;
  fs::create_directories(*folder_, error);
  write_dataset_file(result.dataset, result.notes, file);
  shrink(file);
}

void DatasetCache::shrink(const fs::path& kept) const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(*folder_, error)) {
    if (item.path().extension() != ".coppice-data") continue;
    entries.push_back({item.last_write_time(error), item.file_size(error), item.path()});
    total += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& old : entries) {
    if (total <= largest_cache) return;
    if (old.path == kept) continue;
    fs::remove(old.path, error);
    total -= old.bytes;
  }
}

}  // namespace coppice

#include "experiments/data/cache.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

std::string libsvm_text(int rows) {
  std::string text;
  for (int row = 0; row < rows; ++row) text += fmt::format("{} {}:{} 50:1\n", row % 3, 1 + row % 40, row);
  return text;
}

ReadOptions options_for(const std::filesystem::path& file, const std::string& name = "mine") {
  ReadOptions options;
  options.name = name;
  options.format = "libsvm";
  options.task = Task::multiclass;
  options.train.push_back({file, std::nullopt});
  return options;
}

std::size_t entries(const std::filesystem::path& folder) {
  std::error_code error;
  const auto all = std::filesystem::directory_iterator(folder, error);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("a second reading comes from the cache, by content and not by name") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.svm", libsvm_text(8000));
  const DatasetCache cache(folder.path() / "cache");
  const ReadResult first = cache.read(options_for(file));
  CHECK(entries(folder.path() / "cache") == 1);
  const auto moved = folder.write("b.svm", libsvm_text(8000));
  std::filesystem::remove(file);
  const ReadResult second = cache.read(options_for(moved, "other"));
  CHECK(entries(folder.path() / "cache") == 1);
  CHECK(second.dataset.fingerprint() == first.dataset.fingerprint());
  CHECK(second.dataset.name() == "other");
  CHECK(second.notes == first.notes);
}

TEST_CASE("other content and other options are other entries") {
  const TemporaryFolder folder;
  const DatasetCache cache(folder.path() / "cache");
  const auto file = folder.write("a.svm", libsvm_text(8000));
  cache.read(options_for(file));
  folder.write("a.svm", libsvm_text(8001));
  CHECK(cache.read(options_for(file)).dataset.rows() == 8001);
  ReadOptions regression = options_for(file);
  regression.task = Task::regression;
  CHECK(cache.read(regression).dataset.task() == Task::regression);
  CHECK(entries(folder.path() / "cache") == 3);
}

TEST_CASE("small files and a cache that is off leave nothing behind") {
  const TemporaryFolder folder;
  const auto small = folder.write("a.svm", libsvm_text(10));
  DatasetCache(folder.path() / "cache").read(options_for(small));
  CHECK(entries(folder.path() / "cache") == 0);
  const auto large = folder.write("b.svm", libsvm_text(8000));
  CHECK(DatasetCache(std::nullopt).read(options_for(large)).dataset.rows() == 8000);
}

TEST_CASE("a damaged entry is noted and made anew; a cache that cannot be written is noted") {
  const TemporaryFolder folder;
  const DatasetCache cache(folder.path() / "cache");
  const auto file = folder.write("a.svm", libsvm_text(8000));
  const ReadResult whole = cache.read(options_for(file));
  const auto entry = std::filesystem::directory_iterator(folder.path() / "cache")->path();
  std::filesystem::resize_file(entry, 1000);
  const ReadResult again = cache.read(options_for(file));
  CHECK(again.dataset.fingerprint() == whole.dataset.fingerprint());
  CHECK(again.notes.back().find("it is made anew") != std::string::npos);
  CHECK(cache.read(options_for(file)).notes == whole.notes);

  const DatasetCache blocked(folder.write("file", "no folder"));
  const ReadResult result = blocked.read(options_for(file));
  CHECK(result.dataset.rows() == 8000);
  CHECK(result.notes.back().find("the cache cannot be used") == 0);
}

TEST_CASE("where the cache is") {
  const EnvironmentVariable xdg("XDG_CACHE_HOME", "/xdg");
  {
    const EnvironmentVariable chosen("COPPICE_CACHE", "/chosen");
    CHECK(DatasetCache::standard().folder() == "/chosen");
  }
  {
    const EnvironmentVariable off("COPPICE_CACHE", "off");
    CHECK_FALSE(DatasetCache::standard().folder());
  }
  const EnvironmentVariable unset("COPPICE_CACHE", "");
  CHECK(DatasetCache::standard().folder() == "/xdg/coppice");
}

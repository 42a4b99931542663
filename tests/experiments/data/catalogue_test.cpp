#include "experiments/data/catalogue.h"

#include <algorithm>
#include <cstdlib>

#include <doctest/doctest.h>

#include "experiments/data/catalogued.h"
#include "experiments/data/listing.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

/// Counted from the files by an independent parser (the README of the staged data).
struct Counts {
  const char* name;
  double cardinality;
  std::size_t missing;
};

const std::vector<Counts>& counts() {
  static const std::vector<Counts> all{
      {"emotions", 1.8685, 0},
      {"scene", 1.0740, 0},
      {"yeast", 4.2371, 0},
      {"tmc2007-500", 2.1579, 0},
      {"genbase", 1.2523, 0},
      {"enron", 3.3784, 0},
      {"bibtex", 2.4019, 0},
      {"delicious", 19.0200, 0},
      {"flags", 3.3918, 0},
      {"ng20", 1.0289, 0},
      {"reutersk500", 1.4622, 0},
      {"rcv1sub1", 2.8797, 0},
      {"stackex_cooking", 2.2248, 0},
      {"corel16k001", 2.8587, 0},
      {"langlog", 1.1801, 0},
      {"yahoo_arts", 1.6539, 0},
      {"imdb", 1.9997, 0},
      {"cellcycle_GO", 34.9096, 16136},
      {"seq_FUN", 8.5512, 32},
      {"diatoms", 1.9481, 0},
      {"imclef07a", 3.0000, 0},
      {"atp1d", 0, 0},
      {"edm", 0, 0},
      {"oes10", 0, 0},
      {"wq", 0, 0},
      {"sf1", 0, 0},
      {"sf2", 0, 0},
      {"slump", 0, 0},
      {"andro", 0, 0},
      {"osales", 0, 10012},
      {"scpf", 0, 9255},
      {"rf1", 0, 3264},
      {"aloi", 1, 0},
      {"mushrooms", 1, 0},
      {"farm-ads", 1, 0},
  };
  return all;
}

std::shared_ptr<const Dataset> load(const std::string& name, const DataPath& path) {
  Problems problems;
  const auto source = make_source({name, {"test.yaml", 1, 1}, {}}, path, problems);
  INFO(problems.text());
  REQUIRE(source != nullptr);
  return source->load(Stream(1));
}

void check_shape(const Dataset& dataset, const CatalogueEntry& entry) {
  CHECK(dataset.task() == entry.task);
  CHECK(dataset.rows() == entry.shape.at("rows"));
  CHECK(dataset.feature_count() == entry.shape.at("features"));
  CHECK(dataset.output_count() == entry.shape.at("outputs"));
  CHECK(dataset.given_split().has_value() == entry.shape.contains("train"));
  if (!dataset.given_split()) return;
  CHECK(dataset.given_split()->train.size() == entry.shape.at("train"));
  CHECK(dataset.given_split()->test.size() == entry.shape.at("test"));
}

}  // namespace

TEST_CASE("every file of the catalogue is well-formed and complete") {
  const auto names = catalogue_names();
  CHECK(names.size() >= 60);
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto entry = find_in_catalogue(name);
    REQUIRE(entry);
    CHECK_FALSE(entry->domain.empty());
    CHECK_FALSE(entry->origin.empty());
    CHECK_FALSE(entry->licence.empty());
    CHECK(entry->shape.contains("rows"));
    CHECK(entry->shape.contains("features"));
    CHECK(entry->shape.contains("outputs"));
    CHECK(entry->shape.contains("train") == entry->shape.contains("test"));
    if (entry->shape.contains("train"))
      CHECK(entry->shape.at("train") + entry->shape.at("test") == entry->shape.at("rows"));
    CHECK(entry->files.empty() == entry->format.empty());
    for (const auto& [part, file] : entry->files) {
      CHECK((part == "train" || part == "valid" || part == "test" || part == "labels"));
      CHECK((file.sha256.empty() || file.sha256.size() == 64));
      CHECK((file.content_sha256.empty() || file.content_sha256.size() == 64));
      CHECK((file.address.empty() || file.address.starts_with("https://")));
    }
  }
}

TEST_CASE("all staged datasets load by name with the counts of an independent parser") {
  const char* folder = std::getenv("COPPICE_DATA");
  if (folder == nullptr) {
    MESSAGE("skipped: set COPPICE_DATA to the folder with the staged datasets to run this test");
    return;
  }
  const EnvironmentVariable no_cache("COPPICE_CACHE", "off");
  const DataPath path = DataPath::standard("");
  for (const Counts& expected : counts()) {
    CAPTURE(expected.name);
    const auto entry = find_in_catalogue(expected.name);
    REQUIRE(entry);
    const auto dataset = load(expected.name, path);
    check_shape(*dataset, *entry);
    CHECK(dataset->features().missing() == expected.missing);
    if (has_labels(dataset->task()))
      CHECK(static_cast<double>(dataset->labels().total()) / static_cast<double>(dataset->rows()) ==
            doctest::Approx(expected.cardinality).epsilon(0.00005));
  }
}

TEST_CASE("a staged dataset comes from the cache as from its files") {
  if (std::getenv("COPPICE_DATA") == nullptr) {
    MESSAGE("skipped: set COPPICE_DATA to the folder with the staged datasets to run this test");
    return;
  }
  const TemporaryFolder folder;
  const EnvironmentVariable cache("COPPICE_CACHE", folder.path().string());
  for (const char* name : {"tmc2007-500", "cellcycle_GO", "aloi", "rf1"}) {
    CAPTURE(name);
    const auto from_files = load(name, DataPath::standard(""))->fingerprint();
    const auto cached = load(name, DataPath::standard(""));
    CHECK(cached->fingerprint() == from_files);
    // The fingerprint of the values themselves, not the stored one.
    const Dataset again =
        has_labels(cached->task())
            ? Dataset(name, cached->task(), cached->features(), cached->labels(), cached->extras())
            : Dataset(name, cached->features(), cached->targets(), cached->extras());
    CHECK(again.fingerprint() == from_files);
  }
}

TEST_CASE("psp@K has the constants that were published for a dataset, else 0.55 and 1.5") {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("COPPICE_CACHE", "off");
  const auto constants = [&](const std::string& name) {
    folder.write(name + "/train.txt", "2 4 5\n0,1 0:1 2:1\n1 1:1\n");
    folder.write(name + "/test.txt", "1 4 5\n0 0:1\n");
    const Propensity found = load(name, DataPath::standard(folder.path().string()))->propensity();
    return std::pair{found.a, found.b};
  };
  CHECK(constants("wikilshtc-325k") == std::pair{0.5, 0.4});
  CHECK(constants("amazon-670k") == std::pair{0.6, 2.6});
  for (const char* name : {"eurlex-4k", "wiki10-31k", "delicious-200k", "amazoncat-13k"})
    CHECK(constants(name) == std::pair{0.55, 1.5});
}

TEST_CASE("the list of datasets says which are on this machine") {
  const TemporaryFolder folder;
  folder.write(
      "catalogue/here.yaml",
      "name: here\ntask: multi-label\ndomain: text\nformat: arff\nfiles: {train: {path: here.arff.xz}}\n");
  folder.write(
      "catalogue/away.yaml",
      "name: away\ntask: regression\nformat: arff\nfiles: {train: {path: a.arff, address: 'https://a/b'}}\n");
  folder.write("files/here/here.arff.gz", "");
  const EnvironmentVariable catalogue("COPPICE_CATALOGUE", (folder.path() / "catalogue").string());
  DataPath path;
  path.folders = {folder.path() / "files"};
  const auto listings = list_datasets(path);
  const auto find = [&](const std::string& name) {
    return *std::find_if(listings.begin(), listings.end(),
                         [&](const auto& item) { return item.name == name; });
  };
  CHECK(find("here").present);
  CHECK_FALSE(find("here").fetchable);
  CHECK_FALSE(find("away").present);
  CHECK(find("away").fetchable);
  CHECK(find("friedman1").generated);
  CHECK(find("friedman1").present);
}

#include "experiments/data/source.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "experiments/data/catalogue.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

DatasetEntry entry(const std::string& name, std::map<std::string, std::string> options = {}) {
  DatasetEntry made{name, {"my.yaml", 3, 5}, {}};
  int column = 10;
  for (const auto& [key, text] : options) made.options[key] = {text, {"my.yaml", 3, column++}, {}};
  return made;
}

}  // namespace

TEST_CASE("a generator is a source; fresh for each repeat unless it has a seed") {
  Problems problems;
  const auto source = make_source(entry("friedman1-chain", {{"train", "20"}, {"test", "10"}}), {}, problems);
  REQUIRE(source != nullptr);
  CHECK(problems.empty());
  CHECK(source->fresh_for_each_repeat());
  CHECK(source->load(Stream(1))->rows() == 30);
  CHECK(source->load(Stream(1))->fingerprint() == source->load(Stream(1))->fingerprint());
  CHECK(source->load(Stream(1))->fingerprint() != source->load(Stream(2))->fingerprint());

  const auto fixed = make_source(entry("friedman1-chain", {{"train", "20"}, {"seed", "7"}}), {}, problems);
  REQUIRE(fixed != nullptr);
  CHECK_FALSE(fixed->fresh_for_each_repeat());
  CHECK(fixed->load(Stream(1))->fingerprint() == fixed->load(Stream(2))->fingerprint());
}

TEST_CASE("one generator serves several entries under names of their own") {
  Problems problems;
  const auto source =
      make_source(entry("wide", {{"generator", "friedman1-group"}, {"targets", "3"}}), {}, problems);
  REQUIRE(source != nullptr);
  CHECK(source->name() == "wide");
  CHECK(source->load(Stream(1))->output_count() == 3);
  make_source(entry("wide", {{"generator", "friedman1-grup"}}), {}, problems);
  CHECK(problems.text() == "my.yaml:3:10: no generator 'friedman1-grup'; did you mean friedman1-group?\n");
}

TEST_CASE("all that is wrong with a generator's options is reported with its place") {
  Problems problems;
  CHECK(make_source(entry("friedman1-chain", {{"noise", "sqrt(p)"}, {"targts", "3"}, {"test", "-1"}}), {},
                    problems) == nullptr);
  CHECK(problems.text() ==
        "my.yaml:3:10: noise: expected a number; sqrt(p) speaks of data that is yet to be made\n"
        "my.yaml:3:11: friedman1-chain has no parameter 'targts'; did you mean targets?\n"
        "my.yaml:3:12: test: -1 is out of range; expected 0 or more\n");
}

TEST_CASE("options that contradict each other are reported") {
  Problems problems;
  CHECK(make_source(entry("multilabel", {{"labels", "2"}, {"cardinality", "3"}}), {}, problems) == nullptr);
  CHECK(problems.text().find("my.yaml:3:5: multilabel: cardinality: 3 labels a row is too many") == 0);
}

TEST_CASE("an unknown dataset names the nearest, or the places looked at") {
  Problems slip;
  CHECK(make_source(entry("friedman1-chian"), {}, slip) == nullptr);
  CHECK(slip.text() == "my.yaml:3:5: no dataset 'friedman1-chian'; did you mean friedman1-chain?\n");

  Problems strange;
  DataPath path;
  path.folders = {"/some/where"};
  CHECK(make_source(entry("qqqqqqqqqqqqqqqq"), path, strange) == nullptr);
  CHECK(strange.text().find("/some/where") != std::string::npos);
  CHECK(strange.text().find("nearest names: ") != std::string::npos);
}

TEST_CASE("a dataset of the catalogue whose files are absent says where they were looked for") {
  const TemporaryFolder folder;
  folder.write("catalogue/mine.yaml",
               "name: mine\ntask: multi-label\nformat: arff\nfiles:\n  train: {path: mine.arff.xz}\n");
  const EnvironmentVariable catalogue("COPPICE_CATALOGUE", (folder.path() / "catalogue").string());
  const auto names = known_dataset_names();
  CHECK(std::find(names.begin(), names.end(), "mine") != names.end());
  Problems problems;
  DataPath path;
  path.folders = {"/absent/data"};
  CHECK(make_source(entry("mine"), path, problems) == nullptr);
  CHECK(problems.text().find("tried /absent/data/mine/mine.arff.xz, /absent/data/mine.arff.xz") !=
        std::string::npos);
}

TEST_CASE("the data path: the option, then COPPICE_DATA, then the catalogue's own files") {
  const EnvironmentVariable data("COPPICE_DATA", "/from/environment");
  const EnvironmentVariable catalogue("COPPICE_CATALOGUE", "/the/catalogue");
  const DataPath path = DataPath::standard("/from/option");
  REQUIRE(path.folders.size() == 3);
  CHECK(path.folders[0] == "/from/option");
  CHECK(path.folders[1] == "/from/environment");
  CHECK(path.folders[2] == "/the/catalogue/files");
}

TEST_CASE("a malformed catalogue file is refused with its place") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& content) {
    folder.write("mine.yaml", content);
    try {
      read_catalogue_entry(folder.path() / "mine.yaml");
      return std::string("accepted");
    } catch (const Error& error) {
      return fmt::format("{}:{}: {}", error.location().line, error.location().column, error.message());
    }
  };
  CHECK(message("name: mine\ntask: multi-label\nfiles: {train: {path: a.arff}}\n") == "accepted");
  CHECK(message("name: other\ntask: multi-label\n") == "1:1: the name 'other' is not that of the file");
  CHECK(message("name: mine\n") == "1:1: the key 'task' is missing");
  CHECK(message("name: mine\ntask: multi\n") ==
        "2:7: unknown task 'multi'; expected multi-label, multi-class or regression");
  CHECK(message("name: mine\ntask: regression\ndomian: x\n") ==
        "3:1: unknown key 'domian'; did you mean domain?");
  CHECK(message("name: mine\ntask: regression\nshape: {rows: many}\n") ==
        "3:15: rows: expected a whole number");
}

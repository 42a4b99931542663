#include "experiments/data/source.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

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

TEST_CASE("a file is a source; paths are relative to the config") {
  const TemporaryFolder folder;
  folder.write("data/mine.arff",
               "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n");
  folder.write("data/more.arff",
               "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n2,1,1\n");
  folder.write("data/mine.xml", "<labels><label name='a'/><label name='b'/></labels>");
  const std::string config = (folder.path() / "my.yaml").string();
  DatasetEntry made{"my-data", {config, 3, 5}, {}};
  made.options["file"] = {"data/mine.arff", {config, 3, 9}, {}};
  made.options["labels"] = {"data/mine.xml", {config, 4, 9}, {}};
  made.options["test"] = {"data/more.arff", {config, 5, 9}, {}};
  Problems problems;
  const auto source = make_source(made, {}, problems);
  INFO(problems.text());
  REQUIRE(source != nullptr);
  CHECK(source->name() == "my-data");
  CHECK_FALSE(source->fresh_for_each_repeat());
  const auto data = source->load(Stream(1));
  CHECK(data->name() == "my-data");
  CHECK(data->task() == Task::multilabel);
  CHECK(data->given_split()->test == Rows{1});
  CHECK(source->load(Stream(2)) == data);

  made.options["labels"] = {"", {config, 4, 9}, {{"b", {config, 4, 10}, {}}}};
  const auto named = make_source(made, {}, problems);
  REQUIRE(named != nullptr);
  CHECK(named->load(Stream(1))->output_names() == std::vector<std::string>{"b"});
}

TEST_CASE("all that is wrong with the options of a file is reported with its place") {
  const TemporaryFolder folder;
  folder.write("mine.arff", "");
  folder.write("mine.dat", "");
  const std::string config = (folder.path() / "my.yaml").string();
  const auto problems_of = [&](const std::map<std::string, std::string>& options) {
    DatasetEntry made{"my-data", {config, 3, 5}, {}};
    int line = 10;
    for (const auto& [key, text] : options) made.options[key] = {text, {"c", line++, 1}, {}};
    Problems problems;
    CHECK(make_source(made, {}, problems) == nullptr);
    return problems.text();
  };
  CHECK(problems_of({{"file", "mien.arff"}}) ==
        fmt::format("c:10:1: file: no file '{}'; did you mean mine.arff?\n",
                    (folder.path() / "mien.arff").string()));
  CHECK(
      problems_of(
          {{"base", "2"}, {"file", "mine.arff"}, {"format", "arf"}, {"header", "maybe"}, {"lables", "x"}}) ==
      "c:10:1: base: expected 0 or 1, found '2'\n"
      "c:12:1: format: no format 'arf'; did you mean arff?\n"
      "c:13:1: header: expected true or false, found 'maybe'\n"
      "c:14:1: dataset 'my-data' has no option 'lables'; did you mean labels?\n");
  CHECK(problems_of({{"file", "mine.dat"}})
            .find("cannot be told from its name; say 'format: …', one of arff, csv, extreme-text, libsvm, "
                  "vowpal-wabbit") != std::string::npos);
  CHECK(problems_of({{"file", "mine.arff"}, {"prepare", "whiten"}, {"task", "ranking"}}) ==
        "c:11:1: prepare: no step 'whiten'; known: impute, standardise-inputs, standardise-targets, "
        "unit-rows, idf, "
        "tf-idf, drop-empty-labels\n"
        "c:12:1: task: expected multi-label, multi-class or regression, found 'ranking'\n");
}

TEST_CASE("an entry says how its data is prepared") {
  Problems problems;
  DatasetEntry made = entry("friedman1-group", {{"train", "20"}});
  made.options["prepare"] = {"", {}, {{"impute", {}, {}}, {"standardise-targets", {}, {}}}};
  const auto source = make_source(made, {}, problems);
  REQUIRE(source != nullptr);
  CHECK(source->preparation() ==
        std::vector<PrepareStep>{PrepareStep::impute, PrepareStep::standardise_targets});
}

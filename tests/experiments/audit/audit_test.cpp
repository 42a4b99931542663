#include <doctest/doctest.h>

#include "experiments/audit/explain.h"
#include "experiments/audit/verify.h"
#include "experiments/plan/plan_diff.h"
#include "experiments/store/result_folder.h"
#include "experiments/store/shell_word.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::replaced_in;
using coppice::testing::run_quietly;

TEST_CASE("a number is explained by its trials, seeds, lines, data, build, machine and a command") {
  const testing::TemporaryFolder folder;
  run_quietly(plan_of(testing::small_experiment), folder.path());
  const auto json = explain_cell(folder.path(), "friedman1-chain,RF trees=5,r2-macro");
  REQUIRE(json["trials"].size() == 3);
  std::vector<double> values;
  for (const ResultRow& row : load_results(folder.path()).rows)
    if (row.dataset == "friedman1-chain" && row.algorithm == "RF trees=5" && row.metric == "r2-macro")
      values.push_back(row.value);
  REQUIRE(values.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(json["trials"][i]["value"] == values[i]);
    CHECK(json["trials"][i]["repeat"] == i);
    CHECK(json["trials"][i]["parameters"]["trees"] == 5);
    CHECK(json["trials"][i]["trial"].get<std::string>().size() == 32);
    CHECK(json["trials"][i]["stream"].get<std::string>().size() == 32);
    CHECK(json["trials"][i].contains("host"));
  }
  CHECK(json["trials"][0]["stream"] != json["trials"][1]["stream"]);
  CHECK(json["config"]["dataset"] == "test.yaml:4:5");
  CHECK(json["config"]["algorithm"] == "test.yaml:9:5");
  CHECK(json["config"]["metric"] == "test.yaml:11:11");
  CHECK(json["fingerprints"].size() == 3);
  CHECK(json["build"].contains("commit"));
  CHECK(json["recompute"].get<std::string>().find("--only 'dataset=friedman1-chain,algorithm=RF trees=5'") !=
        std::string::npos);
  const std::string text = explanation_text(json);
  for (const char* part : {"test.yaml:9:5", "repeat 2 fold 0", "compute it again: coppice verify", "seed"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  CHECK_THROWS_WITH_AS(explain_cell(folder.path(), "friedman1-chain,RG,r2-macro"),
                       doctest::Contains("no algorithm 'RG'"), Error);
  CHECK_THROWS_WITH_AS(explain_cell(folder.path(), "friedman1-chain"),
                       doctest::Contains("expected dataset,algorithm,metric"), Error);
}

TEST_CASE("verification runs a sample again, and finds a number that was tampered with") {
  const testing::TemporaryFolder folder;
  const std::string text = replaced_in(testing::small_experiment, "  - constant\n",
                                       "  - constant\n  - extra-trees: {id: T, tune: {trees: {upto: 3}}}\n");
  run_quietly(plan_of(text), folder.path());
  const auto verify = [&](std::size_t sample, const char* only = "") {
    return verify_results(folder.path(), sample, 1, TrialSelection::parse(only), DataPath{}, 2, {});
  };
  CHECK(verify(4).verified == 4);
  const Verification all = verify(0);
  CHECK(all.finished == 30);
  CHECK(all.verified == 30);
  CHECK(all.mismatches.empty());
  CHECK(all.unexplained == 0);
  CHECK(verify(0, "algorithm=RF").verified == 12);

  // A record that says something else, with a checksum that fits.
  const auto records = read_journal(folder.path() / "trials.jsonl").records;
  std::string journal;
  for (const auto& [hash, record] : records) {
    TrialRecord written = record;
    if (record.algorithm == "ET" && record.dataset == "multilabel" && record.repeat == 1)
      written.metrics["lrap"] += 1e-9;
    journal += written.line();
  }
  write_atomically(folder.path() / "trials.jsonl", journal);
  const Verification tampered = verify(0);
  REQUIRE(tampered.mismatches.size() == 1);
  CHECK(tampered.mismatches[0].metric == "lrap");
  CHECK(tampered.mismatches[0].repeat == 1);
  CHECK(tampered.mismatches[0].recorded != tampered.mismatches[0].found);

  // The config of the folder was changed behind its back.
  std::string understood = read_text(folder.path() / "experiment.yaml");
  write_atomically(folder.path() / "experiment.yaml", replaced_in(understood, "seed: 3", "seed: 4"));
  CHECK(verify(0).unexplained == 30);
}

TEST_CASE(
    "a trial under another name, or under one with commas, is verified by the command that explains it") {
  const testing::TemporaryFolder folder;
  const std::string text = replaced_in(testing::small_experiment, "id: ET, trees: 4, features: 1}",
                                       "id: ET, trees: 4, features: 1}\n"
                                       "  - extra-trees: {id: 'the same, again', trees: 4, features: 1}");
  run_quietly(plan_of(text), folder.path());
  const auto verified = [&](const std::string& only) {
    return verify_results(folder.path(), 0, 1, TrialSelection::parse(only), DataPath{}, 1, {}).verified;
  };
  CHECK(verified("dataset=multilabel,algorithm=ET") == 3);
  CHECK(verified("dataset=multilabel,algorithm=the same, again") == 3);
  CHECK(verified("algorithm=the same, again,algorithm=constant") == 12);
  CHECK_THROWS_WITH_AS(TrialSelection::parse("dataset=multilabel,algoritm=ET"),
                       doctest::Contains("found 'algoritm=ET'"), Error);
  CHECK_THROWS_WITH_AS(explain_cell(folder.path(), "multilabel,RG,lrap"),
                       doctest::Contains("no algorithm 'RG' in these results; known: constant, RF"), Error);

  // What is wrong with the config of the folder is said of that file.
  const std::string understood = read_text(folder.path() / "experiment.yaml");
  write_atomically(folder.path() / "experiment.yaml", replaced_in(understood, "seed: 3", "seed: x"));
  CHECK_THROWS_WITH_AS(verified(""), doctest::Contains((folder.path() / "experiment.yaml").c_str()), Error);
  // Trials of other algorithms that changed do not concern a part.
  write_atomically(folder.path() / "experiment.yaml", replaced_in(understood, "[2, 5]", "[2, 6]"));
  const auto unexplained = [&](const std::string& only) {
    return verify_results(folder.path(), 1, 1, TrialSelection::parse(only), DataPath{}, 1, {}).unexplained;
  };
  CHECK(unexplained("") == 6);
  CHECK(unexplained("algorithm=ET") == 0);
  CHECK(unexplained("algorithm=RF,dataset=multilabel") == 3);
}

TEST_CASE("words of a command come through a shell as they are") {
  CHECK(shell_word("--only") == "--only");
  CHECK(shell_word("algorithm=my trees") == "'algorithm=my trees'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("it's {a: $b}") == "'it'\\''s {a: $b}'");
}

TEST_CASE("data and folds of an included config are found again from the results folder") {
  const testing::TemporaryFolder folder;
  folder.write("parts/data.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,7\n6,6\n");
  folder.write("parts/folds.csv", "split,part,row\n0,train,0\n0,train,1\n0,train,2\n0,test,3\n0,test,4\n");
  folder.write("parts/base.yaml",
               "datasets: [mine: {file: data.csv, targets: [y]}]\nprotocol: {test: {folds: folds.csv}}\n");
  const auto config = folder.write("top.yaml",
                                   "include: parts/base.yaml\nname: top\nseed: 1\nalgorithms: [constant]\n"
                                   "metrics: [mse]\n");
  run_quietly(plan_experiment(config, {}, DataPath{}), folder.path() / "results");
  CHECK(verify_results(folder.path() / "results", 0, 1, {}, DataPath{}, 1, {}).verified == 1);
}

TEST_CASE("two configs differ in the trials that one adds, both share and the other leaves behind") {
  const Plan before = plan_of(testing::small_experiment);
  std::string text = replaced_in(testing::small_experiment, "[2, 5]", "[5, 9]");
  text = replaced_in(text, "id: ET, trees: 4", "id: renamed, trees: 4");
  const PlanDiff diff = diff_plans(before, plan_of(text));
  CHECK(diff.added == 6);
  CHECK(diff.reused == 18);
  CHECK(diff.orphaned == 6);
  CHECK(diff.added_fits.size() == 6);
  for (const CellDiff& cell : diff.cells) {
    CHECK(cell.added == (cell.algorithm == "RF trees=9" ? 3U : 0U));
    CHECK(cell.orphaned == (cell.algorithm == "RF trees=2" ? 3U : 0U));
  }
  CHECK(diff_plans(before, before).added_fits.empty());
}

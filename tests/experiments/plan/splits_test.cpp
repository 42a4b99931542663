#include "experiments/plan/splits.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/data/splits/split_file.h"
#include "core/data/splits/splits.h"
#include "experiments/schedule/run_fit.h"
#include "experiments/store/journal.h"
#include "tests/core/data/readers/reading.h"
#include "tests/experiments/data/temporary.h"
#include "tests/support/experiment.h"

using namespace coppice;
using coppice::testing::plan_of;

namespace {

Protocol protocol_of(const std::string& test) {
  Problems problems;
  Protocol protocol;
  parse_protocol_test(parse_config_text(test, "", problems), protocol, problems);
  problems.raise();
  return protocol;
}

/// 40 rows, two labels and eight groups; the first 30 rows are given to train on.
Dataset labelled(bool grouped = false) {
  std::string header =
      "@relation r\n@attribute x numeric\n@attribute who {a,b,c,d,e,f,g,h}\n"
      "@attribute l1 {0,1}\n@attribute l2 {0,1}\n@data\n";
  std::string train = header;
  std::string test = header;
  for (int row = 0; row < 40; ++row)
    (row < 30 ? train : test) += std::to_string(row) + "," + "abcdefgh"[row % 8] + "," +
                                 (row % 10 == 0 ? "1" : "0") + "," + (row % 2 == 0 ? "1" : "0") + "\n";
  ReadOptions options = with_test(reading("arff", train), test);
  options.output_count = 2;
  options.task = Task::multilabel;
  if (grouped) options.groups = "who";
  return read_dataset(options).dataset;
}

std::vector<Split> splits_of(const std::string& test, const Dataset& dataset, int repeat = 0) {
  return Splits(protocol_of(test), "mine", dataset, 3, repeat).all();
}

std::string refusal(const std::string& test, const Dataset& dataset) {
  try {
    splits_of(test, dataset);
    return "split";
  } catch (const Error& error) {
    return error.what();
  }
}

std::size_t count_label(const Dataset& dataset, const Rows& rows, std::uint32_t label) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](std::uint32_t row) {
    const auto labels = dataset.labels()[row];
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }));
}

}  // namespace

TEST_CASE("each protocol makes as many splits as it says, of the sizes it says") {
  const Dataset data = labelled();
  CHECK(splits_of("given", data)[0].test.size() == 10);
  CHECK(splits_of("redrawn", data)[0].train.size() == 30);
  CHECK(splits_of("redrawn", data)[0].test != data.given_split()->test);
  CHECK(splits_of("redrawn", data, 0)[0].test != splits_of("redrawn", data, 1)[0].test);
  CHECK(splits_of("{holdout: 0.25}", data)[0].test.size() == 10);
  CHECK(splits_of("{kfold: 8}", data).size() == 8);
  CHECK(splits_of("leave-one-out", data).size() == 40);
  const auto samples = splits_of("{bootstrap: 5}", data);
  CHECK(samples.size() == 5);
  CHECK(samples[0].train.size() == 40);
  CHECK(samples[0].train != samples[1].train);
}

TEST_CASE("stratified parts share the labels evenly") {
  const Dataset data = labelled();
  for (const Split& split : splits_of("{kfold: 4, stratify: true}", data)) {
    CHECK(count_label(data, split.test, 0) == 1);
    CHECK(count_label(data, split.test, 1) == 5);
  }
  CHECK(count_label(data, splits_of("{holdout: 0.25, stratify: true}", data)[0].test, 0) == 1);
}

TEST_CASE("declared groups are never separated by what is drawn") {
  const Dataset data = labelled(true);
  CHECK(splits_of("leave-one-out", data).size() == 8);
  for (const std::string test : {"{holdout: 0.3}", "{kfold: 4}", "leave-one-out", "{bootstrap: 4}"})
    for (const Split& split : splits_of(test, data)) {
      std::set<std::uint32_t> trained;
      for (const std::uint32_t row : split.train) trained.insert(data.groups()[row]);
      for (const std::uint32_t row : split.test) CHECK_FALSE(trained.contains(data.groups()[row]));
    }
}

TEST_CASE("data that cannot be split like that is refused") {
  CHECK(refusal("redrawn", labelled(true)).find("whole groups cannot") != std::string::npos);
  CHECK(refusal("{kfold: 4, stratify: true}", labelled(true)).find("cannot be kept together as well") !=
        std::string::npos);
  const Dataset real = read_dataset(reading("csv", "a,y\n1,2\n3,4\n")).dataset;
  CHECK(refusal("given", real).find("it has no given split") == 0);
  CHECK(refusal("{holdout: 0.5, stratify: true}", real) ==
        "stratify: real targets have no labels to stratify by");
}

TEST_CASE("exported folds are the same when imported, and so are the trials") {
  const TemporaryFolder folder;
  std::string text = testing::small_experiment;
  text.replace(text.find("test: given"), 11, "test: {kfold: 4}");
  text.replace(text.find("targets: 3"), 10, "targets: 3, seed: 5");
  const Plan drawn = plan_of(text);
  for (std::size_t dataset = 0; dataset < 2; ++dataset)
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<Split> splits;
      for (int fold = 0; fold < 4; ++fold) splits.push_back(drawn.split(dataset, repeat, fold));
      write_splits(splits, folder.path() / (drawn.datasets[dataset].name + std::to_string(repeat) + ".csv"));
    }
  text.replace(text.find("{kfold: 4}"), 10,
               "{folds: '" + folder.path().string() + "/{dataset}{repeat}.csv'}");
  const Plan imported = plan_of(text);
  REQUIRE(imported.trials.size() == drawn.trials.size());
  for (std::size_t i = 0; i < drawn.trials.size(); ++i)
    CHECK(imported.trials[i].hash == drawn.trials[i].hash);
}

TEST_CASE("a fold without a row of some label is told, and one without any label refused") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("mine.arff",
                   "@relation r\n@attribute x numeric\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@data\n"
                   "1,1,0\n2,0,1\n3,0,0\n4,0,0\n");
  const auto plan_with = [&](const std::string& splits, std::string* problems = nullptr) {
    const auto csv = folder.write("folds.csv", "split,part,row\n" + splits);
    return plan_of("name: n\nseed: 1\ndatasets: [mine: {file: " + file.string() +
                       ", targets: 2, task: multi-label}]\nprotocol: {test: {folds: " + csv.string() +
                       "}}\nalgorithms: [constant]\nmetrics: [hamming-loss]\n",
                   problems);
  };
  const Plan plan = plan_with("0,train,0\n0,train,2\n0,test,1\n0,test,3\n");
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0] == "dataset 'mine': of 2 labels 1 have no training row and 1 have no test row");
  std::string problems;
  plan_with("0,train,2\n0,train,3\n0,test,0\n0,test,1\n", &problems);
  CHECK(problems.find("dataset 'mine': no training row of fold 0 has a label") != std::string::npos);
  plan_with("0,train,9\n", &problems);
  CHECK(problems.find("folds.csv:2:9: expected the number of a row from 0 to 3, found '9'") !=
        std::string::npos);
}

TEST_CASE("the .632 estimate mixes the scores in and out of the bag") {
  const auto values = [](const std::string& test) {
    std::string text = testing::small_experiment;
    text.replace(text.find("test: given"), 11, "test: " + test);
    const Plan plan = plan_of(text);
    const StopFlag stop;
    for (const Fit& fit : plan.fits)
      if (plan.experiment.algorithms[fit.entry].id == "ET" && fit.dataset == 0)
        return std::pair(run_fit(plan, fit, stop)[0], plan.split(0, fit.repeat, fit.fold));
    FAIL("no such fit");
    return std::pair(TrialRecord{}, Split{});
  };
  const auto [out_of_bag, split] = values("{bootstrap: 2}");
  const auto [mixed, same_split] = values("{bootstrap: 2, estimate: .632}");
  CHECK(split.train == same_split.train);
  CHECK(out_of_bag.trial != mixed.trial);
  const double training = (mixed.metrics.at("r2-macro") - 0.632 * out_of_bag.metrics.at("r2-macro")) / 0.368;
  // Extra-trees without a bootstrap of their own know their training rows by heart.
  CHECK(training == doctest::Approx(1.0));
  CHECK(out_of_bag.metrics.at("r2-macro") < 0.9);
  CHECK(mixed.metrics.at("nodes") == out_of_bag.metrics.at("nodes"));
}

#include "experiments/config/experiment.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "experiments/config/experiment_yaml.h"
#include "experiments/store/files.h"
#include "tests/support/experiment.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;

namespace {

std::string problems_of(const std::string& yaml) {
  std::string problems;
  plan_of(yaml, &problems);
  return problems;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("five different mistakes give five messages with their places") {
  const std::string problems = problems_of(R"(name: bad
seed: minus
datasets: [friedman1-chian]
protocol: {test: given, repeats: 0}
algorithms:
  - random-forest: {trees: 10, treees: 3}
  - random-forst
metrics: [r2-macro]
)");
  CHECK(problems ==
        "test.yaml:2:7: seed: expected a whole number, found 'minus'\n"
        "test.yaml:3:12: no dataset 'friedman1-chian'; did you mean friedman1-chain?\n"
        "test.yaml:4:34: repeats: 0 is out of range; expected 1 … 100000\n"
        "test.yaml:6:32: random-forest has no parameter 'treees'; did you mean trees?\n"
        "test.yaml:7:5: no algorithm 'random-forst'; did you mean random-forest?\n");
}

TEST_CASE("a config that is not YAML is refused at its place") {
  CHECK(problems_of("name: [1, 2\nseed: 3\n").find("test.yaml:") == 0);
  CHECK(problems_of("name: [1, 2\nseed: 3\n").find("not valid YAML") != std::string::npos);
  CHECK(problems_of("").find("an experiment is a mapping") != std::string::npos);
  CHECK(problems_of("- a\n- b\n").find("found a list") != std::string::npos);
}

TEST_CASE("each kind of mistake is named") {
  const auto check = [](const std::string& from, const std::string& to, const std::string& message) {
    const std::string problems = problems_of(replaced(testing::small_experiment, from, to));
    CHECK_MESSAGE(problems.find(message) != std::string::npos, problems);
  };
  check("seed: 3\n", "", "'seed' is missing");
  check("seed: 3", "seed: 3\nseed: 4", "'seed' is given twice");
  check("name: small", "name: ../up", "it names the results folder");
  check("name: small", "nam: small", "no key 'nam'; did you mean name?");
  check("repeats: 3", "repeats: 3, folds: 2", "protocol has no key 'folds'");
  check("test: given", "test: {kfolds: 3}", "no protocol 'kfolds'; did you mean kfold?");
  check("test: given", "test: {holdout: 1.5}", "share of test rows, between 0 and 1");
  check("test: given", "test: leave-one-out",
        "r2-macro needs at least 2 test rows; a fold of dataset 'friedman1-chain' has 1");
  check("trees: [2, 5]", "trees: 2", "expected a list of values");
  check("trees: [2, 5]", "trees: [2, 2]", "has the value 2 twice");
  check("trees: 4", "trees: [4]", "a list goes into 'sweep: {trees: […]}'");
  check("trees: 4", "trees: -4", "trees: -4 is out of range");
  check("trees: 4", "trees: four", "unknown name 'four'");
  check("id: ET", "id: RF", "two algorithms are called 'RF'");
  check("lrap", "lrab", "lrab");
  check("lrap", "precision@9", "precision@9 asks for more labels than dataset 'multilabel' has (5)");
  check("[r2-macro, lrap, nodes]", "[r2-macro]",
        "no metric of this experiment is defined for dataset 'multilabel'");
  check("features: 1, sweep", "features: 6, sweep", "features: 6 is out of range where n = 40, p = 5");
  check("targets: 3", "target: 3", "target");
  check("  - constant\n", "  - constant: 3\n", "expected a name");
  check("nodes]", "nodes]\nexpect: {lrap: {multilabel: {RG: 0.5}}}", "expect: no algorithm 'RG'");
  check("nodes]", "nodes]\nexpect: {lrap: {multilabel: {ET: high}}}", "expected a number such as 0.384");
}

TEST_CASE("a setting on the command line changes the config") {
  Problems problems;
  ConfigNode root = parse_config_text(testing::small_experiment, "test.yaml", problems);
  apply_setting(root, "protocol.repeats=7");
  apply_setting(root, "algorithms.ET.trees=9");
  apply_setting(root, "seed=11");
  apply_setting(root, "metrics=[lrap, r2-macro]");
  apply_setting(root, "algorithms.constant.id=mean");
  const Experiment experiment = parse_experiment(root, problems);
  CHECK(problems.text().empty());
  CHECK(experiment.protocol.repeats == 7);
  CHECK(experiment.seed == 11);
  CHECK(experiment.metrics.size() == 2);
  CHECK(experiment.algorithms[0].id == "mean");
  CHECK(experiment.algorithms[2].parameters.at("trees").text == "9");
  CHECK_THROWS_WITH_AS(apply_setting(root, "algorithms.RG.trees=9"),
                       doctest::Contains("nothing is called 'RG'"), Error);
  CHECK_THROWS_AS(apply_setting(root, "no-equals"), Error);
}

TEST_CASE("the config as understood is a config with the same trials") {
  const Plan plan = plan_of(testing::small_experiment);
  const std::string yaml = experiment_yaml(plan);
  CHECK(yaml.find("min_samples_leaf: 1") != std::string::npos);
  const Plan again = plan_of(yaml);
  REQUIRE(again.trials.size() == plan.trials.size());
  for (std::size_t i = 0; i < plan.trials.size(); ++i) CHECK(again.trials[i].hash == plan.trials[i].hash);
}

TEST_CASE("the config as understood tells the values of every row, also of those that share a fit") {
  const std::string text =
      replaced(testing::small_experiment, "  - extra-trees: {id: ET, trees: 4, features: 1}\n",
               "  - extra-trees: {id: few, trees: p/5, features: 1}\n"
               "  - extra-trees: {id: many, trees: p, features: sqrt(p)}\n"
               "  - extra-trees: {id: most, trees: 2*p, features: 1}\n");
  const std::string yaml = experiment_yaml(plan_of(text));
  for (const char* line : {"trees: p/5  # friedman1-chain 1, multilabel 6",
                           "features: sqrt(p)  # friedman1-chain 2, multilabel 5",
                           "trees: 2*p  # friedman1-chain 10, multilabel 60"})
    CHECK_MESSAGE(yaml.find(line) != std::string::npos, yaml);
  CHECK(yaml.find("# \n") == std::string::npos);
}

TEST_CASE("a config includes others: mappings are put together, lists replaced, problems know their file") {
  const testing::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    write_atomically(folder.path() / name, text);
  };
  write("base.yaml", testing::small_experiment);
  write("more.yaml", "include: base.yaml\nprotocol: {repeats: 2}\n");
  write("top.yaml", "include: [more.yaml]\nname: top\nmetrics: [r2-macro, lrap]\n");
  Problems problems;
  const ConfigNode root = read_config_file(folder.path() / "top.yaml", problems);
  const Experiment experiment = parse_experiment(root, problems);
  CHECK(problems.text().empty());
  CHECK(experiment.name == "top");
  CHECK(experiment.protocol.repeats == 2);
  CHECK(experiment.metrics.size() == 2);
  CHECK(experiment.algorithms.size() == 3);
  CHECK(experiment.algorithms[1].location.file == (folder.path() / "base.yaml").string());

  const auto problems_with = [&](const std::string& text) {
    write("bad.yaml", text);
    Problems found;
    parse_experiment(read_config_file(folder.path() / "bad.yaml", found), found);
    return found.text();
  };
  CHECK(problems_with("include: nowhere.yaml\n").find("include: cannot read") != std::string::npos);
  CHECK(problems_with("include: bad.yaml\n").find("includes itself") != std::string::npos);
  CHECK(problems_with("include: .\n").find("it is a folder; name the file") != std::string::npos);
  CHECK(problems_with("include: {a: 1}\n").find("expected the name of a file") != std::string::npos);
  write("base.yaml", replaced(testing::small_experiment, "trees: 4", "treees: 4"));
  CHECK(problems_with("include: base.yaml\n").find("base.yaml:10:") != std::string::npos);
}

TEST_CASE("anchors and merge keys of YAML work") {
  const std::string text =
      replaced(testing::small_experiment, "  - extra-trees: {id: ET, trees: 4, features: 1}\n",
               "  - extra-trees: &base {id: ET, trees: 4, features: 1}\n"
               "  - extra-trees: {<<: *base, id: ET2, trees: 7}\n");
  const Plan plan = plan_of(text);
  REQUIRE(plan.algorithms.size() == 5);
  CHECK(plan.algorithms[4].id == "ET2");
  CHECK(plan.algorithms[4].parameters.at("trees") == "7");
  CHECK(plan.algorithms[4].parameters.at("features") == "1");
}

TEST_CASE("what YAML allows and an experiment is not is refused") {
  CHECK(problems_of(testing::small_experiment + "---\nname: another\n").find("a second YAML document") !=
        std::string::npos);
  CHECK(problems_of("name: &a [*a]\n").find("nested more than 64 levels deep") != std::string::npos);
  CHECK(problems_of("name: &a [*a, *a]\n").find("levels deep") != std::string::npos);
  std::string wide = "a: &l0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
  for (int i = 1; i < 9; ++i)
    wide += fmt::format("b{0}: &l{0} [*l{1}, *l{1}, *l{1}, *l{1}, *l{1}, *l{1}, *l{1}, *l{1}]\n", i, i - 1);
  CHECK(problems_of(wide).find("more than 1000000 values") != std::string::npos);
  CHECK(problems_of("name: none\nseed: 1\ndatasets: []\n").find("at least one item, found an empty list") !=
        std::string::npos);
  Problems problems;
  ConfigNode root = parse_config_text(testing::small_experiment, "test.yaml", problems);
  CHECK_THROWS_WITH_AS(apply_setting(root, "include=other.yaml"),
                       doctest::Contains("included by a config only"), Error);
}

TEST_CASE("a problem is said once, and nothing is said that follows from another") {
  const std::string text = problems_of(
      "name: tuned\nseed: 1\ndatasets: [friedman1: {train: 30, test: 9}]\nprotocol: {test: {kfold: 99}}\n"
      "algorithms: [extra-trees: {tune: {trees: [1, 2]}}]\nmetrics: [mse]\n");
  CHECK(text.find("99 folds") != std::string::npos);
  CHECK(text.find("99 folds") == text.rfind("99 folds"));
  const std::string unknown = problems_of(replaced(
      testing::small_experiment, "  - multilabel: {train: 40, test: 30, labels: 5}", "  - multilable"));
  CHECK(unknown.find("did you mean multilabel?") != std::string::npos);
  CHECK(unknown.find("lrap is not defined") == std::string::npos);
}

TEST_CASE("a plugin that cannot be loaded is a problem with its place") {
  CHECK(problems_of(testing::small_experiment + "plugins: [./nowhere.so]\n")
            .find("test.yaml:12:11: plugin './nowhere.so' cannot be read") != std::string::npos);
  CHECK(problems_of(testing::small_experiment + "plugins: here\n").find("plugins: expected a list") !=
        std::string::npos);
}

TEST_CASE("a tuned config as understood leads to the same trials") {
  const std::string text =
      replaced(testing::small_experiment, "trees: 4, features: 1",
               "tune: {trees: {upto: 4}, features: {integer: [1, 4]}, search: {random: 3}}");
  const Plan plan =
      plan_of(replaced(text, "repeats: 3", "repeats: 3, select: {kfold: 3, metric: [lrap, mse]}"));
  const Plan again = plan_of(experiment_yaml(plan));
  REQUIRE(plan.trials.size() == again.trials.size());
  for (std::size_t i = 0; i < plan.trials.size(); ++i) CHECK(plan.trials[i].hash == again.trials[i].hash);
}

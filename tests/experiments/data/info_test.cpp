#include "experiments/data/info.h"

#include <doctest/doctest.h>

#include "core/data/splits/splits.h"
#include "tests/core/data/readers/reading.h"

using namespace coppice;

namespace {

const std::string arff_header =
    "@relation r\n@attribute x numeric\n@attribute flag {no,yes}\n@attribute colour {r,g,b}\n@attribute same "
    "numeric\n"
    "@attribute l1 {0,1}\n@attribute l2 {0,1}\n@attribute l3 {0,1}\n@data\n";

Dataset example() {
  ReadOptions options = with_test(
      reading("arff", arff_header + "1,no,r,5,1,0,0\n2,yes,g,5,1,1,0\n1,no,r,5,0,0,0\n?,no,b,5,1,0,0\n"),
      arff_header + "1,no,r,5,1,0,1\n0,?,g,5,1,0,0\n");
  options.output_count = 3;
  return read_dataset(options).dataset;
}

}  // namespace

TEST_CASE("the facts of a multi-label dataset") {
  const DatasetInfo info = describe_dataset(example(), {"a note"});
  CHECK(info.rows == 6);
  CHECK(info.train == 4);
  CHECK(info.test == 2);
  CHECK(info.features == 4);
  CHECK(info.categorical_features == 1);
  CHECK(info.binary_features == 1);
  CHECK(info.constant_features == 1);
  CHECK(info.encoded_features == 6);
  CHECK(info.missing_values == 2);
  CHECK(info.rows_with_missing_values == 2);
  CHECK(info.outputs == 3);
  REQUIRE(info.labels);
  CHECK(info.labels->cardinality == doctest::Approx(7.0 / 6.0));
  CHECK(info.labels->density == doctest::Approx(7.0 / 18.0));
  CHECK(info.labels->distinct_sets == 4);
  CHECK(info.labels->rows_without_labels == 1);
  CHECK(info.labels->labels_without_rows == 0);
  CHECK(info.labels->smallest_support == 1);
  CHECK(info.labels->largest_support == 5);
  CHECK(info.labels->mean_imbalance == doctest::Approx((1.0 + 5.0 + 5.0) / 3.0));
  CHECK(info.labels->test_labels_not_in_train == 1);
  CHECK(info.duplicate_rows == 2);
  CHECK(info.test_rows_in_train == 1);
}

TEST_CASE("the JSON has the names of the interface, and the text says the same") {
  const nlohmann::json json = describe_dataset(example(), {"a note"}).json();
  for (const char* key :
       {"name", "task", "rows", "train", "test", "features", "outputs", "cardinality", "density"})
    CHECK(json.contains(key));
  CHECK(json["task"] == "multi-label");
  CHECK(json["notes"][0] == "a note");
  const std::string text = describe_dataset(example(), {"a note"}).text();
  CHECK(text.find("rows                   6 (train 4, test 2)\n") != std::string::npos);
  CHECK(text.find("one-hot encoded        6 features\n") != std::string::npos);
}

TEST_CASE("the facts of real targets, and of a dataset without a split") {
  const Dataset data = read_dataset(reading("csv", "a,y\n1,2\n3,4\n")).dataset;
  const DatasetInfo info = describe_dataset(data);
  CHECK_FALSE(info.given_split);
  CHECK(info.train == 2);
  CHECK(info.test == 0);
  REQUIRE(info.targets.size() == 1);
  CHECK(info.targets[0].mean == 3.0);
  CHECK(info.targets[0].deviation == 1.0);
  CHECK(info.json()["cardinality"].is_null());
  CHECK(info.json()["targets"][0]["largest"] == 4.0);
}

TEST_CASE("label support in each fold tells what cannot be learnt or scored") {
  const Dataset data = example();
  for (const Split& split : {*data.given_split(), Split{{4, 5}, {0, 1}}}) {
    const FoldSupport fold = label_support(data, split);
    CHECK(fold.train == split.train.size());
    CHECK(fold.labels_without_train == 1);
    CHECK(fold.labels_without_test == 1);
    CHECK(fold.smallest_train_support == 1);
  }
}

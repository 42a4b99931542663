#include "core/data/splits/stratified.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/data/splits/split_file.h"
#include "core/data/splits/splits.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

LabelSets random_labels(std::size_t rows, std::uint32_t labels, std::uint64_t seed) {
  LabelSets sets(labels);
  Stream stream(seed);
  std::vector<std::uint32_t> row;
  for (std::size_t i = 0; i < rows; ++i) {
    row.clear();
    for (std::uint32_t label = 0; label < labels; ++label)
      if (stream.uniform() < 2.0 / (static_cast<double>(label) + 5.0)) row.push_back(label);
    sets.add_row(row);
  }
  return sets;
}

/// How far the counts of a label in the folds are from its fair share: the largest distance of any, and the
/// mean.
struct Imbalance {
  double worst = 0.0;
  double mean = 0.0;
};

Imbalance imbalance(const LabelSets& labels, const std::vector<Split>& splits) {
  std::vector<double> totals(labels.label_count(), 0.0);
  for (const std::uint32_t label : labels.labels()) totals[label] += 1.0;
  Imbalance found;
  for (const Split& split : splits) {
    std::vector<double> counts(labels.label_count(), 0.0);
    for (const std::uint32_t row : split.test)
      for (const std::uint32_t label : labels[row]) counts[label] += 1.0;
    for (std::size_t label = 0; label < counts.size(); ++label) {
      const double distance = std::abs(counts[label] - totals[label] / static_cast<double>(splits.size()));
      found.worst = std::max(found.worst, distance);
      found.mean += distance / static_cast<double>(counts.size() * splits.size());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("classes keep their shares in every fold, to a row") {
  LabelSets classes(3);
  for (std::uint32_t row = 0; row < 103; ++row) {
    const std::uint32_t label = row < 10 ? 0 : row < 40 ? 1 : 2;
    classes.add_row(std::span(&label, 1));
  }
  const auto splits = stratified_k_fold(classes, 5, Stream(3));
  CHECK(imbalance(classes, splits).worst < 1.0);
  std::vector<int> tested(103, 0);
  for (const Split& split : splits) {
    CHECK(split.train.size() + split.test.size() == 103);
    CHECK((split.test.size() == 20 || split.test.size() == 21));
    for (const std::uint32_t row : split.test) ++tested[row];
  }
  CHECK(tested == std::vector<int>(103, 1));
}

TEST_CASE("label sets are stratified far better than by chance") {
  const LabelSets labels = random_labels(2000, 20, 1);
  const double stratified = imbalance(labels, stratified_k_fold(labels, 10, Stream(2))).mean;
  const double random = imbalance(labels, k_fold(2000, 10, Stream(2))).mean;
  CHECK(random > 2.0 * stratified);
}

TEST_CASE("rare labels are spread over the folds") {
  LabelSets labels(2);
  for (std::uint32_t row = 0; row < 100; ++row) {
    std::vector<std::uint32_t> set{0};
    if (row < 5) set.push_back(1);
    labels.add_row(set);
  }
  for (const Split& split : stratified_k_fold(labels, 5, Stream(8))) {
    int rare = 0;
    for (const std::uint32_t row : split.test) rare += labels.contains(row, 1) ? 1 : 0;
    CHECK(rare == 1);
    CHECK(split.test.size() == 20);
  }
}

TEST_CASE("a stratified hold-out has the asked share of rows and of every label") {
  const LabelSets labels = random_labels(1000, 10, 4);
  const Split split = stratified_holdout(labels, 0.25, Stream(5));
  CHECK(split.test.size() == 250);
  for (std::uint32_t label = 0; label < 10; ++label) {
    double total = 0.0;
    double held = 0.0;
    for (std::size_t row = 0; row < 1000; ++row) total += labels.contains(row, label) ? 1.0 : 0.0;
    for (const std::uint32_t row : split.test) held += labels.contains(row, label) ? 1.0 : 0.0;
    CHECK(std::abs(held - total / 4.0) < 3.0);
  }
  CHECK(stratified_holdout(labels, 0.25, Stream(5)).test == split.test);
  CHECK(stratified_holdout(labels, 0.25, Stream(6)).test != split.test);
}

TEST_CASE("rows without labels are shared out evenly") {
  LabelSets labels(1);
  for (int row = 0; row < 40; ++row) labels.add_row({});
  for (const Split& split : stratified_k_fold(labels, 4, Stream(1))) CHECK(split.test.size() == 10);
}

TEST_CASE("a hundred thousand rows with a hundred labels take seconds at most") {
  const LabelSets labels = random_labels(100'000, 100, 2);
  const auto splits = stratified_k_fold(labels, 10, Stream(1));
  CHECK(splits.size() == 10);
  CHECK(imbalance(labels, splits).mean < 0.5 * imbalance(labels, k_fold(100'000, 10, Stream(1))).mean);
}

TEST_CASE("folds can be written for another tool and read back") {
  const TemporaryFolder folder;
  const auto splits = k_fold(17, 3, Stream(1));
  write_splits(splits, folder.path() / "folds.csv");
  const auto read = read_splits({folder.path() / "folds.csv", std::nullopt}, 17);
  REQUIRE(read.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(read[i].train == splits[i].train);
    CHECK(read[i].test == splits[i].test);
  }
}

TEST_CASE("a file of folds that is wrong is refused with its place") {
  const auto bad = [](const std::string& text) {
    try {
      read_splits({"folds.csv", text}, 5);
      return std::string("accepted");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string head = "split,part,row\n";
  CHECK(bad(head + "0,train,1\n0,test,2\n") == "accepted");
  CHECK(bad("fold,row\n0,1\n") == "folds.csv:1:1: expected a first line 'split,part,row'");
  CHECK(bad(head) == "folds.csv:1:1: no splits after the first line");
  CHECK(bad(head + "0,train,5\n") == "folds.csv:2:9: expected the number of a row from 0 to 4, found '5'");
  CHECK(bad(head + "1,train,1\n") == "folds.csv:2:1: split 1 comes before split 0");
  CHECK(bad(head + "0,valid,1\n") == "folds.csv:2:3: expected train or test, found 'valid'");
  CHECK(bad(head + "0,train,1\n") == "folds.csv:2:1: split 0 has no rows to test on");
  CHECK(bad(head + "0,train,1\n0,test,1\n") == "folds.csv:3:1: split 0 trains and tests on row 1");
}

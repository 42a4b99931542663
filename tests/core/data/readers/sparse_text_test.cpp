#include <doctest/doctest.h>

#include "tests/core/data/readers/reading.h"

using namespace coppice;

TEST_CASE("extreme text: labels, rows without labels, one or two files") {
  const auto options =
      with_test(reading("extreme-text", "3 5 4\n0,3 0:1.5 4:2\n 1:-1e-2\n2 \n"), "1 5 4\n1:7 2:0\n");
  const Dataset data = read_dataset(options).dataset;
  CHECK(data.rows() == 4);
  CHECK(data.feature_count() == 5);
  CHECK(data.output_count() == 4);
  CHECK(labels_of(data, 0) == std::vector<std::uint32_t>{0, 3});
  CHECK(labels_of(data, 1).empty());
  CHECK(labels_of(data, 2) == std::vector<std::uint32_t>{2});
  CHECK(labels_of(data, 3).empty());
  CHECK(column(data, 1) == std::vector<float>{0.0F, -0.01F, 0.0F, 7.0F});
  CHECK(column(data, 4) == std::vector<float>{2.0F, 0.0F, 0.0F, 0.0F});
  CHECK(data.given_split()->test == Rows{3});
}

TEST_CASE("extreme text that is wrong is refused with its place") {
  const auto bad = [](const std::string& text) { return problem(reading("extreme-text", text)); };
  CHECK(bad("") == "mine.txt:1:1: the file is empty; expected a first line with rows, features and labels");
  CHECK(bad("1 2\n") ==
        "mine.txt:1:4: expected a first line with three whole numbers (rows, features, labels), found '1 2'");
  CHECK(bad("1 2 3 4\n") == "mine.txt:1:6: expected nothing after the numbers of rows, features and labels");
  CHECK(bad("2 2 2\n0 0:1\n") == "mine.txt:2:1: the file ends after 1 rows where its first line announces 2");
  CHECK(bad("1 2 2\n0 0:1\n1 0:1\n") == "mine.txt:3:1: more rows than the 1 that the first line announces");
  CHECK(bad("1 2 2\n2 0:1\n") == "mine.txt:2:1: label 2 is out of range: there are 2, counted from 0");
  CHECK(bad("1 2 2\n0,1,7 0:1\n") == "mine.txt:2:5: label 7 is out of range: there are 2, counted from 0");
  CHECK(bad("1 2 2\n99999999999 0:1\n") ==
        "mine.txt:2:1: label 99999999999 is out of range: there are 2, counted from 0");
  CHECK(bad("0 2 2\n") ==
        "mine.txt:1:1: expected at least one row, feature and label, found 0 rows, 2 features and 2 labels");
  CHECK(bad("1 2 2\n0, 0:1\n") == "mine.txt:2:3: expected another label after the comma");
  CHECK(bad("1 2 2\n0 2:1\n") == "mine.txt:2:3: feature 2 is out of range: there are 2, counted from 0");
  CHECK(bad("1 2 2\n0 1:1 0:1\n") == "mine.txt:2:7: feature 0 comes after feature 1; they must increase");
  CHECK(bad("1 2 2\n0 1:1 1:1\n") == "mine.txt:2:7: feature 1 comes after feature 1; they must increase");
  const std::string pair = "expected feature:value with a finite number as value, found ";
  CHECK(bad("1 2 2\n0 1:nan\n") == "mine.txt:2:3: " + pair + "'1:nan'");
  CHECK(bad("1 2 2\n0 1:inf\n") == "mine.txt:2:3: " + pair + "'1:inf'");
  CHECK(bad("1 2 2\n0 1\n") == "mine.txt:2:3: " + pair + "'1'");
  CHECK(bad("1 2 2\n0 1:\n") == "mine.txt:2:3: " + pair + "'1:'");
  CHECK(bad("1 2 2\n0 1:2x\n") == "mine.txt:2:3: " + pair + "'1:2x'");
  CHECK(bad("1 2 2\n0 -1:2\n") == "mine.txt:2:3: " + pair + "'-1:2'");
  CHECK(bad("1 2 2\n-1 1:2\n") == "mine.txt:2:1: " + pair + "'-1'");
  CHECK(bad("1 4000000000 2\n0\n") ==
        "mine.txt:1:1: 4000000000 features are announced; at most 134217728 are possible");
  CHECK(problem(with_test(reading("extreme-text", "1 2 2\n0 0:1\n"), "1 3 2\n0 0:1\n")) ==
        "test.txt:1:1: 3 features and 2 labels where mine.txt has 2 and 2");
}

TEST_CASE("LibSVM: classes, label sets and real outputs, counted from 0 or 1") {
  const auto classes = read_dataset(reading("libsvm", "+1 1:0.5 3:2 # a comment\n-1 2:1\n\n+1\n"));
  CHECK(classes.dataset.task() == Task::multiclass);
  CHECK(classes.dataset.output_names() == std::vector<std::string>{"-1", "1"});
  CHECK(classes.dataset.rows() == 3);
  CHECK(classes.dataset.feature_count() == 3);
  CHECK(column(classes.dataset, 0) == std::vector<float>{0.5F, 0.0F, 0.0F});
  CHECK(labels_of(classes.dataset, 1) == std::vector<std::uint32_t>{0});
  CHECK(classes.notes[1] == "features are counted from 1 (the smallest number is 1); say 'base: …' if not");

  const auto sets = read_dataset(reading("libsvm", "1,3 0:1\n 0:2 1:1\n2 1:4\n0:5\n"));
  CHECK(sets.dataset.task() == Task::multilabel);
  CHECK(sets.dataset.output_names() == std::vector<std::string>{"1", "2", "3"});
  CHECK(labels_of(sets.dataset, 0) == std::vector<std::uint32_t>{0, 2});
  CHECK(labels_of(sets.dataset, 1).empty());
  CHECK(labels_of(sets.dataset, 3).empty());
  CHECK(column(sets.dataset, 0) == std::vector<float>{1.0F, 2.0F, 0.0F, 5.0F});

  const auto real = read_dataset(reading("libsvm", "1.5 1:1\n-2 1:2\n"));
  CHECK(real.dataset.task() == Task::regression);
  CHECK(real.dataset.targets()[0][0] == 1.5);

  // Several outputs are told from label sets by their fractions, or by the option.
  CHECK(read_dataset(reading("libsvm", "1.5,2 1:1\n-2,3 1:2\n")).dataset.targets().outputs() == 2);
  ReadOptions several = reading("libsvm", "1,2 1:1\n-2,3 1:2\n");
  several.task = Task::regression;
  CHECK(read_dataset(several).dataset.targets().outputs() == 2);
}

TEST_CASE("LibSVM: two files share features and classes") {
  const Dataset data = read_dataset(with_test(reading("libsvm", "0 1:1\n1 2:1\n"), "1 5:2\n")).dataset;
  CHECK(data.feature_count() == 5);
  CHECK(data.given_split()->train.size() == 2);
  CHECK(labels_of(data, 2) == std::vector<std::uint32_t>{1});
}

TEST_CASE("LibSVM that is wrong is refused with its place") {
  const auto bad = [](const std::string& text) { return problem(reading("libsvm", text)); };
  CHECK(bad("") == "mine.txt:1:1: the file has no rows");
  CHECK(bad("1 2:1 1:1\n") == "mine.txt:1:7: feature 1 comes after feature 2; they must increase");
  CHECK(bad("1 1:nan\n") ==
        "mine.txt:1:3: expected feature:value with a finite number as value, found '1:nan'");
  CHECK(bad("1 qid:3 1:1\n") ==
        "mine.txt:1:3: expected feature:value with a finite number as value, found 'qid:3'");
  CHECK(bad("nan 1:1\n") == "mine.txt:1:1: expected a finite number as label, found 'nan'");
  CHECK(bad("1,x 1:1\n") == "mine.txt:1:3: expected a finite number as label, found 'x'");
  CHECK(bad("1 1:1\n1, 1:1\n") == "mine.txt:2:3: expected a finite number as label, found ''");
  CHECK(bad("1 4294967296:1\n") ==
        "mine.txt:1:3: expected feature:value with a finite number as value, found '4294967296:1'");
  CHECK(bad("1 4294967295:1\n") ==
        "mine.txt:1:3: feature 4294967295 is out of range; at most 134217727 are possible");
  CHECK(bad("1,2 1:1\n-3 1:1\n") == "mine.txt:2:1: label -3 is not a whole number from 0 to 134217727");
  ReadOptions options = reading("libsvm", "1 0:1\n");
  options.base = 1;
  CHECK(problem(options) == "mine.txt:1:3: feature 0 where features are counted from 1");
  options = reading("libsvm", "1 1:1\n1,2 1:1\n");
  options.task = Task::multiclass;
  CHECK(problem(options) == "mine.txt:2:1: expected one class, found 2 labels");
  options.task = Task::regression;
  CHECK(problem(options) == "mine.txt:2:1: 2 outputs where 1 are expected");
  options = reading("libsvm", "1.5 1:1\n");
  options.task = Task::multiclass;
  CHECK(problem(options) == "mine.txt:1:1: expected a whole number as label, found 1.5");
}

TEST_CASE("Vowpal Wabbit: numbered or named features, labels before the bar") {
  const Dataset numbered = read_dataset(reading("vowpal-wabbit", "7 | 1:4 3:1\n9 | 2\n")).dataset;
  CHECK(numbered.task() == Task::multiclass);
  CHECK(numbered.output_names() == std::vector<std::string>{"7", "9"});
  CHECK(numbered.feature_count() == 3);
  CHECK(column(numbered, 1) == std::vector<float>{0.0F, 1.0F});

  const Dataset named =
      read_dataset(reading("vowpal-wabbit", "1 |a height:1.5 wet |b height:2\n2,3 |a wet\n| \n")).dataset;
  CHECK(named.task() == Task::multilabel);
  CHECK(named.feature_count() == 3);
  CHECK(named.features().name(0) == "a^height");
  CHECK(named.features().name(2) == "b^height");
  CHECK(column(named, 1) == std::vector<float>{1.0F, 1.0F, 0.0F});
  CHECK(labels_of(named, 2).empty());
}

TEST_CASE("Vowpal Wabbit that is wrong is refused with its place") {
  const auto bad = [](const std::string& text) { return problem(reading("vowpal-wabbit", text)); };
  CHECK(bad("1 1:2\n") == "mine.txt:1:1: expected 'label | feature:value …', found '1 1:2'");
  CHECK(bad("1 2.0 'tag | 1:2\n") ==
        "mine.txt:1:3: expected '|' after the label, found '2.0'; importance weights and tags are not "
        "supported");
  CHECK(bad("x | 1:2\n") == "mine.txt:1:1: expected a finite number as label, found 'x'");
  CHECK(bad("1 | 1:x\n") == "mine.txt:1:7: expected a finite number as value, found 'x'");
  CHECK(bad("1 | 1:1 b:1\n") == "mine.txt:1:9: expected a number as feature, like those before, found 'b'");
  CHECK(bad("1 | a:1 b:1 a:2\n") == "mine.txt:1:13: feature 'a' occurs twice in a row");
  CHECK(bad("1 | a:1 :3\n") == "mine.txt:1:9: expected the name or number of a feature before ':'");
  CHECK(bad("1 | 2:1 1:1\n") == "mine.txt:1:9: feature 1 comes after feature 2; they must increase");
}

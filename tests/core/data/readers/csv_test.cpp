#include <cmath>

#include <doctest/doctest.h>

#include "tests/core/data/readers/reading.h"

using namespace coppice;

namespace {

ReadOptions csv(const std::string& text) {
  return reading("csv", text);
}

}  // namespace

TEST_CASE("CSV: numbers, words, missing values, quotes") {
  ReadOptions options =
      csv("size,\"the colour\",wet,zip,y\n"
          "1.5, red ,no,10,1\n"
          ",\"dark, \"\"green\"\"\",yes,20,2\n"
          "\n"
          "?,\"two\nlines\",NA,10,3\n");
  options.categorical = {"zip"};
  const auto result = read_dataset(options);
  const Dataset& data = result.dataset;
  CHECK(data.task() == Task::regression);
  CHECK(data.rows() == 3);
  CHECK(data.feature_count() == 4);
  CHECK(std::isnan(column(data, 0)[1]));
  CHECK(data.features().name(1) == "the colour");
  CHECK(data.features().categories(1) == std::vector<std::string>{"dark, \"green\"", "red", "two\nlines"});
  CHECK(column(data, 1) == std::vector<float>{1.0F, 0.0F, 2.0F});
  CHECK(data.features().column(2).kind == FeatureKind::numeric);
  CHECK(column(data, 2)[1] == 1.0F);
  CHECK(std::isnan(column(data, 2)[2]));
  CHECK(column(data, 3) == std::vector<float>{0.0F, 1.0F, 0.0F});
  CHECK(data.targets()[2][0] == 3.0);
}

TEST_CASE("CSV: a late word turns a whole column into categories") {
  const Dataset data = read_dataset(csv("a,y\n1,1\n2,2\nx,3\n1,4\n")).dataset;
  CHECK(data.features().categories(0) == std::vector<std::string>{"1", "2", "x"});
  CHECK(column(data, 0) == std::vector<float>{0.0F, 1.0F, 2.0F, 0.0F});
}

TEST_CASE("CSV: outputs by name or number, and every task") {
  ReadOptions options = csv("a,b,c\n0,x,1\n1,y,0\n1,z,1\n");
  options.outputs = {"b"};
  const Dataset classes = read_dataset(options).dataset;
  CHECK(classes.task() == Task::multiclass);
  CHECK(classes.output_names() == std::vector<std::string>{"x", "y", "z"});
  CHECK(classes.feature_count() == 2);

  options.outputs = {"a", "c"};
  options.task = Task::multilabel;
  const Dataset sets = read_dataset(options).dataset;
  CHECK(labels_of(sets, 0) == std::vector<std::uint32_t>{1});
  CHECK(labels_of(sets, 2) == std::vector<std::uint32_t>{0, 1});

  options = csv("10 20\n5 7\n");
  options.separator = ' ';
  options.header = false;
  options.task = Task::multiclass;
  const Dataset plain = read_dataset(options).dataset;
  CHECK(plain.rows() == 2);
  CHECK(plain.features().name(0) == "column1");
  CHECK(plain.output_names() == std::vector<std::string>{"7", "20"});
  CHECK(labels_of(plain, 0) == std::vector<std::uint32_t>{1});
}

TEST_CASE("CSV: labels may be yes and no") {
  ReadOptions options = csv("x,a,b\n1,yes,no\n2,no,no\n");
  options.output_count = 2;
  const Dataset data = read_dataset(options).dataset;
  CHECK(data.task() == Task::multilabel);
  CHECK(labels_of(data, 0) == std::vector<std::uint32_t>{0});
  CHECK(labels_of(data, 1).empty());
}

TEST_CASE("CSV: the order of rows does not change the codes, test files share them") {
  const Dataset data = read_dataset(with_test(csv("a,y\nq,1\np,2\n"), "a,y\nr,1\n")).dataset;
  CHECK(data.features().categories(0) == std::vector<std::string>{"p", "q", "r"});
  CHECK(column(data, 0) == std::vector<float>{1.0F, 0.0F, 2.0F});
  CHECK(data.given_split()->test == Rows{2});
}

TEST_CASE("CSV: a file with another separator is not one column") {
  CHECK(problem(reading("csv", "a;b;y\n1;2;3\n")) ==
        "mine.txt:1:1: the line has one field; if fields end with a semicolon, say 'separator: semicolon'");
  CHECK(problem(reading("csv", "a\tb\n1\t2\n")) ==
        "mine.txt:1:1: the line has one field; if fields end with a tab, say 'separator: tab'");
  ReadOptions options = reading("csv", "a;b;y\n1;2;3\n");
  options.separator = ';';
  CHECK(read_dataset(options).dataset.feature_count() == 2);
}

TEST_CASE("CSV that is wrong is refused with its place") {
  const auto bad = [](const std::string& text) { return problem(csv(text)); };
  CHECK(bad("") == "mine.txt:1:1: the file is empty; expected a line with the names of columns");
  CHECK(bad("a,y\n") == "mine.txt:1:1: no rows after the names of columns");
  CHECK(bad("a,a\n1,2\n") == "mine.txt:1:3: the column 'a' occurs twice");
  CHECK(bad("a,,b\n1,2,3\n") == "mine.txt:1:3: a column without a name");
  CHECK(bad("a,y\n1\n") == "mine.txt:2:1: the row has 1 fields where there are 2 columns");
  CHECK(bad("a,y\n1,2,3\n") == "mine.txt:2:5: the row has 3 fields where there are 2 columns");
  CHECK(bad("a,y\nnan,2\n") ==
        "mine.txt:2:1: 'a': 'nan' is no finite number; a missing value is an empty field or ?");
  CHECK(bad("a,y\n1,inf\n") ==
        "mine.txt:2:3: 'y': 'inf' is no finite number; a missing value is an empty field or ?");
  CHECK(bad("a,y\n1,\n") == "mine.txt:2:3: 'y' is an output; it cannot be missing");
  CHECK(bad("a,y\n1e39,1\n") ==
        "mine.txt:2:1: 1e+39 does not fit a 32-bit floating-point number; rescale the column");
  CHECK(bad("a,y\n\"1,1\n") == "mine.txt:2:1: the quote \" is not closed");
  CHECK(bad("a,y\n\"1\"x,1\n") == "mine.txt:2:4: expected ',' after a closing quote");
  ReadOptions options = csv("size,y\n1,2\n");
  options.outputs = {"siez"};
  CHECK(problem(options) == "mine.txt:1:1: no column 'siez'; did you mean size?");
  options = csv("a,y\n1,2\n");
  options.task = Task::multilabel;
  CHECK(problem(options) == "mine.txt:1:1: column 'y': a label is 0 or 1, found 2");
  options = csv("a,y\n1,x\n");
  options.task = Task::regression;
  CHECK(problem(options) == "mine.txt:1:1: column 'y': a regression target must be a number in every row");
  CHECK(problem(with_test(csv("a,y\n1,2\n"), "b,y\n1,2\n")) ==
        "test.txt:1:1: column 'b' where the first file has 'a'");
}

TEST_CASE("a column may say which rows belong together") {
  ReadOptions options = csv("who,x,y\nann,1,1\nbob,2,2\nann,3,3\n");
  options.groups = "who";
  const Dataset data = read_dataset(options).dataset;
  CHECK(data.feature_count() == 1);
  CHECK(data.groups() == std::vector<std::uint32_t>{0, 1, 0});

  options = reading("arff",
                    "@relation r\n@attribute who string\n@attribute x numeric\n@attribute y numeric\n@data\n"
                    "ann,1,1\n'bob b',2,2\nann,3,3\n");
  options.groups = "who";
  CHECK(read_dataset(options).dataset.groups() == std::vector<std::uint32_t>{0, 1, 0});

  options =
      reading("arff",
              "@relation r\n@attribute who {ann,bob}\n@attribute x numeric\n@attribute y numeric\n@data\n"
              "{1 1,2 1}\n{0 bob,1 2}\n{1 3}\n");
  options.groups = "who";
  CHECK(read_dataset(options).dataset.groups() == std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE("formats are told by the name of the file, compressed or not") {
  const auto format = [](const std::string& name, const std::string& text = "") {
    return detect_format({name, text});
  };
  CHECK(format("a.arff") == "arff");
  CHECK(format("a.ARFF.xz") == "arff");
  CHECK(format("a.csv.gz") == "csv");
  CHECK(format("a.tsv") == "csv");
  CHECK(format("a.svm") == "libsvm");
  CHECK(format("a.vw.bz2") == "vowpal-wabbit");
  CHECK(format("a.txt", "3 4 5\n1 1:1\n") == "extreme-text");
  CHECK(format("a.txt", "1 1:1\n").empty());
  CHECK(format("a").empty());
}

TEST_CASE("an unknown format names the nearest") {
  CHECK(problem(reading("libsmv", "")) == "dataset 'mine': no format 'libsmv'; did you mean libsvm?");
}

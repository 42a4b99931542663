#include <cmath>

#include <doctest/doctest.h>

#include "tests/core/data/readers/reading.h"

using namespace coppice;

namespace {

const std::string header =
    "% a comment\n"
    "@RELATION 'my data'\n"
    "\n"
    "@attribute size numeric\n"
    "@Attribute 'a colour' {red, \"dark green\", blue}\n"
    "@ATTRIBUTE round {no,yes}\n"
    "@attribute first {0,1}\n"
    "@attribute second {0,1}\n"
    "@data\n";

const std::string labels = "<labels><label name=\"first\"/><label name='second'></label></labels>";

ReadOptions arff(const std::string& text, const std::string& xml = labels) {
  ReadOptions options = reading("arff", text);
  if (!xml.empty()) options.labels = InputFile{"mine.xml", xml};
  return options;
}

/// What is wrong with one row under the header.
std::string row_problem(const std::string& row) {
  return problem(arff(header + "1,red,no,0,1\n" + row));
}

}  // namespace

TEST_CASE("dense ARFF: numbers, nominal and missing values, labels from XML") {
  const auto result =
      read_dataset(arff(header + "1.5,red,no,0,1\n% between rows\n-2 , 'dark green' ,yes,1,1\n?,?,?,0,0\n"));
  const Dataset& data = result.dataset;
  CHECK(data.rows() == 3);
  CHECK(data.feature_count() == 3);
  CHECK(data.task() == Task::multilabel);
  CHECK(data.output_names() == std::vector<std::string>{"first", "second"});
  CHECK(labels_of(data, 0) == std::vector<std::uint32_t>{1});
  CHECK(labels_of(data, 1) == std::vector<std::uint32_t>{0, 1});
  CHECK(labels_of(data, 2).empty());
  CHECK(column(data, 0)[1] == -2.0F);
  CHECK(std::isnan(column(data, 0)[2]));
  CHECK(data.features().name(1) == "a colour");
  CHECK(data.features().column(1).kind == FeatureKind::categorical);
  CHECK(data.features().categories(1) == std::vector<std::string>{"red", "dark green", "blue"});
  CHECK(column(data, 1)[1] == 1.0F);
  CHECK(data.features().column(2).kind == FeatureKind::numeric);
  CHECK(column(data, 2)[1] == 1.0F);
  CHECK(data.features().missing() == 3);
  CHECK(result.notes.size() == 2);
}

TEST_CASE("sparse ARFF leaves out zeros and first values") {
  const Dataset data = read_dataset(arff(header + "{0 2.5, 3 1}\n{}\n{1 blue,2 yes,4 1}\n{0 ?}\n")).dataset;
  CHECK(data.rows() == 4);
  CHECK(column(data, 0)[0] == 2.5F);
  CHECK(column(data, 0)[1] == 0.0F);
  CHECK(std::isnan(column(data, 0)[3]));
  CHECK(column(data, 1) == std::vector<float>{0, 0, 2, 0});
  CHECK(column(data, 2) == std::vector<float>{0, 0, 1, 0});
  CHECK(labels_of(data, 0) == std::vector<std::uint32_t>{0});
  CHECK(labels_of(data, 2) == std::vector<std::uint32_t>{1});
}

TEST_CASE("dense and sparse files of the same data have the same fingerprint") {
  const auto dense = read_dataset(arff(header + "0,red,no,0,1\n3,blue,no,0,0\n0,red,yes,0,0\n")).dataset;
  const auto sparse = read_dataset(arff(header + "{4 1}\n{0 3,1 blue}\n{2 yes}\n")).dataset;
  CHECK(dense.fingerprint() == sparse.fingerprint());
}

TEST_CASE("labels whose first value means present are there unless a sparse row says otherwise") {
  const std::string text =
      "@relation r\n@attribute x numeric\n@attribute a {yes,no}\n@attribute b {1,0}\n@attribute c "
      "{false,true}\n@data\n";
  ReadOptions options = reading("arff", text + "{0 1}\n{1 no}\n{1 yes,2 0,3 true}\n");
  options.output_count = 3;
  const Dataset data = read_dataset(options).dataset;
  CHECK(labels_of(data, 0) == std::vector<std::uint32_t>{0, 1});
  CHECK(labels_of(data, 1) == std::vector<std::uint32_t>{1});
  CHECK(labels_of(data, 2) == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("MEKA's relation says how many labels there are, at the front or at the end") {
  const std::string attributes =
      "@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n@data\n1,0,5\n";
  const Dataset front = read_dataset(reading("arff", "@relation 'Data: -C 2'\n" + attributes)).dataset;
  CHECK(front.output_names() == std::vector<std::string>{"a", "b"});
  CHECK(labels_of(front, 0) == std::vector<std::uint32_t>{0});
  const std::string other = "@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n5,1,0\n";
  const Dataset back = read_dataset(reading("arff", "@relation 'Data: -C -2 -split 5'\n" + other)).dataset;
  CHECK(back.output_names() == std::vector<std::string>{"a", "b"});
  CHECK(problem(reading("arff", "@relation 'Data: -C 9'\n" + attributes)) ==
        "mine.txt:5:1: 9 outputs are asked for; the file has 3 attributes");
}

TEST_CASE("regression targets are the last attributes or named ones; a class is the last by Weka's habit") {
  const std::string text =
      "@relation r\n@attribute y1 numeric\n@attribute x real\n@attribute y2 {1,2.5}\n@attribute c "
      "{u,v,w}\n@data\n"
      "1,2,2.5,w\n3,4,1,u\n";
  ReadOptions options = reading("arff", text);
  options.outputs = {"y1", "y2"};
  options.task = Task::regression;
  options.drop = {"c"};
  const Dataset regression = read_dataset(options).dataset;
  CHECK(regression.feature_count() == 1);
  CHECK(regression.targets()[0][0] == 1.0);
  CHECK(regression.targets()[0][1] == 2.5);

  const auto classes = read_dataset(reading("arff", text));
  CHECK(classes.dataset.task() == Task::multiclass);
  CHECK(classes.dataset.output_names() == std::vector<std::string>{"u", "v", "w"});
  CHECK(labels_of(classes.dataset, 0) == std::vector<std::uint32_t>{2});
  CHECK(classes.notes[0] == "no outputs are named: the last attribute, 'c', is taken");
}

TEST_CASE("a relation of millions of blanks is no more than a long relation") {
  const std::string rows = "\n@attribute x numeric\n@attribute l {0,1}\n@attribute m {0,1}\n@data\n1,1,0\n";
  const std::string blanks(3'000'000, ' ');
  CHECK(read_dataset(reading("arff", "@relation r -C" + blanks + "-2" + rows)).dataset.output_count() == 2);
  // Without a number it is no option; then the last attribute is a class of two values.
  CHECK(read_dataset(reading("arff", "@relation r -C" + blanks + "x" + rows)).dataset.task() ==
        Task::multiclass);
}

TEST_CASE("nested labels of a hierarchical XML file all count") {
  const std::string xml =
      "<?xml version=\"1.0\"?>\n<!-- nested -->\n<labels xmlns=\"x\">\n<label name=\"first\"><label "
      "name=\"second\"/></label>\n</labels>\n";
  CHECK(read_dataset(arff(header + "1,red,no,0,1\n", xml)).dataset.output_count() == 2);
}

TEST_CASE("XML entities in names are understood") {
  const std::string text = "@relation r\n@attribute x numeric\n@attribute 'R&D \\'é\\'' {0,1}\n@data\n1,1\n";
  const Dataset data =
      read_dataset(arff(text, "<labels><label name=\"R&amp;D &apos;&#233;&#x27;\"/></labels>")).dataset;
  CHECK(data.output_name(0) == "R&D 'é'");
}

TEST_CASE("Clus trees and graphs become label sets with ancestors") {
  const std::string start = "@RELATION r\n@ATTRIBUTE x numeric\n@ATTRIBUTE class hierarchical ";
  const Dataset tree =
      read_dataset(reading("arff", start + "1,1/1,1/2,2/1/3\n@DATA\n5,1/2@2/1/3\n6,1\n")).dataset;
  CHECK(tree.output_names() == std::vector<std::string>{"1", "1/1", "1/2", "2", "2/1", "2/1/3"});
  CHECK(labels_of(tree, 0) == std::vector<std::uint32_t>{0, 2, 3, 4, 5});
  CHECK(labels_of(tree, 1) == std::vector<std::uint32_t>{0});

  // Sparse rows give the same, and must give a class.
  const std::string sparse = start + "1,1/1,1/2,2/1/3\n@DATA\n{0 5,1 1/2@2/1/3}\n";
  CHECK(read_dataset(reading("arff", sparse + "{ 0 6, 1 1 }\n")).dataset.fingerprint() == tree.fingerprint());
  CHECK(problem(reading("arff", sparse + "{0 6}\n")) ==
        "mine.txt:6:5: the row does not give its class; a hierarchical class has no value that goes without "
        "saying");

  const Dataset graph =
      read_dataset(reading("arff", start + "root/a,root/b,a/c,b/c,c/d\n@DATA\n5,d\n6,b@a\n")).dataset;
  CHECK(graph.output_names() == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(labels_of(graph, 0) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(labels_of(graph, 1) == std::vector<std::uint32_t>{0, 1});

  // Edges in any order: parents that are named as children later, and many of them.
  std::string edges;
  for (int i = 40; i > 0; --i) edges += "n" + std::to_string(i - 1) + "/n" + std::to_string(i) + ",";
  const Dataset chain =
      read_dataset(reading("arff", start + edges + "root/n0\n@DATA\n5,n40\n6,n0\n")).dataset;
  CHECK(labels_of(chain, 0).size() == 41);
  CHECK(labels_of(chain, 1).size() == 1);
  CHECK(problem(reading("arff", start + "root/a,a/b,b/a\n@DATA\n5,a\n")) ==
        "mine.txt:3:12: the hierarchy goes round in circles at 'a'");
  CHECK(problem(reading("arff", start + "1,1/1\n@DATA\n5,1/3\n")) ==
        "mine.txt:5:3: '1/3' is no node of the hierarchy that the header declares");
  CHECK(problem(reading("arff", start + "1,/1\n@DATA\n5,1\n")) ==
        "mine.txt:3:12: malformed path '/1' in the hierarchy");
}

TEST_CASE("train and test files make the given split and must agree") {
  const Dataset data =
      read_dataset(with_test(arff(header + "1,red,no,0,1\n2,red,no,0,1\n"), header + "3,blue,no,1,1\n"))
          .dataset;
  REQUIRE(data.given_split());
  CHECK(data.given_split()->train == Rows{0, 1});
  CHECK(data.given_split()->test == Rows{2});
  std::string other = header;
  other.replace(other.find("size"), 4, "mass");
  CHECK(problem(with_test(arff(header + "1,red,no,0,1\n"), other + "3,blue,no,1,1\n")) ==
        "test.txt:4:12: attribute 'mass' where the first file has 'size'");
  other = header;
  other.replace(other.find("no,yes"), 6, "yes,no");
  CHECK(problem(with_test(arff(header + "1,red,no,0,1\n"), other + "3,blue,no,1,1\n")) ==
        "test.txt:6:12: attribute 'round' has another type or other values than in the first file");
}

TEST_CASE("a bad row is refused with its place and what was expected") {
  CHECK(row_problem("1,red,no,0\n") == "mine.txt:11:11: the row has 4 values where there are 5 attributes");
  CHECK(row_problem("1,red,no,0,1,1\n") == "mine.txt:11:13: the row goes on after its 5 values");
  CHECK(row_problem("x,red,no,0,1\n") == "mine.txt:11:1: 'size': expected a finite number, found 'x'");
  CHECK(row_problem("NaN,red,no,0,1\n") ==
        "mine.txt:11:1: 'size': expected a finite number (a missing value is written ?), found 'NaN'");
  CHECK(row_problem("1e400,red,no,0,1\n") ==
        "mine.txt:11:1: 'size': expected a finite number, found '1e400'");
  CHECK(row_problem("1e39,red,no,0,1\n") ==
        "mine.txt:11:1: 1e+39 does not fit a 32-bit floating-point number; rescale the column");
  CHECK(row_problem("1,rad,no,0,1\n") ==
        "mine.txt:11:3: 'a colour' has no value 'rad'; expected one of red, dark green, blue");
  CHECK(row_problem("1,red,no,2,1\n") == "mine.txt:11:10: 'first' has no value '2'; expected one of 0, 1");
  CHECK(row_problem("1,red,no,?,1\n") == "mine.txt:11:10: 'first' is an output; it cannot be missing");
  CHECK(row_problem("1,,no,0,1\n") ==
        "mine.txt:11:3: the value of 'a colour' is empty; a missing value is written ?");
  CHECK(row_problem("1,'red,no,0,1\n") == "mine.txt:11:3: the quote ' is not closed");
  CHECK(row_problem("{0 1}\n") == "mine.txt:11:1: a sparse row {…} among rows without braces");
}

TEST_CASE("a bad sparse row is refused with its place") {
  const auto sparse = [](const std::string& row) { return problem(arff(header + "{0 1}\n" + row + "\n")); };
  CHECK(sparse("{5 1}") == "mine.txt:11:2: attribute 5 is out of range: there are 5, counted from 0");
  CHECK(sparse("{2 yes,1 blue}") == "mine.txt:11:8: attribute 1 comes after attribute 2; they must increase");
  CHECK(sparse("{0 1,0 2}") == "mine.txt:11:6: attribute 0 comes after attribute 0; they must increase");
  CHECK(sparse("{0 1") == "mine.txt:11:5: expected ',' or '}' after a value");
  CHECK(sparse("{0 1} 2") == "mine.txt:11:6: expected nothing after '}'");
  CHECK(sparse("{0}") == "mine.txt:11:2: expected the number of an attribute and its value");
  CHECK(sparse("{") == "mine.txt:11:2: the row is not closed with '}'");
  CHECK(sparse("{x 1}") == "mine.txt:11:2: expected the number of an attribute and its value");
  CHECK(sparse("1,red,no,0,1") == "mine.txt:11:1: a row without braces among sparse rows {…}");
}

TEST_CASE("a bad header is refused with its place") {
  const auto bad = [](const std::string& text) { return problem(arff(text, "")); };
  CHECK(bad("") == "mine.txt:1:1: the file is empty; expected an ARFF file");
  CHECK(bad("@relation r\n@attribute a numeric\n") == "mine.txt:2:1: the file ends before @data");
  CHECK(bad("@relation r\n@data\n1\n") == "mine.txt:2:1: @data without any @attribute before it");
  CHECK(bad("hello\n") == "mine.txt:1:1: expected @relation, @attribute or @data, found 'hello'");
  CHECK(bad("@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,1\n") ==
        "mine.txt:3:12: the attribute 'a' occurs twice (first in line 2); rename one");
  CHECK(
      bad("@relation r\n@attribute a numbers\n@data\n1\n") ==
      "mine.txt:2:14: attribute 'a': unknown type 'numbers'; expected numeric, real, integer, string, date, "
      "hierarchical or a list of values in braces");
  CHECK(bad("@relation r\n@attribute a {x,y\n@data\nx\n") ==
        "mine.txt:2:18: expected ',' or '}' after a value of the list");
  CHECK(bad("@relation r\n@attribute a {x,x}\n@data\nx\n") == "mine.txt:2:17: the value 'x' is listed twice");
  CHECK(bad("@relation r\n@attribute a numeric\n@data\n") == "mine.txt:3:1: no rows after @data");
  CHECK(bad("@relation r\n@attribute t string\n@attribute a numeric\n@data\nx,1\n") ==
        "mine.txt:2:12: attribute 't' is text and cannot be learnt from; say 'drop: [t]'");
  CHECK(bad("\x89PNG\r\n\x1a\n") == "mine.txt:1:1: expected @relation, @attribute or @data, found '\x89PNG'");
}

TEST_CASE("labels that do not fit the ARFF file are refused with their place") {
  const std::string rows = header + "1,red,no,0,1\n";
  CHECK(problem(arff(rows, "<labels>\n <label name=\"third\"/>\n</labels>")) ==
        "mine.xml:2:9: the label 'third' is no attribute of mine.txt");
  CHECK(problem(arff(rows, "<labels><label name=\"a colour\"/></labels>")) ==
        "mine.txt:5:12: attribute 'a colour' has 3 values; a label has two, such as {0,1}");
  CHECK(problem(arff(rows, "")) == "accepted");
  CHECK(problem(arff(rows, "<labels></labels>")) == "mine.xml: no <label> inside <labels>");
  CHECK(problem(arff(rows, "<labels><label/></labels>")) == "mine.xml:1:9: a <label> without name=\"…\"");
  CHECK(problem(arff(rows, "<labels><label name=\"first\"/>")) ==
        "mine.xml:2:1: the file ends inside <labels>");
  CHECK(problem(arff(rows, "<labels><label name=\"first\"/><label name=\"first\"/></labels>")) ==
        "mine.xml:1:37: the label 'first' occurs twice");
  CHECK(problem(arff(rows, "<things/>")) == "mine.xml:1:10: expected the element <labels>");
  CHECK(problem(arff(rows, "<labels><label name=\"a&b\"/></labels>")) ==
        "mine.xml:1:23: an unknown entity; a plain & is written &amp;");
  ReadOptions options = arff(rows, "");
  options.outputs = {"frist"};
  CHECK(problem(options) == "mine.txt:9:1: no attribute 'frist' (named by the options); did you mean first?");
}

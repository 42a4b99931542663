#include <bit>
#include <cmath>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "core/base/random.h"
#include "core/data/generators/generator.h"
#include "core/data/row_walk.h"
#include "core/data/writers/text_writer.h"
#include "core/data/writers/writer.h"
#include "tests/core/data/readers/reading.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

Dataset generated(const std::string& name, const RawParameters& raw) {
  const Generator& generator = *find_generator(name);
  return generator.generate(
      resolve(generator.description().parameters, raw, generator.description().task, {}), Stream(9));
}

/// Writes to two files and reads them back.
Dataset round_trip(const Dataset& dataset, const std::string& format, const std::string& suffix) {
  const TemporaryFolder folder;
  WriteOptions write{format, folder.path() / ("train" + suffix), folder.path() / ("test" + suffix), {}};
  ReadOptions read;
  read.name = dataset.name();
  read.format = format;
  read.train.push_back({write.file, std::nullopt});
  read.test.push_back({*write.test, std::nullopt});
  read.task = dataset.task();
  if (format == "arff" && dataset.task() == Task::multilabel) {
    write.labels = folder.path() / "labels.xml";
    read.labels = InputFile{*write.labels, std::nullopt};
  } else if (format == "arff" || format == "csv") {
    read.output_count = dataset.task() == Task::multiclass ? 1 : dataset.output_count();
  }
  write_dataset(dataset, write);
  return read_dataset(read).dataset;
}

void check_same_values(const Dataset& a, const Dataset& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.feature_count() == b.feature_count());
  for (std::size_t j = 0; j < a.feature_count(); ++j)
    for (std::size_t row = 0; row < a.rows(); ++row)
      REQUIRE(std::bit_cast<std::uint32_t>(a.features().column(j).at(row)) ==
              std::bit_cast<std::uint32_t>(b.features().column(j).at(row)));
  CHECK(a.labels() == b.labels());
  CHECK(std::equal(a.targets().values().begin(), a.targets().values().end(), b.targets().values().begin(),
                   b.targets().values().end()));
  REQUIRE(b.given_split());
  CHECK(a.given_split()->train == b.given_split()->train);
  CHECK(a.given_split()->test == b.given_split()->test);
}

}  // namespace

TEST_CASE("every format gives back the values that were written") {
  const RawParameters sizes{{"train", "60"}, {"test", "40"}};
  const Dataset labels = generated("multilabel", sizes);
  const Dataset extreme = generated(
      "extreme", {{"train", "60"}, {"test", "40"}, {"features", "300"}, {"labels", "30"}, {"words", "5"}});
  const Dataset classes = generated("two-norm", sizes);
  const Dataset real = generated("friedman1-ind", {{"train", "60"}, {"test", "40"}, {"targets", "3"}});
  check_same_values(labels, round_trip(labels, "arff", ".arff"));
  check_same_values(labels, round_trip(labels, "csv", ".csv"));
  check_same_values(labels, round_trip(labels, "extreme-text", ".txt"));
  check_same_values(labels, round_trip(labels, "libsvm", ".svm"));
  check_same_values(extreme, round_trip(extreme, "arff", ".arff.xz"));
  check_same_values(extreme, round_trip(extreme, "extreme-text", ".txt.gz"));
  check_same_values(classes, round_trip(classes, "arff", ".arff"));
  check_same_values(classes, round_trip(classes, "csv", ".csv.zst"));
  check_same_values(classes, round_trip(classes, "libsvm", ".svm"));
  check_same_values(real, round_trip(real, "arff", ".arff.bz2"));
  check_same_values(real, round_trip(real, "csv", ".csv"));
  check_same_values(real, round_trip(real, "libsvm", ".svm"));
}

TEST_CASE("LibSVM keeps what only numbers tell: unused labels and features, names of classes") {
  const TemporaryFolder folder;
  const auto back = [&](const ReadOptions& options) {
    const Dataset data = read_dataset(options).dataset;
    write_dataset(data, {"libsvm", folder.path() / "back.svm", {}, {}});
    ReadOptions read;
    read.format = "libsvm";
    read.train.push_back({folder.path() / "back.svm", std::nullopt});
    return read_dataset(read).dataset;
  };
  // Neither the first label nor the first and the last feature occur in any row, one row has nothing at all.
  const Dataset sets = back(reading("extreme-text", "4 5 3\n1,2 1:2 3:1\n\n2 2:4\n2\n"));
  CHECK(sets.task() == Task::multilabel);
  CHECK(sets.rows() == 4);
  CHECK(sets.output_count() == 3);
  CHECK(labels_of(sets, 0) == std::vector<std::uint32_t>{1, 2});
  CHECK(labels_of(sets, 1).empty());
  CHECK(sets.feature_count() == 5);
  CHECK(column(sets, 1) == std::vector<float>{2.0F, 0.0F, 0.0F, 0.0F});
  const Dataset classes = back(reading("libsvm", "7 1:1\n-1 2:1\n7 1:2\n"));
  CHECK(classes.output_names() == std::vector<std::string>{"-1", "7"});
  CHECK(labels_of(classes, 0) == std::vector<std::uint32_t>{1});
  const Dataset words = back(reading("csv", "x,y\n1,cat\n2,ape\n"));
  CHECK(words.output_names() == std::vector<std::string>{"0", "1"});
  CHECK(labels_of(words, 0) == std::vector<std::uint32_t>{1});
}

TEST_CASE("an ARFF file that was written says itself which attributes are outputs") {
  const TemporaryFolder folder;
  const auto check_alone = [&](const Dataset& data) {
    write_dataset(data, {"arff", folder.path() / "alone.arff", {}, {}});
    ReadOptions read;
    read.name = data.name();
    read.format = "arff";
    read.train.push_back({folder.path() / "alone.arff", std::nullopt});
    const Dataset back = read_dataset(read).dataset;
    CHECK(back.task() == data.task());
    CHECK(back.output_count() == data.output_count());
    CHECK(back.feature_count() == data.feature_count());
    CHECK(back.labels() == data.labels());
  };
  check_alone(generated("multilabel", {{"train", "20"}, {"test", "0"}}));
  check_alone(
      generated("multilabel", {{"train", "20"}, {"test", "0"}, {"labels", "1"}, {"cardinality", "0.5"}}));
  check_alone(generated("two-norm", {{"train", "20"}, {"test", "0"}}));
  check_alone(generated("friedman1", {{"train", "20"}, {"test", "0"}}));
  check_alone(generated("friedman1-ind", {{"train", "20"}, {"test", "0"}, {"targets", "3"}}));
}

TEST_CASE("ARFF gives back names, categories and missing values: the same fingerprint") {
  const std::string text =
      "@relation r\n@attribute 'a b' {x,'y z',\"it's\"}\n@attribute 'R&D <\"1\">' numeric\n@attribute l1 "
      "{0,1}\n"
      "@attribute 'l & 2' {0,1}\n@data\nx,1,0,1\n?,?,1,1\n\"it's\",-2.5,0,0\n";
  ReadOptions options = with_test(reading("arff", text), text);
  options.output_count = 2;
  const Dataset data = read_dataset(options).dataset;
  CHECK(round_trip(data, "arff", ".arff").fingerprint() == data.fingerprint());
}

TEST_CASE("numbers written are read back bit for bit") {
  Stream stream(4);
  Features features(20000);
  std::vector<float> values;
  while (values.size() < 20000) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(stream.next()));
    if (std::isfinite(value) && value != 0.0F) values.push_back(value);
  }
  features.add_dense("x", values);
  std::vector<double> targets(20000);
  for (double& target : targets) target = stream.normal();
  const Dataset data("d", std::move(features), RealTargets(1, targets), {{}, Split{{0}, {1}}, {}});
  const TemporaryFolder folder;
  write_dataset(data, {"libsvm", folder.path() / "a.svm", {}, {}});
  ReadOptions read;
  read.format = "libsvm";
  read.task = Task::regression;
  read.train.push_back({folder.path() / "a.svm", std::nullopt});
  const Dataset back = read_dataset(read).dataset;
  CHECK(column(back, 0) == values);
  CHECK(std::equal(targets.begin(), targets.end(), back.targets().values().begin()));
}

TEST_CASE("a generator writes the data it would have made, row by row or not") {
  const TemporaryFolder folder;
  const auto read_back = [&](const std::string& format) {
    ReadOptions read;
    read.name = "extreme";
    read.format = format;
    read.train.push_back({folder.path() / "train", std::nullopt});
    read.test.push_back({folder.path() / "test", std::nullopt});
    read.task = Task::multilabel;
    if (format == "arff") read.labels = InputFile{folder.path() / "labels", std::nullopt};
    return read_dataset(read).dataset;
  };
  const RawParameters raw{
      {"train", "60"}, {"test", "40"}, {"features", "300"}, {"labels", "30"}, {"words", "5"}};
  const Generator& generator = *find_generator("extreme");
  const Parameters parameters = resolve(generator.description().parameters, raw, Task::multilabel, {});
  for (const std::string format : {"extreme-text", "arff"}) {
    WriteOptions files{format, folder.path() / "train", folder.path() / "test", {}};
    if (format == "arff") files.labels = folder.path() / "labels";
    generator.generate_files(parameters, Stream(9), files);
    check_same_values(generator.generate(parameters, Stream(9)), read_back(format));
  }
}

TEST_CASE("what a format cannot hold is refused") {
  const TemporaryFolder folder;
  const auto refusal = [&](const Dataset& data, const std::string& format, bool split = false) {
    try {
      WriteOptions options{format, folder.path() / "out.txt", {}, {}};
      if (split) options.test = folder.path() / "test.txt";
      write_dataset(data, options);
      return std::string("written");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const Dataset missing = read_dataset(reading("csv", "a,y\n,1\n2,2\n")).dataset;
  CHECK(refusal(missing, "libsvm") ==
        "dataset 'mine' has 1 missing values, which LibSVM cannot hold; fill them in first or write ARFF or "
        "CSV");
  const Dataset categorical = read_dataset(reading("csv", "a,y\np,1\nq,2\nr,3\n")).dataset;
  CHECK(refusal(categorical, "extreme-text") ==
        "dataset 'mine' has 1 categorical columns, which extreme text cannot hold; write ARFF or CSV");
  const Dataset real = generated("friedman1", {{"train", "5"}, {"test", "0"}});
  CHECK(refusal(real, "extreme-text") ==
        "dataset 'friedman1' has real targets, which extreme text cannot hold; write LibSVM, ARFF or CSV");
  CHECK(refusal(real, "libsvm", true) == "dataset 'friedman1' has no given split to write to two files");
  CHECK(refusal(real, "libsmv") == "no format 'libsmv' to write; did you mean libsvm?");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("an unwritable place is an error of input and output, and nothing is left behind") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(TextWriter("/absent/folder/file.txt"), Error);
  {
    TextWriter out(folder.path() / "half.txt");
    out << "never closed";
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a file is never put in the place of a device or a folder, and links stay links") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  REQUIRE(mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_AS(TextWriter(folder.path() / "pipe"), Error);
  CHECK_THROWS_AS(TextWriter(folder.path()), Error);
  CHECK(fs::is_fifo(folder.path() / "pipe"));
  folder.write("real.txt", "before");
  fs::create_symlink("real.txt", folder.path() / "link.txt");
  TextWriter out(folder.path() / "link.txt");
  out << "after";
  out.close();
  CHECK(fs::is_symlink(folder.path() / "link.txt"));
  CHECK(fs::file_size(folder.path() / "real.txt") == 5);
}

TEST_CASE("row blocks give every row its values, whatever the layout and the block") {
  const Dataset data = generated(
      "extreme", {{"train", "100"}, {"test", "0"}, {"features", "40"}, {"labels", "5"}, {"words", "9"}});
  CHECK(data.features().sparse_columns() > 0);
  CHECK_FALSE(data.features().sparse_columns() == 40);
  for (const std::size_t rows_per_block : {1, 7, 100, 1000}) {
    RowWalk blocks(data.features(), rows_per_block);
    std::size_t seen = 0;
    while (blocks.next())
      for (std::size_t row = blocks.begin(); row < blocks.end(); ++row, ++seen) {
        REQUIRE(row == seen);
        std::vector<float> expanded(40, 0.0F);
        for (std::size_t i = 0; i < blocks.columns(row).size(); ++i)
          expanded[blocks.columns(row)[i]] = blocks.values(row)[i];
        for (std::size_t j = 0; j < 40; ++j) REQUIRE(expanded[j] == data.features().column(j).at(row));
      }
    CHECK(seen == 100);
  }
}

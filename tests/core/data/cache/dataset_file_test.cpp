#include "core/data/cache/dataset_file.h"

#include <bit>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/data/generators/generator.h"
#include "tests/core/data/readers/reading.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

/// The same values, names, outputs and extras: as a fingerprint computed afresh would say.
void check_same(const Dataset& a, const Dataset& b) {
  CHECK(a.fingerprint() == b.fingerprint());
  CHECK(a.task() == b.task());
  REQUIRE(a.feature_count() == b.feature_count());
  for (std::size_t j = 0; j < a.feature_count(); ++j) {
    const ColumnView x = a.features().column(j);
    const ColumnView y = b.features().column(j);
    CHECK(x.dense == y.dense);
    CHECK(x.kind == y.kind);
    CHECK(a.features().own_name(j) == b.features().own_name(j));
    CHECK(a.features().categories(j) == b.features().categories(j));
    REQUIRE(std::equal(x.rows.begin(), x.rows.end(), y.rows.begin(), y.rows.end()));
    REQUIRE(std::equal(
        x.values.begin(), x.values.end(), y.values.begin(), y.values.end(),
        [](float u, float v) { return std::bit_cast<std::uint32_t>(u) == std::bit_cast<std::uint32_t>(v); }));
  }
  CHECK(a.features().missing() == b.features().missing());
  CHECK(a.features().sparse_columns() == b.features().sparse_columns());
  CHECK(a.features().categorical_columns() == b.features().categorical_columns());
  CHECK(a.features().stored_values() == b.features().stored_values());
  CHECK(a.labels() == b.labels());
  CHECK(a.targets().outputs() == b.targets().outputs());
  CHECK(a.output_names() == b.output_names());
  CHECK(a.groups() == b.groups());
  CHECK(a.given_split().has_value() == b.given_split().has_value());
}

Dataset round_trip(const Dataset& dataset) {
  const TemporaryFolder folder;
  write_dataset_file(dataset, {"a note"}, folder.path() / "d");
  ReadResult result = read_dataset_file(folder.path() / "d", dataset.name());
  CHECK(result.notes == std::vector<std::string>{"a note"});
  // The mapping outlives the file.
  return std::move(result.dataset);
}

}  // namespace

TEST_CASE("every kind of dataset comes back from a file as it was") {
  for (const auto& generator : generators()) {
    const auto& description = generator->description();
    const Dataset data = generator->generate(
        resolve(description.parameters, {{"train", "40"}, {"test", "10"}}, description.task, {}), Stream(1));
    CAPTURE(data.name());
    check_same(data, round_trip(data));
  }
  ReadOptions options = reading("csv", "g,a,c,y\nu,1,p,1\nv,,q,2\nu,3,r,3\n");
  options.groups = "g";
  const Dataset mixed = read_dataset(options).dataset;
  check_same(mixed, round_trip(mixed));
}

TEST_CASE("a file that is damaged, cut short, of another version or something else is refused") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "d";
  const Dataset data = read_dataset(reading("libsvm", "1 1:1\n2 2:1\n")).dataset;
  write_dataset_file(data, {}, file);
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string whole = content.str();
  const auto refusal = [&](const std::string& bytes) {
    folder.write("d", bytes);
    try {
      read_dataset_file(file, "d");
      return std::string("accepted");
    } catch (const Error& error) {
      return std::string(error.what()).substr(fmt::format("the dataset file {} ", file.string()).size());
    }
  };
  CHECK(refusal(whole) == "accepted");
  for (std::size_t i = 12; i < whole.size(); i += 7) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    CHECK(refusal(damaged) == "is damaged: its checksum is wrong");
  }
  CHECK(refusal(whole.substr(0, whole.size() - 1)) == "is damaged: its checksum is wrong");
  CHECK(refusal(whole.substr(0, 50)) == "is no dataset file");
  CHECK(refusal("") == "cannot be mapped into memory");
  CHECK(refusal(std::string(200, 'x')) == "is no dataset file");
  std::string newer = whole;
  newer[8] = 99;
  CHECK(refusal(newer) == "has version 99 where 1 is expected");
}

#include "core/model/model_file.h"

#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.h"

using namespace coppice;

namespace {

std::string sample() {
  ModelWriter writer;
  writer.put("numbers", std::vector<double>{1.5, -2.25, 1e300});
  writer.put("codes", std::vector<std::uint16_t>{1, 2, 65535});
  writer.put("none", std::vector<float>{});
  writer.facts()["depth"] = 3;
  return writer.bytes({{"algorithm", "sample"}});
}

}  // namespace

TEST_CASE("a model file gives back what was put in") {
  const auto reader = ModelReader::from_bytes(sample(), "sample");
  CHECK(reader->vector<double>("numbers") == std::vector<double>{1.5, -2.25, 1e300});
  CHECK(reader->vector<std::uint16_t>("codes") == std::vector<std::uint16_t>{1, 2, 65535});
  CHECK(reader->vector<float>("none").empty());
  CHECK(reader->facts().at("depth") == 3);
  CHECK(reader->about().at("algorithm") == "sample");
}

TEST_CASE("a missing array and one of another type are refused") {
  const auto reader = ModelReader::from_bytes(sample(), "sample");
  CHECK_THROWS_WITH_AS(reader->array<double>("nothing"), doctest::Contains("no array 'nothing'"), Error);
  CHECK_THROWS_WITH_AS(reader->array<float>("numbers"),
                       doctest::Contains("of type f64 where f32 is expected"), Error);
}

TEST_CASE("a file cut off anywhere is refused with a sentence") {
  const std::string whole = sample();
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THROWS_AS(ModelReader::from_bytes(whole.substr(0, length), "cut"), Error);
}

TEST_CASE("a flipped bit anywhere is refused") {
  const std::string whole = sample();
  for (std::size_t position = 0; position < whole.size(); ++position) {
    std::string damaged = whole;
    damaged[position] = static_cast<char>(damaged[position] ^ 4);
    CHECK_THROWS_AS(ModelReader::from_bytes(damaged, "damaged"), Error);
  }
}

TEST_CASE("a file of another version is refused and says which") {
  std::string other = sample();
  const std::uint32_t version = 77;
  std::memcpy(other.data() + 8, &version, sizeof version);
  CHECK_THROWS_WITH_AS(ModelReader::from_bytes(other, "old.coppice"),
                       doctest::Contains("'old.coppice' has format version 77, this coppice reads version 1"),
                       Error);
}

TEST_CASE("something that is not a model is refused") {
  CHECK_THROWS_WITH_AS(ModelReader::from_bytes(std::string(1000, 'x'), "text"),
                       doctest::Contains("is not a coppice model"), Error);
  CHECK_THROWS_WITH_AS(ModelReader::open("/no/such/file"), doctest::Contains("cannot open model file"),
                       Error);
  CHECK_THROWS_WITH_AS(ModelReader::open("/"), doctest::Contains("is not a file"), Error);
}

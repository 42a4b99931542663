#include "core/tree/word_labels.h"

#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/tree/label_space.h"

using namespace coppice;

namespace {

/// The square of the label sums of some rows, and their product with those of all rows, by adding up every
/// label.
WordLabels::Part added_up(const LocalLabels& local, std::uint64_t bits) {
  std::vector<std::int32_t> part(local.label_count, 0);
  std::vector<std::int32_t> all(local.label_count, 0);
  WordLabels::Part found;
  for (std::uint32_t id = 0; id < local.ranges.size(); ++id)
    for (const std::uint32_t label : local[id]) all[label] += local.weights[id];
  for (std::uint32_t id = 0; id < local.ranges.size(); ++id) {
    if (((bits >> id) & 1U) == 0) continue;
    found.weight += local.weights[id];
    for (const std::uint32_t label : local[id]) part[label] += local.weights[id];
  }
  for (std::size_t label = 0; label < part.size(); ++label) {
    found.squares += std::int64_t{part[label]} * part[label];
    found.cross += std::int64_t{part[label]} * all[label];
  }
  return found;
}

}  // namespace

TEST_CASE("packed label sets of up to 64 rows give the sums that adding up gives") {
  Stream stream = Stream(3).at("labels");
  for (std::size_t rows = 2; rows <= 64; rows += 7) {
    for (const std::uint32_t label_count : {3U, 20U, 300U}) {
      LabelSets sets(label_count);
      Sample sample;
      std::vector<std::uint32_t> all;
      for (std::uint32_t row = 0; row < rows; ++row) {
        std::vector<std::uint32_t> labels;
        for (std::uint32_t label = 0; label < label_count; ++label)
          if (stream.below(label_count) < 4) labels.push_back(label);
        sets.add_row(labels);
        sample.weights.push_back(1 + static_cast<std::uint32_t>(stream.below(5)));
        all.push_back(row);
      }
      LocalLabels local;
      LabelLocaliser(sets, sample).localise(all, local);
      WordLabels words;
      words.build(local);
      REQUIRE(words.packed());
      std::vector<std::int32_t> sums(local.label_count, 0);
      for (std::uint32_t id = 0; id < rows; ++id)
        for (const std::uint32_t label : local[id]) sums[label] += local.weights[id];
      words.enter(sums);
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t bits = stream.next() >> (64 - rows);
        const WordLabels::Part part = words.part(bits);
        const WordLabels::Part expected = added_up(local, bits);
        CHECK(part.weight == expected.weight);
        CHECK(part.squares == expected.squares);
        CHECK(part.cross == expected.cross);
      }
    }
  }
}

TEST_CASE("rows of great weight are not packed") {
  LabelSets sets(2);
  const std::vector<std::uint32_t> labels{0};
  sets.add_row(labels);
  sets.add_row(labels);
  Sample sample;
  sample.weights = {1, 8191};
  LocalLabels local;
  const std::vector<std::uint32_t> rows{0, 1};
  LabelLocaliser(sets, sample).localise(rows, local);
  WordLabels words;
  words.build(local);
  CHECK_FALSE(words.packed());
}

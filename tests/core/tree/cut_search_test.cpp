// Random cuts of several columns at once are those of one column after the other.

#include "core/tree/cut_search.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/entropy_space.h"
#include "core/tree/label_space.h"
#include "core/tree/no_space.h"
#include "core/tree/packed_label_space.h"
#include "core/tree/real_space.h"

namespace {

using namespace coppice;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// What the columns of a dataset are.
enum class Columns { real, coarse, special };

constexpr std::size_t dataset_rows = 300;
constexpr std::uint32_t dataset_columns = 70;

Features make_features(Columns kind, Stream stream) {
  Features features(dataset_rows);
  std::vector<float> values(dataset_rows);
  for (std::uint32_t j = 0; j < dataset_columns; ++j) {
    for (float& value : values)
      value = kind == Columns::coarse ? static_cast<float>(stream.below(3 + j % 4))
                                      : static_cast<float>(stream.normal());
    if (kind == Columns::special && j % 3 == 0)
      for (int i = 0; i < 20; ++i) values[stream.below(dataset_rows)] = missing;
    if (j % 20 == 7) std::fill(values.begin(), values.end(), 2.0F);
    if (kind == Columns::special && j % 5 == 1) {
      for (float& value : values) value = static_cast<float>(stream.below(4));
      features.add_categorical("", values, {"a", "b", "c", "d"});
    } else {
      features.add_dense("", values);
    }
  }
  return features;
}

LabelSets make_labels(std::uint32_t count, Stream stream) {
  LabelSets labels(count);
  for (std::size_t row = 0; row < dataset_rows; ++row) {
    std::vector<std::uint32_t> present;
    for (std::uint32_t label = 0; label < count; ++label)
      if (stream.below(3) == 0) present.push_back(label);
    labels.add_row(present);
  }
  return labels;
}

/// All rows, with weights if asked for.
Sample make_sample(bool weighted, Stream stream) {
  Sample sample;
  sample.rows.resize(dataset_rows);
  std::iota(sample.rows.begin(), sample.rows.end(), 0U);
  for (std::size_t row = 0; row < dataset_rows; ++row)
    sample.weights.push_back(weighted ? 1 + static_cast<std::uint32_t>(stream.below(4)) : 1);
  sample.total = std::accumulate(sample.weights.begin(), sample.weights.end(), std::uint64_t{0});
  return sample;
}

/// One column after the other, until enough have varied.
template <typename Space>
SplitCandidate search_in_turn(const CodedInputs& inputs, const GrowthOptions& options, const Space& space,
                              const NodeView& node, const Stream& stream) {
  ColumnSearch<Space> columns(inputs, options, space);
  columns.begin(node, stream);
  FeatureOrder order(stream, inputs.columns());
  std::uint32_t looked_at = 0;
  for (std::uint32_t place = 0; looked_at < options.features; ++place) {
    const std::uint32_t feature = order.next();
    if (feature == FeatureOrder::none) break;
    columns.set_place(place);
    if (!inputs.column(feature).constant && columns.try_dense(feature)) ++looked_at;
  }
  return columns.best();
}

/// Compares both searches in random nodes of all sizes.
template <typename Space>
void check_nodes(const CodedInputs& inputs, Space space, Stream stream) {
  for (std::uint64_t round = 0; round < 60; ++round) {
    GrowthOptions options;
    options.rule = SplitRule::random_cut;
    options.features = std::array<std::uint32_t, 5>{1, 5, 20, 66, 70}[stream.below(5)];
    options.min_samples_leaf = stream.below(4) == 0 ? 2 : 1;
    const std::size_t size = round < 40 ? 3 + stream.below(12) : 3 + stream.below(250);
    std::vector<std::uint32_t> rows(dataset_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    stream.shuffle(std::span(rows));
    rows.resize(size + 5);  // the node has all but five of its frame
    FrameScratch scratch(inputs.columns());
    Frame frame;
    frame.build(inputs, rows, scratch, true);
    std::vector<std::uint32_t> ids(size + 5);
    std::iota(ids.begin(), ids.end(), 0U);
    stream.shuffle(std::span(ids));
    ids.resize(size);

    typename Space::Local local;
    typename Space::Totals totals;
    space.localise(frame.rows(), local);
    space.clear(local, totals);
    for (const std::uint32_t id : ids) space.add(local, id, totals);
    space.enter(local, totals, ids, false);
    const DenseCopy no_copy;
    const NodeView node{&frame, &no_copy, ids, {}, nullptr};
    const Stream of_node = stream.at("node", round);

    const SplitCandidate expected = search_in_turn(inputs, options, space, node, of_node);
    CutSearch<Space> search(inputs, options, space);
    REQUIRE(search.suits());
    ColumnSearch<Space> columns(inputs, options, space);
    columns.begin(node, of_node);
    const SplitCandidate found = search.search(node, of_node, columns);
    CAPTURE(size);
    CAPTURE(options.features);
    REQUIRE(found.found == expected.found);
    if (!found.found) continue;
    REQUIRE(found.feature == expected.feature);
    REQUIRE(found.threshold == expected.threshold);
    REQUIRE(found.score == expected.score);
    REQUIRE(found.special == expected.special);
    REQUIRE(found.missing_left == expected.missing_left);
    REQUIRE(found.left_categories == expected.left_categories);
    REQUIRE(search.left_rows().empty() == found.special);
    if (found.special) continue;
    for (std::size_t i = 0; i < size; ++i)
      REQUIRE(((search.left_rows()[i / 64] >> (i % 64)) & 1U) ==
              (found.goes_left(inputs.value(found.feature, frame.rows()[ids[i]])) ? 1 : 0));
  }
}

}  // namespace

TEST_CASE("random cuts found together are those found column by column") {
  for (const Columns kind : {Columns::real, Columns::coarse, Columns::special}) {
    for (const bool weighted : {false, true}) {
      Stream stream = Stream(11).at("cuts", static_cast<std::uint64_t>(kind) * 2 + (weighted ? 1 : 0));
      const Features features = make_features(kind, stream.at("features"));
      const CodedInputs inputs(features, DenseUse::cuts, Context{}, 0.0);
      const Sample sample = make_sample(weighted, stream.at("weights"));
      const LabelSets few = make_labels(5, stream.at("few"));
      const LabelSets many = make_labels(40, stream.at("many"));
      check_nodes(inputs, PackedLabelSpace(few, sample), stream.at("packed"));
      check_nodes(inputs, LabelSpace(many, sample), stream.at("labels"));
      const EntropyTable table(sample.total, 5);
      check_nodes(inputs, EntropySpace(few, false, table, sample), stream.at("entropy"));
      for (const std::size_t outputs : {1U, 3U, 8U, 16U, 21U}) {
        std::vector<double> values(dataset_rows * outputs);
        Stream targets = stream.at("targets", outputs);
        for (double& value : values) value = targets.normal();
        const RealGrid grid(values, outputs, sample);
        if (outputs == 1)
          check_nodes(inputs, RealSpace<true>(grid, sample), targets);
        else
          check_nodes(inputs, RealSpace<false>(grid, sample), targets);
      }
      check_nodes(inputs, NoSpace{}, stream.at("none"));
    }
  }
}

TEST_CASE("columns are copied next to each other") {
  Stream stream(3);
  std::vector<float> values(200 * 16);
  for (float& value : values) value = static_cast<float>(stream.normal());
  std::vector<float> first(200);
  std::vector<float> second(200);
  for (std::size_t row = 0; row < 200; ++row) {
    first[row] = values[row * 16 + 9];
    second[row] = values[row * 16 + 2];
  }
  const std::vector<std::uint32_t> places{9, 2};
  const std::vector<const float*> columns{first.data(), second.data()};
  for (const std::size_t count : {1U, 63U, 64U, 150U}) {
    std::vector<std::uint32_t> rows(count);
    for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(stream.below(200));
    std::vector<float> by_row(count * 8, 0.0F);
    std::vector<float> by_column(count * 8, 0.0F);
    gather_columns({values.data(), 16, rows.data(), count}, places.data(), 2, by_row.data(), 8);
    gather_columns(columns, rows, by_column.data(), 8);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(by_row[i * 8] == first[rows[i]]);
      CHECK(by_row[i * 8 + 1] == second[rows[i]]);
    }
    CHECK(by_row == by_column);
  }
}

TEST_CASE("columns are scanned together as one by one") {
  Stream stream(2);
  for (const std::size_t count : {1U, 3U, 31U, 32U, 33U, 64U, 65U, 200U}) {
    for (const std::size_t columns : {8U, 16U, 24U, 40U}) {
      const std::size_t stride = columns + 8;
      std::vector<float> values(300 * stride);
      for (float& value : values)
        value = stream.below(50) == 0 ? missing : static_cast<float>(stream.below(9)) - 4.0F;
      std::vector<std::uint32_t> rows(count);
      for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(stream.below(300));
      const ValueRows of{values.data(), stride, rows.data(), count};
      const std::size_t words = (count + 63) / 64;
      std::vector<float> lowest(columns);
      std::vector<float> highest(columns);
      std::vector<float> limits(columns);
      std::vector<std::uint32_t> missing_in(columns);
      std::vector<std::uint64_t> bits(columns * words, ~std::uint64_t{0});
      for (float& limit : limits) limit = static_cast<float>(stream.below(9)) - 4.0F;
      column_ranges(of, columns, lowest.data(), highest.data());
      columns_missing(of, columns, missing_in.data());
      std::vector<std::uint32_t> counts(columns);
      columns_at_most(of, columns, limits.data(), words, bits.data(), counts.data());
      for (std::size_t c = 0; c < columns; ++c) {
        bool has_missing = false;
        float low = std::numeric_limits<float>::infinity();
        float high = -low;
        std::uint32_t at_most = 0;
        std::vector<std::uint64_t> expected(words, 0);
        for (std::size_t i = 0; i < count; ++i) {
          const float value = values[rows[i] * stride + c];
          has_missing = has_missing || std::isnan(value);
          low = std::min(low, value);
          high = std::max(high, value);
          at_most += value <= limits[c] ? 1 : 0;
          if (value <= limits[c]) expected[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        REQUIRE((missing_in[c] != 0) == has_missing);
        if (!has_missing) REQUIRE((lowest[c] == low && highest[c] == high));
        REQUIRE(counts[c] == at_most);
        REQUIRE(std::equal(expected.begin(), expected.end(), bits.begin() + c * words));
      }
    }
  }
}

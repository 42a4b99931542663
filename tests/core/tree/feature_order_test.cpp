#include "core/tree/feature_order.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace coppice;

/// The features in the order they come.
std::vector<std::uint32_t> listed(FeatureOrder order) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t feature = order.next(); feature != FeatureOrder::none; feature = order.next())
    all.push_back(feature);
  return all;
}

/// How many standard deviations a chi-square statistic is above its mean.
double excess(const std::vector<double>& counts, double expected) {
  double statistic = 0.0;
  double cells = 0.0;
  for (const double count : counts) {
    if (count < 0.0) continue;
    statistic += (count - expected) * (count - expected) / expected;
    cells += 1.0;
  }
  return (statistic - (cells - 1.0)) / std::sqrt(2.0 * (cells - 1.0));
}

}  // namespace

TEST_CASE("the order of features is a permutation and knows its inverse") {
  for (const std::uint32_t features :
       {1U, 2U, 3U, 17U, 64U, 65U, 100U, 128U, 1001U, 47236U, 65537U, 200000U}) {
    FeatureOrder order(Stream(features).at("node"), features);
    auto all = listed(order);
    REQUIRE(all.size() == features);
    std::vector<std::uint32_t> places(features);
    order.places_of(all, places.data());
    REQUIRE(std::is_sorted(places.begin(), places.end()));
    REQUIRE(std::adjacent_find(places.begin(), places.end()) == places.end());
    std::sort(all.begin(), all.end());
    for (std::uint32_t i = 0; i < features; ++i) REQUIRE(all[i] == i);
  }
}

TEST_CASE("features that are drawn several at a time come in the same order") {
  for (const std::uint32_t features : {1U, 40U, 65U, 100U, 1001U, 70000U}) {
    const FeatureOrder order(Stream(features).at("node"), features);
    const auto all = listed(order);
    FeatureOrder several = order;
    std::vector<std::uint32_t> drawn(features + 1);
    std::size_t count = 0;
    for (std::size_t wanted = 1; count < features; ++wanted) {
      const std::size_t now = several.next(wanted, drawn.data() + count);
      REQUIRE(now == std::min<std::size_t>(wanted, features - count));
      count += now;
      wanted = std::min<std::size_t>(wanted, features - count);
    }
    CHECK(several.next(3, drawn.data() + count) == 0);
    drawn.pop_back();
    CHECK(drawn == all);
  }
}

TEST_CASE("first features, and pairs of them, are uniform") {
  for (const std::uint32_t features : {3U, 10U, 64U, 65U, 70U, 100U}) {
    CAPTURE(features);
    constexpr int draws = 100000;
    std::vector<double> first(features, 0.0);
    std::vector<double> pairs(features * features, 0.0);
    std::vector<double> third(features, 0.0);
    for (std::uint64_t i = 0; i < draws; ++i) {
      FeatureOrder order(Stream(5).at("node", i), features);
      const std::array<std::uint32_t, 3> drawn{order.next(), order.next(), order.next()};
      first[drawn[0]] += 1.0;
      pairs[drawn[0] * features + drawn[1]] += 1.0;
      third[(drawn[2] + features - drawn[0]) % features] += 1.0;
    }
    for (std::uint32_t j = 0; j < features; ++j) pairs[j * features + j] = -1.0;
    third[0] = -1.0;
    const double count = features;
    CHECK(excess(first, draws / count) < 4.0);
    CHECK(excess(pairs, draws / (count * (count - 1.0))) < 4.0);
    CHECK(excess(third, draws / (count - 1.0)) < 4.0);
  }
}

TEST_CASE("cut positions are uniform and belong to node and feature") {
  std::vector<double> cells(100, 0.0);
  const Stream tree(3);
  for (std::uint64_t node = 0; node < 1000; ++node)
    for (std::uint32_t feature = 0; feature < 100; ++feature)
      cells[static_cast<std::size_t>(cut_position(tree.at("node", node), feature) * 100.0)] += 1.0;
  CHECK(std::abs(excess(cells, 1000.0)) < 4.0);
  CHECK(cut_position(tree, 1) == cut_position(tree, 1));
  std::vector<std::uint32_t> features(37);
  for (std::uint32_t i = 0; i < features.size(); ++i) features[i] = i * i;
  std::vector<double> positions(features.size());
  cut_positions(tree, features, positions.data());
  for (std::size_t i = 0; i < features.size(); ++i) CHECK(positions[i] == cut_position(tree, features[i]));
  CHECK(cut_position(tree, 1) != cut_position(tree, 2));
}

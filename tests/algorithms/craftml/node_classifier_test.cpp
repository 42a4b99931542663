#include "algorithms/craftml/node_classifier.h"

#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include "tests/algorithms/craftml/test_rows.h"

using namespace coppice;
using namespace coppice::craftml;

namespace {

/// The projected row, written out: the slow way.
std::vector<double> projected(const SparseRow& row, const HashProjection& hashing) {
  std::vector<double> result(hashing.dimension, 0.0);
  for (std::size_t e = 0; e < row.size(); ++e) {
    const std::uint32_t code = hashing.code(row.columns[e]);
    result[code / 2] += (code % 2 == 1 ? -1.0 : 1.0) * double{row.values[e]};
  }
  return result;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const double aa = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  const double bb = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
  return aa == 0.0 || bb == 0.0 ? 0.0
                                : std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / std::sqrt(aa * bb);
}

}  // namespace

TEST_CASE("rows go to the centroid of largest cosine, for any number of branches") {
  const TestRows rows = random_rows(80, 40, 1);
  for (const std::uint32_t branches : {2U, 4U, 7U, 10U, 15U, 30U}) {
    CAPTURE(branches);
    Options options;
    options.branches = branches;
    options.feature_dimension = 25;
    NodeClassifier classifier(options, 40, rows.view().typical_entries());
    classifier.start_tree(99);
    classifier.start_node(0);
    std::vector<std::uint8_t> codes(80);
    for (std::size_t i = 0; i < 80; ++i) codes[i] = static_cast<std::uint8_t>(i % branches);
    classifier.add(rows.view(), all(80), codes, Lengths::unknown);
    classifier.finish(branches);
    std::vector<std::uint8_t> routes(80);
    classifier.route(rows.view(), all(80), routes);

    const HashProjection hashing{99, 25};
    std::vector<std::vector<double>> centroids(branches, std::vector<double>(25, 0.0));
    for (std::size_t i = 0; i < 80; ++i) {
      const auto row = projected(rows.view()[i], hashing);
      for (std::size_t s = 0; s < 25; ++s) centroids[codes[i]][s] += row[s];
    }
    for (std::size_t i = 0; i < 80; ++i) {
      const auto row = projected(rows.view()[i], hashing);
      double best = -2.0;
      for (const auto& centroid : centroids) best = std::max(best, cosine(row, centroid));
      CHECK(cosine(row, centroids[routes[i]]) == doctest::Approx(best).epsilon(1e-5));
    }
  }
}

TEST_CASE("rows that are in no cluster have no influence, and nothing stays from the node before") {
  // Slots are all met, listed, or left to the rows, by how many there are and whether lengths are known.
  const TestRows rows = random_rows(60, 30, 2);
  std::vector<std::uint8_t> codes(60);
  for (std::size_t i = 0; i < 60; ++i) codes[i] = i < 30 ? static_cast<std::uint8_t>(i % 3) : no_cluster;
  Options options;
  options.branches = 3;
  const auto routes_after = [&](bool used_before, Lengths before) {
    NodeClassifier classifier(options, 30, rows.view().typical_entries());
    classifier.start_tree(4);
    std::vector<std::uint8_t> routes(60);
    if (used_before) {
      classifier.start_node(7);
      classifier.add(rows.view(), all(60), std::vector<std::uint8_t>(60, 1), before);
      if (before == Lengths::known)
        classifier.finish(std::vector<float>(3, 1.0F));
      else
        classifier.finish(3);
      classifier.route(rows.view(), all(60), routes);
      classifier.end_node(rows.view(), all(60));
    }
    classifier.start_node(8);
    const std::size_t rows_given = used_before ? 30 : 60;
    classifier.add(rows.view(), all(rows_given), std::span(codes).first(rows_given), Lengths::unknown);
    classifier.finish(3);
    classifier.route(rows.view(), all(60), routes);
    return routes;
  };
  for (const std::uint32_t dimension : {30U, 100000U}) {
    options.feature_dimension = dimension;
    const auto expected = routes_after(false, Lengths::unknown);
    CHECK(routes_after(true, Lengths::unknown) == expected);
    CHECK(routes_after(true, Lengths::known) == expected);
  }
}

TEST_CASE("centroids whose lengths are known route as those that were measured") {
  const TestRows rows = random_rows(60, 30, 5);
  std::vector<std::uint8_t> codes(60);
  for (std::size_t i = 0; i < 60; ++i) codes[i] = static_cast<std::uint8_t>(i % 4);
  for (const ProjectionKind kind : {ProjectionKind::hashing, ProjectionKind::gaussian}) {
    Options options;
    options.branches = 4;
    options.feature_dimension = 40;
    options.projection = kind;
    NodeClassifier measured(options, 30, rows.view().typical_entries());
    NodeClassifier known(options, 30, rows.view().typical_entries());
    std::vector<std::uint8_t> expected(60);
    std::vector<std::uint8_t> found(60);
    measured.start_tree(6);
    known.start_tree(6);
    measured.start_node(0);
    known.start_node(0);
    measured.add(rows.view(), all(60), codes, Lengths::unknown);
    measured.finish(4);
    measured.route(rows.view(), all(60), expected);
    known.add(rows.view(), all(60), codes, Lengths::known);
    known.finish(measured.scale());
    known.route(rows.view(), all(60), found);
    CHECK(found == expected);
  }
}

TEST_CASE("where every feature has one value, rows are routed by their features alone") {
  TestRows rows = random_rows(60, 30, 3);
  CHECK_FALSE(FeatureValues::of({rows.view()}, 30).constant());
  for (std::size_t e = 0; e < rows.columns.size(); ++e)
    rows.values[e] = 0.1F * static_cast<float>(rows.columns[e] + 1);
  const FeatureValues values = FeatureValues::of({rows.view()}, 30);
  REQUIRE(values.constant());
  CHECK(values[4] == 0.5F);
  // Two tables must agree.
  TestRows other;
  other.add({{4, 0.6F}});
  CHECK_FALSE(FeatureValues::of({rows.view(), other.view()}, 30).constant());

  Options options;
  options.branches = 5;
  options.feature_dimension = 20;
  std::vector<std::uint8_t> codes(60);
  for (std::size_t i = 0; i < 60; ++i) codes[i] = static_cast<std::uint8_t>(i % 5);
  const auto routes_with = [&](const FeatureValues& given) {
    NodeClassifier classifier(options, 30, rows.view().typical_entries(), given);
    std::vector<std::uint8_t> routes(60);
    classifier.start_tree(2);
    classifier.start_node(0);
    classifier.add(rows.view(), all(60), codes, Lengths::unknown);
    classifier.finish(5);
    classifier.route(rows.view(), all(60), routes);
    return routes;
  };
  CHECK(routes_with(values) == routes_with({}));
}

TEST_CASE("rows without features go to the first cluster; a closed cluster gets none") {
  TestRows rows;
  rows.add({{0, 1.0F}});
  rows.add({{1, 1.0F}});
  rows.add({});
  Options options;
  options.branches = 2;
  options.feature_dimension = 1000;
  NodeClassifier classifier(options, 2, rows.view().typical_entries());
  classifier.start_tree(1);
  classifier.start_node(0);
  classifier.add(rows.view(), all(3), std::vector<std::uint8_t>{0, 1, 1}, Lengths::unknown);
  classifier.finish(2);
  std::vector<std::uint8_t> routes(3);
  classifier.route(rows.view(), all(3), routes);
  CHECK(routes == std::vector<std::uint8_t>{0, 1, 0});
  classifier.close(0);
  classifier.route(rows.view(), all(3), routes);
  CHECK(routes == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("pruned centroids keep their largest entries") {
  TestRows rows;
  rows.add({{0, 5.0F}, {1, 1.0F}});
  rows.add({{0, 1.0F}, {2, 5.0F}});
  rows.add({{1, 1.0F}});
  Options options;
  options.branches = 2;
  options.feature_dimension = 100000;
  NodeClassifier whole(options, 3, rows.view().typical_entries());
  options.centroid_entries = 1;
  NodeClassifier pruned(options, 3, rows.view().typical_entries());
  std::vector<std::uint8_t> routes(1);
  for (NodeClassifier* classifier : {&whole, &pruned}) {
    classifier->start_tree(1);
    classifier->start_node(0);
    classifier->add(rows.view(), std::vector<std::uint32_t>{1, 0}, std::vector<std::uint8_t>{0, 1},
                    Lengths::unknown);
    classifier->finish(2);
    classifier->route(rows.view(), std::vector<std::uint32_t>{2}, routes);
    // Feature 1 is in the second centroid only, and not among its largest.
    CHECK(routes[0] == (classifier == &whole ? 1 : 0));
  }
}

TEST_CASE("gaussian centroids route rows with features that no centroid has") {
  TestRows rows;
  rows.add({{0, 1.0F}, {1, 1.0F}});
  rows.add({{2, 1.0F}, {3, 1.0F}});
  rows.add({{0, 1.0F}, {4, 0.1F}});
  rows.add({{3, 1.0F}, {5, 0.1F}});
  Options options;
  options.branches = 2;
  options.feature_dimension = 500;
  options.projection = ProjectionKind::gaussian;
  NodeClassifier classifier(options, 6, rows.view().typical_entries());
  classifier.start_tree(8);
  classifier.start_node(0);
  classifier.add(rows.view(), std::vector<std::uint32_t>{0, 1}, std::vector<std::uint8_t>{0, 1},
                 Lengths::unknown);
  classifier.finish(2);
  std::vector<std::uint8_t> routes(4);
  classifier.route(rows.view(), all(4), routes);
  CHECK(routes == std::vector<std::uint8_t>{0, 1, 0, 1});
}

TEST_CASE("a second route is the next best open cluster, if it is near enough") {
  // Three clusters along the axes; no collisions.
  TestRows centroids;
  for (std::uint32_t j = 0; j < 3; ++j) centroids.add({{j, 1.0F}});
  TestRows rows;
  rows.add({{0, 1.0F}, {1, 0.96F}, {2, 0.9F}});
  rows.add({{0, 1.0F}, {1, 0.9F}, {2, 0.96F}});
  rows.add({{0, 1.0F}, {1, 0.94F}});
  rows.add({});
  rows.add({{0, -1.0F}, {1, -1.01F}, {2, -1.02F}});
  Options options;
  options.branches = 3;
  options.feature_dimension = 3000;
  NodeClassifier classifier(options, 3, rows.view().typical_entries());
  classifier.start_tree(5);
  classifier.start_node(0);
  classifier.add(centroids.view(), all(3), std::vector<std::uint8_t>{0, 1, 2}, Lengths::unknown);
  classifier.finish(3);
  std::vector<std::uint8_t> codes(5);
  std::vector<std::uint8_t> seconds(5);
  classifier.route(rows.view(), all(5), codes, {0.05F, seconds});
  CHECK(codes == std::vector<std::uint8_t>(5, 0));
  CHECK(seconds == std::vector<std::uint8_t>{1, 2, no_cluster, no_cluster, no_cluster});
  classifier.route(rows.view(), all(5), codes, {0.07F, seconds});
  CHECK(seconds == std::vector<std::uint8_t>{1, 2, 1, no_cluster, no_cluster});
  classifier.close(1);
  classifier.route(rows.view(), all(5), codes, {0.07F, seconds});
  CHECK(seconds == std::vector<std::uint8_t>{no_cluster, 2, no_cluster, no_cluster, no_cluster});
}

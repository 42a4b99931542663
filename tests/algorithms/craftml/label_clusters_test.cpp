#include "algorithms/craftml/label_clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

using namespace coppice;
using namespace coppice::craftml;

namespace {

Options options_for(std::uint32_t branches) {
  Options options;
  options.branches = branches;
  options.label_dimension = 1000;
  return options;
}

/// The clusters of all rows of `labels`.
std::vector<std::uint8_t> clusters_of(const Options& options, const LabelSets& labels, std::size_t& count,
                                      std::span<const float> weights = {}, std::uint64_t seed = 1) {
  LabelClusters clusters(options, labels, weights);
  clusters.start_tree(11);
  clusters.start_node(0);
  std::vector<std::uint32_t> rows(labels.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::uint8_t> codes(rows.size());
  count = clusters.run(rows, Stream(seed), codes);
  return codes;
}

LabelSets three_groups() {
  LabelSets labels(9);
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::uint32_t group = i < 30 ? 0 : i < 50 ? 3 : 6;
    labels.add_row(std::vector<std::uint32_t>{group, group + 1, group + 1 + i % 2});
  }
  return labels;
}

}  // namespace

TEST_CASE("rows that share labels come together, the largest cluster first") {
  for (const ProjectionKind kind : {ProjectionKind::hashing, ProjectionKind::gaussian}) {
    Options options = options_for(3);
    options.projection = kind;
    std::size_t count = 0;
    const auto codes = clusters_of(options, three_groups(), count);
    REQUIRE(count == 3);
    for (std::size_t i = 0; i < 60; ++i) CHECK(codes[i] == (i < 30 ? 0 : i < 50 ? 1 : 2));
  }
}

TEST_CASE("an iteration puts every row in the cluster of the nearest mean of unit vectors") {
  // Worked out the long way: dense projected vectors, and the clusters of one iteration less.
  constexpr std::uint32_t dimension = 40;
  LabelSets labels(60);
  Stream stream(5);
  for (int i = 0; i < 150; ++i) {
    std::vector<std::uint32_t> row{static_cast<std::uint32_t>(stream.below(6))};
    for (int j = 0; j < 3; ++j) row.push_back(static_cast<std::uint32_t>(stream.below(60)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    labels.add_row(row);
  }
  std::vector<std::vector<double>> vectors(labels.rows(), std::vector<double>(dimension, 0.0));
  const HashProjection hashing{11, dimension};
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (const std::uint32_t label : labels[i])
      vectors[i][hashing.code(label) / 2] += hashing.code(label) % 2 == 0 ? 1.0 : -1.0;
    const double length = std::sqrt(product(vectors[i], vectors[i]));
    REQUIRE(length > 0.0);
    for (double& value : vectors[i]) value /= length;
  }
  Options options = options_for(5);
  options.label_dimension = dimension;
  std::size_t moved = 0;
  for (std::uint32_t iterations = 1; iterations < 4; ++iterations) {
    std::size_t count = 0;
    options.iterations = iterations;
    const auto before = clusters_of(options, labels, count);
    REQUIRE(count == 5);
    options.iterations = iterations + 1;
    const auto after = clusters_of(options, labels, count);
    REQUIRE(count == 5);
    std::vector<std::vector<double>> means(count, std::vector<double>(dimension, 0.0));
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (std::size_t q = 0; q < dimension; ++q) means[before[i]][q] += vectors[i][q];
    // Clusters are numbered by size, so two iterations need not agree on the numbers.
    std::vector<int> number(count, -1);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      std::size_t best = 0;
      const auto cosine = [&](std::size_t c) {
        return product(vectors[i], means[c]) / std::sqrt(product(means[c], means[c]));
      };
      for (std::size_t c = 1; c < count; ++c)
        if (cosine(c) > cosine(best)) best = c;
      if (number[best] < 0) number[best] = after[i];
      CHECK(number[best] == after[i]);
      moved += best != before[i] ? 1 : 0;
    }
  }
  CHECK(moved > 10);
}

TEST_CASE("k-means++ takes no two seeds from rows that are the same") {
  LabelSets labels(4);
  for (int i = 0; i < 20; ++i) labels.add_row(std::vector<std::uint32_t>{i % 2 == 0 ? 0U : 1U});
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto codes = clusters_of(options_for(10), labels, count, {}, seed);
    CHECK(count == 2);
    for (std::size_t i = 2; i < 20; ++i) CHECK(codes[i] == codes[i - 2]);
    CHECK(codes[0] != codes[1]);
  }
}

TEST_CASE("few rows are put in fewer clusters than there are branches, but in two at least") {
  LabelSets labels(11);
  for (std::uint32_t i = 0; i < 11; ++i) labels.add_row(std::vector<std::uint32_t>{i});
  const auto clusters_with = [&](std::uint32_t rows_per_branch) {
    Options options = options_for(10);
    options.rows_per_branch = rows_per_branch;
    std::size_t count = 0;
    clusters_of(options, labels, count);
    return count;
  };
  CHECK(clusters_with(1) == 10);
  CHECK(clusters_with(2) == 5);
  CHECK(clusters_with(3) == 3);
  CHECK(clusters_with(50) == 2);
}

TEST_CASE("rows with the same labels are one cluster") {
  LabelSets labels(4, {{1, 2}, {1, 2}, {1, 2}});
  std::size_t count = 0;
  const auto codes = clusters_of(options_for(3), labels, count);
  CHECK(count == 1);
  CHECK(std::all_of(codes.begin(), codes.end(), [](std::uint8_t code) { return code == 0; }));
}

TEST_CASE("rows without labels are alike and unlike the others") {
  for (const ProjectionKind kind : {ProjectionKind::hashing, ProjectionKind::gaussian}) {
    Options options = options_for(2);
    options.projection = kind;
    LabelSets labels(3, {{}, {0}, {}, {0}, {}});
    std::size_t count = 0;
    const auto codes = clusters_of(options, labels, count);
    CHECK(count == 2);
    CHECK(codes == std::vector<std::uint8_t>{0, 1, 0, 1, 0});
  }
}

TEST_CASE("no cluster is empty, and there are never more than branches") {
  LabelSets labels(50);
  Stream stream(3);
  for (int i = 0; i < 200; ++i)
    labels.add_row(std::vector<std::uint32_t>{static_cast<std::uint32_t>(stream.below(50)),
                                              static_cast<std::uint32_t>(stream.below(50))});
  for (const std::uint32_t branches : {2U, 5U, 10U, 40U}) {
    std::size_t count = 0;
    const auto codes = clusters_of(options_for(branches), labels, count);
    CHECK(count <= branches);
    std::vector<int> sizes(count, 0);
    for (const std::uint8_t code : codes) ++sizes.at(code);
    for (std::size_t c = 0; c < count; ++c) CHECK(sizes[c] > 0);
    CHECK(std::is_sorted(sizes.rbegin(), sizes.rend()));
  }
}

TEST_CASE("balanced clusters have no more than their share") {
  LabelSets labels(3);
  for (int i = 0; i < 40; ++i) labels.add_row(std::vector<std::uint32_t>{i < 36 ? 0U : i < 38 ? 1U : 2U});
  Options options = options_for(3);
  options.balanced = true;
  std::size_t count = 0;
  const auto codes = clusters_of(options, labels, count);
  REQUIRE(count == 3);
  for (std::uint8_t c = 0; c < 3; ++c) CHECK(std::count(codes.begin(), codes.end(), c) <= 14);
}

TEST_CASE("weights decide which labels a row is clustered by") {
  // Every row has label 0; the others tell rows apart.
  LabelSets labels(3);
  for (int i = 0; i < 30; ++i) labels.add_row(std::vector<std::uint32_t>{0, i % 2 == 0 ? 1U : 2U});
  const std::vector<float> only_first{1.0F, 0.0F, 0.0F};
  const std::vector<float> not_first{0.0F, 1.0F, 1.0F};
  std::size_t count = 0;
  clusters_of(options_for(4), labels, count, only_first);
  CHECK(count == 1);
  clusters_of(options_for(4), labels, count, not_first);
  CHECK(count == 2);
}

TEST_CASE("a node's own projection differs from another node's where asked for") {
  Options options = options_for(4);
  options.label_dimension = 3;
  const LabelSets labels = three_groups();
  std::vector<std::uint32_t> rows(60);
  std::iota(rows.begin(), rows.end(), 0U);
  const auto codes_in = [&](bool per_node, std::uint32_t node) {
    options.labels_per_node = per_node;
    LabelClusters clusters(options, labels, {});
    clusters.start_tree(5);
    clusters.start_node(node);
    std::vector<std::uint8_t> codes(60);
    clusters.run(rows, Stream(2), codes);
    return codes;
  };
  CHECK(codes_in(false, 1) == codes_in(false, 2));
  bool different = false;
  for (std::uint32_t node = 2; node < 12; ++node)
    different = different || codes_in(true, 1) != codes_in(true, node);
  CHECK(different);
}

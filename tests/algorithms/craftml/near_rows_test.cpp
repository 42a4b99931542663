#include "algorithms/craftml/near_rows.h"

#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "tests/algorithms/craftml/test_rows.h"

using namespace coppice;
using namespace coppice::craftml;

namespace {

/// Goes through the nodes of a made-up tree as a grower does, and compares at each what near rows say with
/// the rows themselves.
class Visits {
 public:
  Visits(const TestRows& rows, const NodeClassifier& classifier)
      : rows_(rows.view()),
        classifier_(&classifier),
        near_(rows.view(), 1000),
        order_(all(rows.view().rows())) {}

  void run(std::uint64_t seed) {
    Stream stream(seed);
    near_.start();
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, order_.size()}};
    while (!open.empty()) {
      const auto [begin, end] = open.back();
      open.pop_back();
      if (end - begin < 5) continue;
      near_.enter(begin, end, order_, *classifier_);
      compare(begin, end);
      // Half of the rows in two parts; a lopsided tree now and then.
      std::vector<std::size_t> places(end - begin);
      std::iota(places.begin(), places.end(), std::size_t{0});
      stream.shuffle(std::span(places));
      put_in_order(std::span(order_).subspan(begin, end - begin), places);
      if (near_.copied()) put_in_order(near_.ids(begin, end, order_), places);
      const std::size_t middle = begin + (end - begin) / (stream.below(3) == 0 ? 20 : 2);
      open.emplace_back(begin, middle);
      open.emplace_back(middle, end);
    }
  }
  std::size_t copied() const { return copied_; }
  std::size_t coded() const { return coded_; }

 private:
  static void put_in_order(std::span<std::uint32_t> ids, const std::vector<std::size_t>& places) {
    std::vector<std::uint32_t> before(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = before[places[i]];
  }

  void compare(std::size_t begin, std::size_t end) {
    const ClassifierRows near = near_.rows();
    const auto ids = near_.ids(begin, end, order_);
    copied_ += near_.copied() ? 1 : 0;
    coded_ += near.coded ? 1 : 0;
    bool same = true;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const SparseRow expected = rows_[order_[begin + i]];
      const SparseRow found = near.rows[ids[i]];
      same = same && std::ranges::equal(expected.values, found.values) &&
             std::ranges::equal(expected.columns, found.columns, {}, [&](std::uint32_t column) {
               return near.coded ? classifier_->code(column) : column;
             });
    }
    CHECK(same);
  }

  SparseRowsView rows_;
  const NodeClassifier* classifier_;
  NearRows near_;
  std::vector<std::uint32_t> order_;
  std::size_t copied_ = 0;
  std::size_t coded_ = 0;
};

}  // namespace

TEST_CASE("near rows are the rows of the node, whatever was entered before") {
  Options options;
  options.feature_dimension = 100;
  for (const std::uint32_t features : {40U, 9000U}) {
    CAPTURE(features);
    const TestRows rows = random_rows(3000, features, 3, features == 40 ? 0.1 : 0.002);
    NodeClassifier classifier(options, features, rows.view().typical_entries());
    classifier.start_tree(17);
    Visits visits(rows, classifier);
    for (const std::uint64_t seed : {1U, 2U, 3U}) visits.run(seed);
    CHECK(visits.copied() > 100);
    CHECK((visits.coded() > 0) == (features == 9000));
    CHECK(visits.coded() == (features == 9000 ? visits.copied() : 0));
  }
}

TEST_CASE("coded rows are routed as the rows themselves") {
  Options options;
  options.branches = 6;
  options.feature_dimension = 50;
  const TestRows rows = random_rows(200, 9000, 5, 0.004);
  NodeClassifier classifier(options, 9000, rows.view().typical_entries());
  classifier.start_tree(8);
  REQUIRE(classifier.coding_pays());
  TestRows coded = rows;
  for (std::uint32_t& column : coded.columns) column = classifier.code(column);
  std::vector<std::uint8_t> codes(200);
  for (std::size_t i = 0; i < 200; ++i) codes[i] = static_cast<std::uint8_t>(i % 6);
  const auto routes_of = [&](const ClassifierRows& given) {
    std::vector<std::uint8_t> routes(200);
    classifier.start_node(0);
    classifier.add(given, all(200), codes, Lengths::unknown);
    classifier.finish(6);
    classifier.route(given, all(200), routes);
    classifier.end_node(given, all(200));
    return std::pair{routes, std::vector<float>(classifier.scale().begin(), classifier.scale().end())};
  };
  const auto expected = routes_of(rows.view());
  CHECK(routes_of({coded.view(), true}) == expected);
  CHECK(routes_of(rows.view()) == expected);
}

#include "core/data/splits/splits.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/error.h"

using namespace coppice;

namespace {

/// Whether the parts are ascending, disjoint and together all rows.
bool is_partition(const Split& split, std::size_t rows) {
  Rows all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != i) return false;
  return all.size() == rows && std::is_sorted(split.train.begin(), split.train.end()) &&
         std::is_sorted(split.test.begin(), split.test.end());
}

}  // namespace

TEST_CASE("a hold-out split has the asked size and depends on its stream only") {
  const Split split = holdout(100, 0.33, Stream(1));
  CHECK(split.test.size() == 33);
  CHECK(is_partition(split, 100));
  CHECK(holdout(100, 0.33, Stream(1)).test == split.test);
  CHECK(holdout(100, 0.33, Stream(2)).test != split.test);
}

TEST_CASE("a hold-out split always leaves a row on both sides") {
  CHECK(holdout(2, 0.01, Stream(1)).test.size() == 1);
  CHECK(holdout(3, 0.99, Stream(1)).train.size() == 1);
  CHECK_THROWS_AS(holdout(1, 0.5, Stream(1)), Error);
}

TEST_CASE("every row is tested on in exactly one fold, and folds differ by one row at most") {
  const auto splits = k_fold(103, 10, Stream(4));
  CHECK(splits.size() == 10);
  std::vector<int> tested(103, 0);
  for (const Split& split : splits) {
    CHECK(is_partition(split, 103));
    CHECK((split.test.size() == 10 || split.test.size() == 11));
    for (const std::uint32_t row : split.test) ++tested[row];
  }
  CHECK(tested == std::vector<int>(103, 1));
  CHECK_THROWS_AS(k_fold(3, 4, Stream(1)), Error);
  CHECK_THROWS_AS(k_fold(3, 1, Stream(1)), Error);
}

TEST_CASE("each row has the same chance to be held out") {
  std::vector<int> held(10, 0);
  for (std::uint64_t i = 0; i < 5000; ++i)
    for (const std::uint32_t row : holdout(10, 0.3, Stream(9).at("repeat", i)).test) ++held[row];
  for (const int count : held) CHECK(std::abs(count - 1500) < 150);
}

TEST_CASE("a split within a part names the rows of the part") {
  const Rows part{5, 7, 11, 13};
  const Split inner = within({{0, 2}, {1, 3}}, part);
  CHECK(inner.train == Rows{5, 11});
  CHECK(inner.test == Rows{7, 13});
}

TEST_CASE("a split of given sizes is drawn anew") {
  const Split split = random_split(100, 60, 30, Stream(2));
  CHECK(split.train.size() == 60);
  CHECK(split.test.size() == 30);
  Rows both;
  std::set_intersection(split.train.begin(), split.train.end(), split.test.begin(), split.test.end(),
                        std::back_inserter(both));
  CHECK(both.empty());
  CHECK_THROWS_WITH(random_split(10, 8, 3, Stream(1)),
                    "8 rows to train on and 3 to test on are more than the 10 there are");
}

TEST_CASE("leave-one-out tests on one row and trains on all others") {
  for (std::size_t i = 0; i < 5; ++i) {
    const Split split = leave_one_out(5, i);
    CHECK(split.test == Rows{static_cast<std::uint32_t>(i)});
    CHECK(is_partition(split, 5));
  }
  CHECK_THROWS_AS(leave_one_out(1, 0), Error);
}

TEST_CASE("a bootstrap draws as many rows as there are and tests on those that were not drawn") {
  double out_of_bag = 0.0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Split split = bootstrap(1000, Stream(7).at("repeat", i));
    CHECK(split.train.size() == 1000);
    CHECK(std::is_sorted(split.train.begin(), split.train.end()));
    Rows once = split.train;
    once.erase(std::unique(once.begin(), once.end()), once.end());
    CHECK(is_partition({once, split.test}, 1000));
    out_of_bag += static_cast<double>(split.test.size());
  }
  CHECK(out_of_bag / 50000.0 == doctest::Approx(0.3677).epsilon(0.02));
  for (std::uint64_t i = 0; i < 50; ++i) CHECK_FALSE(bootstrap(2, Stream(i)).test.empty());
  CHECK(estimate_632(1.0, 0.5) == doctest::Approx(0.684));
}

TEST_CASE("groups are never separated") {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t row = 0; row < 200; ++row) groups.push_back(row * row % 23);
  const auto splits = group_k_fold(groups, 4, Stream(5));
  std::vector<int> tested(200, 0);
  for (const Split& split : splits) {
    CHECK(is_partition(split, 200));
    CHECK(split.test.size() > 35);
    CHECK(split.test.size() < 65);
    for (const std::uint32_t row : split.test) {
      ++tested[row];
      for (const std::uint32_t other : split.train) REQUIRE(groups[row] != groups[other]);
    }
  }
  CHECK(tested == std::vector<int>(200, 1));
  const Split half = group_holdout(groups, 0.5, Stream(5));
  CHECK(is_partition(half, 200));
  CHECK(half.test.size() > 70);
  CHECK(half.test.size() < 130);
  for (const std::uint32_t row : half.test)
    for (const std::uint32_t other : half.train) REQUIRE(groups[row] != groups[other]);
  const std::vector<std::uint32_t> two{0, 0, 0, 9};
  for (std::uint64_t i = 0; i < 20; ++i) CHECK_FALSE(group_holdout(two, 0.99, Stream(i)).train.empty());
  CHECK_THROWS_WITH(group_k_fold(two, 3, Stream(1)),
                    "3 folds of 2 groups are impossible; take between 2 and 2");
}

TEST_CASE("one group at a time is left out, and a bootstrap draws whole groups") {
  const std::vector<std::uint32_t> groups{4, 1, 4, 7, 1, 7, 7};
  CHECK(group_count(groups) == 3);
  CHECK(leave_one_group_out(groups, 1).test == Rows{0, 2});
  CHECK(leave_one_group_out(groups, 1).train == Rows{1, 3, 4, 5, 6});
  CHECK_THROWS_WITH(leave_one_group_out(std::vector<std::uint32_t>{3, 3}, 0),
                    "leave-one-out by groups needs at least 2 groups; there is 1");
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Split split = group_bootstrap(groups, Stream(i));
    CHECK_FALSE(split.test.empty());
    for (const std::uint32_t row : split.train) {
      for (const std::uint32_t tested : split.test) REQUIRE(groups[row] != groups[tested]);
      // All rows of a group are drawn equally often.
      for (std::uint32_t other = 0; other < groups.size(); ++other)
        if (groups[other] == groups[row])
          REQUIRE(std::count(split.train.begin(), split.train.end(), row) ==
                  std::count(split.train.begin(), split.train.end(), other));
    }
  }
}

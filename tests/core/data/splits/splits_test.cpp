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

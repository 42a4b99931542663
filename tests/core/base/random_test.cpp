#include "core/base/random.h"

#include <cmath>
#include <set>
#include <vector>

#include <doctest/doctest.h>

using coppice::Stream;

TEST_CASE("the generator is Philox4x64-10") {
  // Golden: numpy 1.24.2, Philox(counter=c, key=k).random_raw(4), which draws at counter c + 1.
  CHECK(Stream::philox({1, 0, 0, 0}, {0, 0}) ==
        std::array<std::uint64_t, 4>{0x2f4ba6408e4d89bU, 0x3dd62b0b9ca8c5b2U, 0x1c8667a55d902e79U,
                                     0x907d7a052fd5b4dcU});
  CHECK(Stream::philox({42, 7, 8, 9}, {0x123456789abcdef0U, 0x0fedcba987654321U}) ==
        std::array<std::uint64_t, 4>{0xb018b41c4c8c0b6cU, 0x7c7fbef2f2f2ead3U, 0x53bc7c603268c66cU,
                                     0xb7ae1ec3edcb0d7fU});
}

TEST_CASE("a stream is addressed: the same axes give the same numbers, whatever was drawn before") {
  Stream root(42);
  Stream first = root.at("repeat", 3).at("tree", 5);
  root.next();
  Stream second = root.at("repeat", 3).at("tree", 5);
  for (int i = 0; i < 100; ++i) CHECK(first.next() == second.next());
}

TEST_CASE("different addresses give different streams") {
  std::set<std::uint64_t> seen;
  const Stream root(1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    seen.insert(root.at("tree", i).next());
    seen.insert(root.at("node", i).next());
    seen.insert(root.at("tree", i).at("node", i).next());
  }
  CHECK(seen.size() == 3000);
}

TEST_CASE("below() is uniform and stays in range") {
  Stream stream(7);
  std::vector<int> counts(10, 0);
  for (int i = 0; i < 100000; ++i) ++counts[stream.below(10)];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 400);
  CHECK(stream.below(1) == 0);
}

TEST_CASE("normal() has the moments of the standard normal distribution") {
  Stream stream(11);
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  constexpr int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  CHECK(std::abs(sum / draws) < 0.01);
  CHECK(std::abs(squares / draws - 1.0) < 0.02);
  CHECK(std::abs(fourth / draws - 3.0) < 0.15);
}

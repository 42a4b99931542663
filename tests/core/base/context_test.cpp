#include "core/base/context.h"

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/arena.h"
#include "core/base/error.h"

using namespace coppice;

namespace {
double burn(int rounds) {
  double sum = 0.0;
  for (int i = 1; i < rounds; ++i) sum += 1.0 / static_cast<double>(i);
  return sum;
}
}  // namespace

TEST_SUITE("scheduler") {
  TEST_CASE("a parallel loop runs every index once") {
    for (const int threads : {1, 2, 4}) {
      std::vector<int> seen(1000, 0);
      in_arena(threads, [&] { parallel_for({}, seen.size(), [&](std::size_t i) { ++seen[i]; }); });
      CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    }
  }

  TEST_CASE("an exception of a loop body reaches the caller") {
    CHECK_THROWS_AS(parallel_for({}, 100,
                                 [](std::size_t i) {
                                   if (i == 57) throw Error(ErrorKind::fit, "no");
                                 }),
                    Error);
  }

  TEST_CASE("threads are idle unless all of them are in a loop, however loops nest and end") {
    in_arena(1, [] { CHECK_FALSE(has_idle_threads()); });
    in_arena(2, [] {
      CHECK(has_idle_threads());
      CHECK_THROWS_AS(parallel_for({}, 4, [](std::size_t) { throw Error(ErrorKind::fit, "no"); }), Error);
      CHECK(has_idle_threads());
      std::atomic<int> arrived{0};
      std::atomic<bool> idle{false};
      // Bodies wait for each other, so that two threads are at it.
      parallel_for({}, 2, [&](std::size_t) {
        parallel_for({}, 1, [&](std::size_t) {
          ++arrived;
          while (arrived.load() < 2) std::this_thread::yield();
          if (has_idle_threads()) idle = true;
          ++arrived;
          while (arrived.load() < 4) std::this_thread::yield();
        });
      });
      CHECK_FALSE(idle.load());
      CHECK(has_idle_threads());
    });
  }

  TEST_CASE("a stop request ends a loop") {
    StopFlag stop;
    Context context;
    context.stop = &stop;
    std::atomic<int> ran{0};
    CHECK_THROWS_AS(parallel_for(context, 1000000,
                                 [&](std::size_t) {
                                   if (++ran == 10) stop.request();
                                 }),
                    Error);
    CHECK(ran < 1000);
  }

  TEST_CASE("the meter counts the work of every thread once") {
    CpuMeter alone;
    {
      const CpuMeter::Section section(&alone);
      const CpuMeter::Section nested(&alone);
      CHECK(burn(20000000) > 0);
    }
    CpuMeter shared;
    Context context;
    context.meter = &shared;
    in_arena(2, [&] {
      const CpuMeter::Section section(&shared);
      parallel_for(context, 4, [&](std::size_t) {
        parallel_for(context, 2, [&](std::size_t) { CHECK(burn(2500000) > 0); });
      });
    });
    CHECK(alone.seconds() > 0.0);
    CHECK(shared.seconds() > 0.5 * alone.seconds());
    CHECK(shared.seconds() < 2.0 * alone.seconds());
  }
}

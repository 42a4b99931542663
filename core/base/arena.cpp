#include "core/base/arena.h"

#include <algorithm>
#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "core/base/handover.h"

// The only file that speaks to TBB. A ThreadSanitizer build leaves this file alone: TBB's library is not
// instrumented, so its hand-overs between threads would look like races. What runs inside is instrumented,
// and Handover says there what happens before what.

namespace coppice {

namespace {

std::atomic<bool> without_threads{false};

std::atomic<int> busy_threads{0};
thread_local int bodies_of_thread = 0;

/// While one lives the thread counts as busy; bodies nest.
class Busy {
 public:
  Busy() {
    if (bodies_of_thread++ == 0) busy_threads.fetch_add(1, std::memory_order_relaxed);
  }
  ~Busy() {
    if (--bodies_of_thread == 0) busy_threads.fetch_sub(1, std::memory_order_relaxed);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
};

}  // namespace

void run_without_threads() {
  without_threads.store(true);
}

void in_arena(int threads, const std::function<void()>& body) {
  if (without_threads.load(std::memory_order_relaxed)) return body();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(std::max(threads, 1)));
  tbb::task_arena arena(threads);
  Handover handover;
  arena.execute([&] {
    const Handover::Body here(handover);
    body();
  });
}

int arena_threads() {
  return without_threads.load(std::memory_order_relaxed) ? 1 : tbb::this_task_arena::max_concurrency();
}

bool has_idle_threads() {
  const int threads = arena_threads();
  return threads > 1 && busy_threads.load(std::memory_order_relaxed) < threads;
}

void parallel_ranges(std::size_t count, std::size_t grain, WhileWaiting waiting,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  if (without_threads.load(std::memory_order_relaxed)) {
    const std::size_t step = std::max<std::size_t>(1, grain);
    for (std::size_t begin = 0; begin < count; begin += step) body(begin, std::min(count, begin + step));
    return;
  }
  Handover handover;
  const auto loop = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(1, grain)),
        [&](const tbb::blocked_range<std::size_t>& range) {
          const Handover::Body here(handover);
          const Busy busy;
          body(range.begin(), range.end());
        },
        tbb::simple_partitioner());
  };
  if (waiting == WhileWaiting::this_loop)
    tbb::this_task_arena::isolate(loop);
  else
    loop();
}

}  // namespace coppice

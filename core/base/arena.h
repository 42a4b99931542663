#pragma once

#include <cstddef>
#include <functional>

namespace coppice {

/// Runs `body` in an arena of that many threads: whatever it runs in parallel shares them and no others.
void in_arena(int threads, const std::function<void()>& body);

/// How many threads share what the caller runs in parallel.
int arena_threads();

/// Whether one of them seems to have nothing to do at this moment. It may differ from run to run, so that
/// only how something is computed may depend on it, never what.
bool has_idle_threads();

/// What a thread that waits for the end of a loop may do meanwhile.
enum class WhileWaiting {
  this_loop,  ///< take part in this loop only: whatever else began could keep it long
  any_work,   ///< help any loop of the arena
};

/// Runs `body` over consecutive ranges [begin, end) of at most `grain` indices that cover 0 … count - 1,
/// possibly in parallel, inside the caller's arena. The first exception thrown is rethrown here.
/// core/base/context.h has the loops that algorithms use.
void parallel_ranges(std::size_t count, std::size_t grain, WhileWaiting waiting,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// From now on this process runs every loop in the thread that calls it and leaves TBB alone: for a process
/// that was forked off one with threads, of which it has none.
void run_without_threads();

}  // namespace coppice

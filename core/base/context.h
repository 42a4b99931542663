#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

#include "core/base/random.h"

namespace coppice {

/// Set once when the user asks to stop; polled by long loops.
class StopFlag {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  /// Throws Error(interrupted) if a stop was requested.
  void check() const;

 private:
  std::atomic<bool> requested_{false};
};

/// Adds up the CPU time spent on one piece of work by all the threads that take part in it. While a `Section`
/// lives, the thread's time counts; sections of the same meter may nest on one thread and count once.
class CpuMeter {
 public:
  class Section {
   public:
    explicit Section(CpuMeter* meter);
    ~Section();
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    CpuMeter* meter_;
    CpuMeter* outer_;
    double start_ = 0.0;
  };

  double seconds() const { return static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) * 1e-9; }

 private:
  std::atomic<std::int64_t> nanoseconds_{0};
};

/// What an algorithm gets besides data and parameters. None of it but the stream may influence a result that
/// somebody looks at.
struct Context {
  Stream stream{0};                ///< the randomness that belongs to this piece of work
  const StopFlag* stop = nullptr;  ///< polled; may be null
  CpuMeter* meter = nullptr;       ///< where CPU time is booked; may be null
  /// Where projections of outputs come from, if they are to be varied on their own; else from `stream`.
  std::optional<Stream> projection{};
  /// How many of the best labels of a row are looked at, if not all: predictions may leave out the others.
  std::optional<std::size_t> best_labels{};

  void check_stop() const {
    if (stop != nullptr) stop->check();
  }
  /// The same context with another stream.
  Context with(Stream other) const { return {other, stop, meter, projection, best_labels}; }
};

/// Runs body(0) … body(count - 1), possibly in parallel, inside the caller's TBB arena. The thread that waits
/// runs nothing but this loop (isolation), stops are honoured between bodies, CPU time goes to the context's
/// meter. The first exception thrown is rethrown here. Bodies must write to places of their own, so that
/// results do not depend on the order.
void parallel_for(const Context& context, std::size_t count, const std::function<void(std::size_t)>& body);

/// The same over consecutive blocks [begin, end) of at least `grain` indices.
void parallel_blocks(const Context& context, std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Runs `body` as often as there are threads, in an arena of that many. A thread whose body is done helps
/// with the loops of the others.
void run_workers(int threads, const std::function<void()>& body);

}  // namespace coppice

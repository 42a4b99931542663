#include "core/base/context.h"

#include <cstdint>
#include <ctime>

#include "core/base/arena.h"
#include "core/base/error.h"

namespace coppice {

namespace {

thread_local CpuMeter* current_meter = nullptr;

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

void StopFlag::check() const {
  if (requested()) throw Error(ErrorKind::interrupted, "interrupted");
}

CpuMeter::Section::Section(CpuMeter* meter) : meter_(meter), outer_(current_meter) {
  if (meter_ == nullptr || meter_ == outer_) return;
  start_ = thread_cpu_seconds();
  current_meter = meter_;
}

CpuMeter::Section::~Section() {
  if (meter_ == nullptr || meter_ == outer_) return;
  const double seconds = thread_cpu_seconds() - start_;
  meter_->nanoseconds_.fetch_add(static_cast<std::int64_t>(seconds * 1e9), std::memory_order_relaxed);
  current_meter = outer_;
}

void parallel_for(const Context& context, std::size_t count, const std::function<void(std::size_t)>& body) {
  parallel_blocks(context, count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      context.check_stop();
      body(i);
    }
  });
}

void parallel_blocks(const Context& context, std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  context.check_stop();
  if (count == 0) return;
  if (count <= grain) {
    const CpuMeter::Section section(context.meter);
    body(0, count);
    return;
  }
  parallel_ranges(count, grain, WhileWaiting::this_loop, [&](std::size_t begin, std::size_t end) {
    const CpuMeter::Section section(context.meter);
    body(begin, end);
  });
}

void run_workers(int threads, const std::function<void()>& body) {
  in_arena(threads, [&] {
    parallel_ranges(static_cast<std::size_t>(threads), 1, WhileWaiting::any_work,
                    [&](std::size_t, std::size_t) { body(); });
  });
}

}  // namespace coppice

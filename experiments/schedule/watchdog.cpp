#include "experiments/schedule/watchdog.h"

#include "experiments/schedule/score_model.h"

namespace coppice {

namespace {

constexpr std::chrono::milliseconds look_interval{20};

}  // namespace

Watchdog::Watchdog(const StopFlag& run, std::optional<double> seconds) : run_(run), seconds_(seconds) {
  thread_.emplace(mutex_, [this](std::unique_lock<std::mutex>& lock) { watch(lock); });
}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  thread_.reset();
}

void Watchdog::watch(std::unique_lock<std::mutex>& lock) {
  while (!closing_) {
    for (Guard* guard : guards_) {
      if (run_.requested()) guard->flag_.request();
      if (!seconds_ || seconds_since(guard->start_) < *seconds_) continue;
      guard->too_late_ = true;
      guard->flag_.request();
    }
    wake_.wait_for(lock, look_interval, [this] { return closing_; });
  }
}

Watchdog::Guard::Guard(Watchdog& watchdog) : watchdog_(watchdog) {
  if (watchdog.run_.requested()) flag_.request();
  const std::scoped_lock lock(watchdog.mutex_);
  watchdog.guards_.push_back(this);
}

Watchdog::Guard::~Guard() {
  const std::scoped_lock lock(watchdog_.mutex_);
  watchdog_.guards_.remove(this);
}

bool Watchdog::Guard::too_late() const {
  const std::scoped_lock lock(watchdog_.mutex_);
  return too_late_;
}

}  // namespace coppice

#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>

#include "core/base/context.h"
#include "core/base/process_fork.h"

namespace coppice {

/// Stops fits that take too long, and all of them when the run is stopped. A fit notices when it polls its
/// flag.
class Watchdog {
 public:
  Watchdog(const StopFlag& run, std::optional<double> seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Watches over one fit while it lives.
  class Guard {
   public:
    explicit Guard(Watchdog& watchdog);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    /// What the fit polls.
    const StopFlag& flag() const { return flag_; }
    /// Whether its time was over before it was.
    bool too_late() const;

   private:
    friend class Watchdog;
    Watchdog& watchdog_;
    StopFlag flag_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool too_late_ = false;
  };

 private:
  void watch(std::unique_lock<std::mutex>& lock);

  const StopFlag& run_;
  std::optional<double> seconds_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Guard*> guards_;
  bool closing_ = false;
  std::optional<CompanionThread> thread_;
};

}  // namespace coppice

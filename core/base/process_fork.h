#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include <sys/types.h>

namespace coppice {

/// As fork(), for a process that has threads. A fork has the calling thread alone: what the others hold at
/// that moment, be it a lock inside the allocator of memory, nobody ever gives back there. So threads of
/// loops are ended before, and companion threads kept waiting by their mutexes. Not to be called inside a
/// loop, nor with one of these mutexes held.
pid_t fork_process();

/// A thread that runs beside the work. It does nothing but wait and call the system while it does not hold
/// its mutex, so that a process can be forked at any time; it has begun when it is made.
class CompanionThread {
 public:
  /// Runs `body` with the mutex locked.
  CompanionThread(std::mutex& mutex, std::function<void(std::unique_lock<std::mutex>& lock)> body);
  /// Waits for its end.
  ~CompanionThread();
  CompanionThread(const CompanionThread&) = delete;
  CompanionThread& operator=(const CompanionThread&) = delete;

 private:
  std::mutex* mutex_;
  std::thread thread_;
};

}  // namespace coppice

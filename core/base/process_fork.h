#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include <sys/types.h>

namespace coppice {

/// As fork(), for a process that has threads. A fork has the calling thread alone: what the others hold at
/// that moment, be it a lock inside the allocator of memory, nobody ever gives back there. So companion
/// threads are kept waiting by their mutexes; threads of loops are idle, since it is not to be called inside
/// one. Nor with one of these mutexes held.
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

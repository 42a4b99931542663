#include "core/base/process_fork.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/context.h"

using namespace coppice;

namespace {

/// A thread that takes and gives back memory, and another lock, as fast as it can.
class Busy {
 public:
  ~Busy() { stop_.store(true); }
  std::mutex& other() { return other_; }
  std::size_t rounds() const { return rounds_.load(); }

 private:
  void run(std::unique_lock<std::mutex>& lock) {
    while (!stop_.load()) {
      {
        const std::scoped_lock held(other_);
        for (std::size_t size = 16; size < 100000; size *= 3)
          pieces_.push_back(std::make_unique<char[]>(size));
        pieces_.clear();
      }
      ++rounds_;
      wake_.wait_for(lock, std::chrono::microseconds(1));
    }
  }

  std::mutex mutex_;
  std::mutex other_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> rounds_{0};
  std::vector<std::unique_ptr<char[]>> pieces_;
  CompanionThread thread_{mutex_, [this](std::unique_lock<std::mutex>& lock) { run(lock); }};
};

}  // namespace

TEST_CASE("a fork finds no lock held, neither of memory nor of a companion thread, whatever the others do") {
  for (int round = 0; round < 50; ++round) {
    Busy busy;
    Busy another;
    for (int fork = 0; fork < 4; ++fork) {
      const pid_t child = fork_process();
      REQUIRE(child >= 0);
      if (child == 0) {
        std::signal(SIGALRM, SIG_DFL);
        alarm(20);
        const bool free = busy.other().try_lock() && another.other().try_lock();
        std::vector<std::unique_ptr<char[]>> pieces;
        for (std::size_t size = 16; size < 1000000; size *= 2)
          pieces.push_back(std::make_unique<char[]>(size));
        _exit(free && pieces.back() ? 0 : 1);
      }
      int status = -1;
      REQUIRE(waitpid(child, &status, 0) == child);
      REQUIRE(status == 0);
    }
  }
}

TEST_CASE("loops have their threads again after a fork, and a companion thread goes on") {
  Busy busy;
  const pid_t child = fork_process();
  if (child == 0) _exit(0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  std::vector<int> seen(1000, 0);
  parallel_for({}, seen.size(), [&](std::size_t i) { ++seen[i]; });
  CHECK(std::count(seen.begin(), seen.end(), 1) == 1000);
  const std::size_t before = busy.rounds();
  while (busy.rounds() == before) std::this_thread::yield();
}

#include "core/base/process_fork.h"

#include <future>
#include <utility>
#include <vector>

#include <unistd.h>

namespace coppice {

namespace {

/// The mutexes of all companion threads.
struct Companions {
  std::mutex mutex;  ///< of the list
  std::vector<std::mutex*> list;
};

Companions& companions() {
  static Companions all;
  return all;
}

}  // namespace

pid_t fork_process() {
  const std::scoped_lock lock(companions().mutex);
  std::vector<std::unique_lock<std::mutex>> locks;
  for (std::mutex* const mutex : companions().list) locks.emplace_back(*mutex);
  return ::fork();  // both processes give the locks back
}

CompanionThread::CompanionThread(std::mutex& mutex,
                                 std::function<void(std::unique_lock<std::mutex>& lock)> body)
    : mutex_(&mutex) {
  const std::scoped_lock lock(companions().mutex);  // no fork while it begins
  std::promise<void> begun;
  const std::future<void> beginning = begun.get_future();
  thread_ = std::thread([&mutex, begun = std::move(begun), body = std::move(body)]() mutable {
    std::unique_lock own(mutex);
    begun.set_value();
    body(own);
  });
  beginning.wait();
  companions().list.push_back(mutex_);
}

CompanionThread::~CompanionThread() {
  thread_.join();
  const std::scoped_lock lock(companions().mutex);
  std::erase(companions().list, mutex_);
}

}  // namespace coppice

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/base/process_fork.h"

namespace coppice {

/// How a run shows that it is alive: a line that changes on a terminal, a plain line now and then in a pipe,
/// or nothing.
class Progress {
 public:
  enum class Style { live, lines, quiet };

  /// `done` trials of `total` are there already.
  Progress(Style style, std::size_t total, std::size_t done);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void started(const std::string& what);
  void finished(const std::string& what, std::size_t done, std::size_t failed);
  /// A message that stays, such as a trial's failure.
  void note(const std::string& message);
  /// Clears the live line; called by the destructor too.
  void stop();

  /// A terminal gets the live line, anything else plain lines.
  static Style style_for(std::FILE* stream, bool quiet);

 private:
  void draw_loop(std::unique_lock<std::mutex>& lock);
  std::string line() const;
  void clear_line() const;

  Style style_;
  std::size_t total_;
  std::size_t already_done_;
  std::size_t done_;
  std::size_t failed_ = 0;
  std::multiset<std::string> running_;
  std::string latest_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool stopping_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<CompanionThread> drawer_;
};

/// `0:07`, `12:31`, `1:02:03`.
std::string clock_text(double seconds);

}  // namespace coppice

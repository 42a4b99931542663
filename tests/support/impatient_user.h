#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <sys/stat.h>

#include "core/base/context.h"

namespace coppice::testing {

/// Asks a run to stop as soon as a trial of it is finished. Its thread only calls the system: processes may
/// be forked meanwhile.
class ImpatientUser {
 public:
  ImpatientUser(const std::filesystem::path& folder, StopFlag& stop)
      : journal_((folder / "trials.jsonl").string()), thread_([this, &stop] {
          struct stat status {};
          while (::stat(journal_.c_str(), &status) != 0 || status.st_size == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          asked_ = std::chrono::steady_clock::now();
          stop.request();
        }) {}
  ~ImpatientUser() {
    if (thread_.joinable()) thread_.join();
  }
  ImpatientUser(const ImpatientUser&) = delete;
  ImpatientUser& operator=(const ImpatientUser&) = delete;

  /// How long ago it asked; after the run.
  std::chrono::steady_clock::duration waited() {
    thread_.join();
    return std::chrono::steady_clock::now() - asked_;
  }

 private:
  std::string journal_;
  std::chrono::steady_clock::time_point asked_;
  std::thread thread_;
};

}  // namespace coppice::testing

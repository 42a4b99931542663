#pragma once

#include <filesystem>
#include <string>

#include "algorithms/faulty/faulty.h"
#include "algorithms/registry.h"
#include "experiments/run.h"
#include "experiments/store/files.h"

namespace coppice::testing {

/// Runs a plan without a word.
inline RunSummary run_quietly(const Plan& plan, const std::filesystem::path& folder,
                              const ScheduleOptions& schedule = {}, const StopFlag& stop = {},
                              Retry retry = Retry::failed) {
  RunOptions options;
  options.folder = folder;
  options.schedule = schedule;
  options.quiet = true;
  options.retry = retry;
  return run_experiment(plan, options, stop);
}

inline ScheduleOptions with_jobs(int jobs) {
  ScheduleOptions options;
  options.jobs = jobs;
  return options;
}

/// Has an algorithm in the registry while it lives.
class Registered {
 public:
  explicit Registered(std::unique_ptr<Algorithm> algorithm) : name_(algorithm->description().name) {
    Registry::instance().add(std::move(algorithm));
  }
  ~Registered() { Registry::instance().remove(name_); }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

 private:
  std::string name_;
};

/// A text with one of its parts replaced; the part must be there.
inline std::string replaced_in(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw Error(ErrorKind::usage, "nothing to replace: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace coppice::testing

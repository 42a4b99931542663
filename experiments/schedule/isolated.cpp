#include "experiments/schedule/isolated.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <list>

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/base/arena.h"
#include "core/base/process_fork.h"
#include "experiments/schedule/run_fit.h"
#include "experiments/schedule/score_model.h"
#include "experiments/store/files.h"

namespace coppice {

namespace {

// What a child writes: lines of records, each after a letter that says what it is.
constexpr char inner_mark = 'i';
constexpr char result_mark = 'r';

constexpr int poll_milliseconds = 50;

/// Writes everything; a parent that went away ends the child.
void send(int descriptor, char mark, const std::string& line) {
  if (write_all(descriptor, mark + line) != 0) _exit(1);
}

/// In a child: what is known stays known, what is new goes to the parent.
class PipedInnerLog : public InnerLog {
 public:
  PipedInnerLog(int descriptor, const InnerLog* known) : descriptor_(descriptor), known_(known) {}
  const TrialRecord* find(const std::string& hash) const override {
    return known_ == nullptr ? nullptr : known_->find(hash);
  }
  void add(const TrialRecord& record) override { send(descriptor_, inner_mark, record.line()); }

 private:
  int descriptor_;
  const InnerLog* known_;
};

/// The bytes of address space that this process has.
double address_space() {
  std::ifstream stream("/proc/self/statm");
  double pages = 0.0;
  stream >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void limit_memory(double bytes) {
  const double used = address_space();
  if (used <= 0.0) return;
  const auto most = static_cast<rlim_t>(used + bytes);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void be_child(const Plan& plan, const Fit& fit, int descriptor, const InnerLog* log,
                           const ScheduleOptions& options, const StopFlag& stop) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // A crash ends this process and no more: nobody's handlers, nothing left on disk.
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE}) std::signal(number, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  run_without_threads();
  if (options.memory) limit_memory(*options.memory);
  PipedInnerLog inner(descriptor, log);
  try {
    for (const TrialRecord& record : run_fit(plan, fit, stop, &inner))
      send(descriptor, result_mark, record.line());
  } catch (...) {
    _exit(1);  // interrupted: the parent knows
  }
  _exit(0);
}

/// A process at work.
struct Child {
  std::size_t fit = 0;
  pid_t process = -1;
  int descriptor = -1;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  bool too_late = false;
  std::string text;  ///< received and not yet understood
  std::vector<TrialRecord> records;
};

std::string end_text(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return fmt::format("the process was ended by signal {} ({}){}", number, strsignal(number),
                       number == SIGKILL ? "; it may have run out of memory" : "");
  }
  return fmt::format("the process ended with code {} and no result", WEXITSTATUS(status));
}

class Coordinator {
 public:
  Coordinator(const Plan& plan, FitQueue& queue, InnerLog* log, const ScheduleOptions& options,
              const StopFlag& stop)
      : plan_(plan), queue_(queue), log_(log), options_(options), stop_(stop) {}

  ~Coordinator() {
    for (Child& child : children_) end(child);
    for (Child& child : children_) {
      waitpid(child.process, nullptr, 0);
      ::close(child.descriptor);
    }
  }

  void run() {
    const std::size_t slots = options_.exclusive ? 1 : static_cast<std::size_t>(options_.jobs);
    while (true) {
      while (!stop_.requested() && children_.size() < slots) {
        const auto next = queue_.take();
        if (!next) break;
        start(*next);
      }
      if (children_.empty()) return;
      listen();
      for (auto child = children_.begin(); child != children_.end();) {
        watch(*child);
        if (child->descriptor >= 0) {
          ++child;
          continue;
        }
        conclude(*child);
        child = children_.erase(child);
      }
    }
  }

 private:
  void start(std::size_t index) {
    const Fit& fit = queue_.fit(index);
    Child child;
    child.fit = index;
    std::string failure;
    try {
      // Loaded here, so that all children share it.
      plan_.pool->get(fit.dataset, fit.repeat);
      if (!plan_.experiment.algorithms[fit.entry].description.capabilities.categorical)
        plan_.pool->get_encoded(fit.dataset, fit.repeat);
    } catch (const Error& error) {
      return queue_.finish(index, failed_records(plan_, fit, error.what()));
    }
    int ends[2];
    if (::pipe(ends) != 0) failure = std::strerror(errno);
    if (failure.empty()) {
      child.process = fork_process();
      if (child.process == 0) {
        ::close(ends[0]);
        be_child(plan_, fit, ends[1], log_, options_, stop_);
      }
      if (child.process < 0) {
        failure = std::strerror(errno);
        ::close(ends[0]);
      }
      ::close(ends[1]);
    }
    if (!failure.empty())
      return queue_.finish(index, failed_records(plan_, fit, "cannot start a process: " + failure));
    child.descriptor = ends[0];
    children_.push_back(std::move(child));
  }

  static void end(Child& child) { ::kill(child.process, SIGKILL); }

  /// Waits for a moment and takes what the children have to say.
  void listen() {
    std::vector<pollfd> descriptors;
    for (const Child& child : children_) descriptors.push_back({child.descriptor, POLLIN, 0});
    ::poll(descriptors.data(), descriptors.size(), poll_milliseconds);
    std::size_t i = 0;
    for (Child& child : children_) {
      if (descriptors[i++].revents == 0) continue;
      char buffer[65536];
      const ssize_t count = ::read(child.descriptor, buffer, sizeof buffer);
      if (count > 0) {
        child.text.append(buffer, static_cast<std::size_t>(count));
        understand(child);
      } else if (count == 0 || errno != EINTR) {
        ::close(child.descriptor);
        child.descriptor = -1;
      }
    }
  }

  void understand(Child& child) {
    std::size_t begin = 0;
    for (std::size_t stop = child.text.find('\n'); stop != std::string::npos;
         stop = child.text.find('\n', begin)) {
      const char mark = child.text[begin];
      const auto record =
          TrialRecord::parse(std::string_view(child.text).substr(begin + 1, stop - begin - 1));
      begin = stop + 1;
      if (!record) continue;  // a torn line counts as none
      if (mark == result_mark)
        child.records.push_back(*record);
      else if (log_ != nullptr)
        log_->add(*record);
    }
    child.text.erase(0, begin);
  }

  void watch(Child& child) {
    if (child.descriptor < 0) return;
    if (options_.trial_seconds && !child.too_late && seconds_since(child.start) > *options_.trial_seconds) {
      child.too_late = true;
      end(child);
    }
    if (stop_.requested()) end(child);
  }

  void conclude(Child& child) {
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    const Fit& fit = queue_.fit(child.fit);
    if (child.records.size() == fit.trials.size()) return queue_.finish(child.fit, child.records);
    if (child.too_late)
      return queue_.finish(child.fit, failed_records(plan_, fit, time_limit_text(*options_.trial_seconds)));
    if (stop_.requested()) return queue_.drop(child.fit);
    queue_.finish(child.fit, failed_records(plan_, fit, end_text(status)));
  }

  const Plan& plan_;
  FitQueue& queue_;
  InnerLog* log_;
  const ScheduleOptions& options_;
  const StopFlag& stop_;
  std::list<Child> children_;
};

}  // namespace

std::string time_limit_text(double seconds) {
  return fmt::format("the time limit of {} s was exceeded", seconds);
}

void run_isolated(const Plan& plan, FitQueue& queue, InnerLog* log, const ScheduleOptions& options,
                  const StopFlag& stop) {
  Coordinator(plan, queue, log, options, stop).run();
}

}  // namespace coppice

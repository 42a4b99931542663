#include "tools/cli.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/error.h"

namespace coppice {

namespace {

void handle_interrupt(int /*signal*/) {
  if (stop_flag().requested()) _exit(130);
  stop_flag().request();
  // For algorithms of others, which may not look at the flag.
  constexpr std::string_view note = "\nstopping; interrupt again to end at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, note.data(), note.size());
}

}  // namespace

StopFlag& stop_flag() {
  static StopFlag flag;
  return flag;
}

void catch_interrupts() {
  stop_flag();  // made now: a signal handler must not be the first to ask
  struct sigaction action {};
  action.sa_handler = handle_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int default_jobs() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void require_jobs(int jobs) {
  if (jobs < 1) throw Error(ErrorKind::usage, fmt::format("--jobs: expected 1 or more, found {}", jobs));
}

void require_probe(double seconds) {
  if (!(seconds >= 0.0))
    throw Error(ErrorKind::usage, fmt::format("--probe: expected 0 seconds or more, found {}", seconds));
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) return;
    throw Error(ErrorKind::input_output,
                fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void print_json(const nlohmann::ordered_json& json) {
  print(json.dump(2) + "\n");
}

TextLayout stdout_layout() {
  TextLayout layout;
  winsize size{};
  layout.ansi = isatty(STDOUT_FILENO) != 0;
  layout.may_transpose = layout.ansi;
  if (layout.ansi && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) layout.width = size.ws_col;
  return layout;
}

void check_alpha(double alpha) {
  if (!(alpha > 0.0) || !(alpha < 1.0))
    throw Error(ErrorKind::usage, fmt::format("--alpha: expected a level between 0 and 1, found {}", alpha));
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, text] : lines) width = std::max(width, name.size());
  std::string result;
  for (const auto& [name, text] : lines)
    result += text.empty() ? name + "\n" : fmt::format("{:<{}}  {}\n", name, width, text);
  return result;
}

}  // namespace coppice

#include "tools/cli.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>

#include "core/base/error.h"

namespace coppice {

namespace {

void handle_interrupt(int /*signal*/) {
  if (stop_flag().requested()) _exit(130);
  stop_flag().request();
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

int default_jobs() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) return;
    throw Error(ErrorKind::input_output, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void print_json(const nlohmann::ordered_json& json) { print(json.dump(2) + "\n"); }

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

std::size_t stdout_width() {
  winsize size{};
  if (!stdout_is_terminal() || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, text] : lines) width = std::max(width, name.size());
  std::string result;
  for (const auto& [name, text] : lines) result += text.empty() ? name + "\n" : fmt::format("{:<{}}  {}\n", name, width, text);
  return result;
}

}  // namespace coppice

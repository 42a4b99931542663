#include "experiments/schedule/progress.h"

#include <cmath>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace coppice {

namespace {

using namespace std::chrono_literals;

constexpr auto live_period = 100ms;
constexpr auto line_period = 5s;
constexpr std::size_t bar_width = 22;

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// As many characters (code points) as fit.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (seen++ == columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

Progress::Style Progress::style_for(std::FILE* stream, bool quiet) {
  if (quiet) return Style::quiet;
  return isatty(fileno(stream)) != 0 ? Style::live : Style::lines;
}

Progress::Progress(Style style, std::size_t total, std::size_t done)
    : style_(style), total_(total), already_done_(done), done_(done) {
  if (style_ != Style::quiet)
    drawer_.emplace(mutex_, [this](std::unique_lock<std::mutex>& lock) { draw_loop(lock); });
}

Progress::~Progress() {
  stop();
}

void Progress::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (!drawer_) return;
  drawer_.reset();
  if (style_ == Style::live) clear_line();
}

void Progress::started(const std::string& what) {
  const std::scoped_lock lock(mutex_);
  running_.insert(what);
  latest_ = what;
}

void Progress::finished(const std::string& what, std::size_t done, std::size_t failed) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = running_.find(what); found != running_.end()) running_.erase(found);
  done_ += done;
  failed_ += failed;
}

void Progress::note(const std::string& message) {
  const std::scoped_lock lock(mutex_);
  if (style_ == Style::live) clear_line();
  if (style_ != Style::quiet) fmt::print(stderr, "{}\n", message);
}

void Progress::clear_line() const {
  fmt::print(stderr, "\r\033[K");
}

std::string Progress::line() const {
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::size_t fresh = done_ + failed_ - already_done_;
  std::string text = fmt::format("{}/{}  {} failed  {} running  {}", done_ + failed_, total_, failed_,
                                 running_.size(), clock_text(elapsed));
  if (fresh > 0 && done_ + failed_ < total_)
    text += fmt::format("  ETA {}", clock_text(elapsed / static_cast<double>(fresh) *
                                               static_cast<double>(total_ - done_ - failed_)));
  if (style_ != Style::live) return text;
  const std::size_t filled = total_ == 0 ? bar_width : bar_width * (done_ + failed_) / total_;
  std::string bar;
  for (std::size_t i = 0; i < bar_width; ++i) bar += i < filled ? "█" : "─";
  return fmt::format("[{}] {}{}{}", bar, text, running_.empty() ? "" : "   ",
                     running_.empty() ? "" : latest_);
}

void Progress::draw_loop(std::unique_lock<std::mutex>& lock) {
  while (!stopping_) {
    if (style_ == Style::live) {
      fmt::print(stderr, "\r\033[K{}", cut(line(), terminal_columns() - 1));
      std::fflush(stderr);
      wake_.wait_for(lock, live_period, [this] { return stopping_; });
    } else {
      if (!wake_.wait_for(lock, line_period, [this] { return stopping_; }))
        fmt::print(stderr, "{}\n", line());
    }
  }
}

}  // namespace coppice

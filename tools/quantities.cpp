#include "tools/quantities.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/error.h"

namespace coppice {

namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr std::array<Unit, 9> byte_units{{{"B", 1.0},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 1024.0},
                                          {"MiB", 1048576.0},
                                          {"GiB", 1073741824.0},
                                          {"TiB", 1099511627776.0}}};
constexpr std::array<Unit, 5> time_units{
    {{"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};

/// A sum of numbers with units, the last of which may lack one; NaN where it is none.
template <std::size_t n>
double parse_sum(std::string_view text, const std::array<Unit, n>& units) {
  double sum = 0.0;
  if (text.empty()) return std::nan("");
  while (!text.empty()) {
    double value = 0.0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || !(value >= 0.0)) return std::nan("");
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    while (text.starts_with(' ')) text.remove_prefix(1);
    const std::string_view name = text.substr(0, text.find_first_of("0123456789. "));
    double size = name.empty() ? 1.0 : std::nan("");
    for (const Unit& unit : units)
      if (unit.name == name) size = unit.size;
    sum += value * size;
    text.remove_prefix(name.size());
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return sum;
}

}  // namespace

double parse_duration(const std::string& text, const std::string& option) {
  const double seconds = parse_sum(text, time_units);
  if (std::isfinite(seconds) && seconds > 0.0) return seconds;
  throw Error(ErrorKind::usage,
              fmt::format("{}: expected a duration such as 90s, 30m, 2h or 1h30m{}, found '{}'", option,
                          option == "--budget" ? ", or memory such as 8GiB" : "", text));
}

double parse_bytes(const std::string& text, const std::string& option) {
  const double bytes = parse_sum(text, byte_units);
  if (std::isfinite(bytes) && bytes > 0.0) return bytes;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: expected an amount of memory such as 500MiB, 8GiB or 8GB, found '{}'", option, text));
}

bool looks_like_bytes(const std::string& text) {
  return text.ends_with('B');
}

std::string duration_text(double seconds) {
  if (seconds < 10.0) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120.0) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (seconds < 7200.0) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1073741824.0) return fmt::format("{:.1f} MiB", bytes / 1048576.0);
  return fmt::format("{:.1f} GiB", bytes / 1073741824.0);
}

double default_memory() {
  return 0.8 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace coppice

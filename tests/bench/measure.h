#pragma once

#include <fstream>
#include <string>

#include <sys/resource.h>

namespace coppice::bench {

/// Processor seconds of this process so far.
inline double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Peak memory of this program alone: what getrusage() says begins with the peak of the process that started
/// it.
inline double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024.0 * std::stod(line.substr(6));
  return 0.0;
}

}  // namespace coppice::bench

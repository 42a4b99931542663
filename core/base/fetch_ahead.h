#pragma once

#include <cstddef>

namespace coppice {

/// Memory that will be read soon, fetched into a cache near the processor part by part while there is other
/// work to do.
class FetchAhead {
 public:
  /// Nothing.
  FetchAhead() = default;
  FetchAhead(const void* begin, std::size_t bytes, std::size_t parts)
      : next_(static_cast<const char*>(begin)), lines_(bytes / line), of_part_(lines_ / parts + 1) {}

  /// Fetches the next part.
  void fetch() {
    for (std::size_t i = 0; i < of_part_ && lines_ > 0; ++i, --lines_, next_ += line)
      __builtin_prefetch(next_, 0, 2);
  }

 private:
  static constexpr std::size_t line = 64;  ///< of the cache

  const char* next_ = nullptr;
  std::size_t lines_ = 0;
  std::size_t of_part_ = 0;
};

}  // namespace coppice

#pragma once

#include <cstddef>
#include <utility>

namespace coppice {

/// Memory straight from the operating system: pages that are never touched cost nothing, and all of it goes
/// back when this goes away, which the heap does not promise.
class MemoryPages {
 public:
  MemoryPages() = default;
  /// Throws std::bad_alloc.
  explicit MemoryPages(std::size_t bytes);
  ~MemoryPages();
  MemoryPages(MemoryPages&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryPages& operator=(MemoryPages&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* data() const { return start_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace coppice

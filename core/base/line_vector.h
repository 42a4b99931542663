#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace coppice {

/// Memory that begins with a line of the cache.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <typename Other>
  explicit(false) LineAllocator(const LineAllocator<Other>& /*other*/) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, line); }
  bool operator==(const LineAllocator& /*other*/) const { return true; }
};

/// For rows of numbers that are read here and there: those that fill lines lie in no more of them than they
/// need, and no vector of numbers in two.
template <typename T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace coppice

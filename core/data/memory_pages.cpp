#include "core/data/memory_pages.h"

#include <new>

#include <sys/mman.h>

namespace coppice {

MemoryPages::MemoryPages(std::size_t bytes) : bytes_(bytes) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  start_ = static_cast<std::byte*>(start);
}

MemoryPages::~MemoryPages() {
  if (start_ != nullptr) munmap(start_, bytes_);
}

}  // namespace coppice

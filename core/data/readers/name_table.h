#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Text to number, for the hundreds of thousands of names that a header may have: no allocation for each of
/// them, and none for a look-up.
class NameTable {
 public:
  /// False if the name is there already.
  bool add(std::string_view name, std::uint32_t number);
  std::optional<std::uint32_t> find(std::string_view name) const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::size_t offset;  ///< in texts_
    std::uint32_t length;
    std::uint32_t number;
  };
  /// The slot where the name is, or the free one where it belongs.
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();

  std::string texts_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< entry + 1, or 0; a power of two, at most half full
};

}  // namespace coppice

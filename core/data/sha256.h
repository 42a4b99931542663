#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace coppice {

/// SHA-256 (FIPS 180-4), piece by piece: what the catalogue names files by.
class Sha256 {
 public:
  Sha256& add(std::span<const std::byte> bytes);
  /// 64 lower-case hexadecimal digits of all that was added.
  std::string text() const;

 private:
  void compress(const std::byte* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                      0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<std::byte, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace coppice

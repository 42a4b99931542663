#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

struct XXH3_state_s;

namespace coppice {

/// 128 bits that identify some content.
struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  /// 32 lower-case hexadecimal digits.
  std::string text() const;
  auto operator<=>(const Fingerprint&) const = default;
};

/// Computes a fingerprint piece by piece (XXH3, 128 bits). Every piece is preceded by its length, so that
/// ("ab", "c") and
/// ("a", "bc") differ.
class Fingerprinter {
 public:
  Fingerprinter();
  ~Fingerprinter();
  Fingerprinter(Fingerprinter&&) noexcept;
  Fingerprinter& operator=(Fingerprinter&&) noexcept;

  Fingerprinter& add(std::string_view text);
  Fingerprinter& add(std::uint64_t number);
  Fingerprinter& add(double number);
  template <typename T>
  Fingerprinter& add_array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }

  Fingerprint value() const;

 private:
  struct Release {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Release> state_;
};

/// A 64-bit checksum (XXH3) as 16 hexadecimal digits: the guard of every record and file that coppice writes.
std::string checksum(std::string_view bytes);

}  // namespace coppice

#include "core/base/fingerprint.h"

#include <cstring>
#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace coppice {

std::string Fingerprint::text() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

void Fingerprinter::Release::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

Fingerprinter::Fingerprinter() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}
Fingerprinter::~Fingerprinter() = default;
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;

Fingerprinter& Fingerprinter::add(std::string_view text) {
  const std::uint64_t length = text.size();
  XXH3_128bits_update(state_.get(), &length, sizeof length);
  XXH3_128bits_update(state_.get(), text.data(), text.size());
  return *this;
}

Fingerprinter& Fingerprinter::add(std::uint64_t number) {
  XXH3_128bits_update(state_.get(), &number, sizeof number);
  return *this;
}

Fingerprinter& Fingerprinter::add(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return add(bits);
}

Fingerprint Fingerprinter::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return {hash.high64, hash.low64};
}

std::string checksum(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace coppice

#include "core/data/readers/name_table.h"

#include <xxhash.h>

namespace coppice {

std::size_t NameTable::slot_of(std::string_view name, std::uint64_t hash) const {
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && std::string_view(texts_).substr(entry.offset, entry.length) == name) break;
  }
  return slot;
}

void NameTable::grow() {
  const std::size_t size = slots_.empty() ? 16 : 2 * slots_.size();
  slots_.assign(size, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & (size - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (size - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

bool NameTable::add(std::string_view name, std::uint32_t number) {
  if (2 * entries_.size() >= slots_.size()) grow();
  const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
  const std::size_t slot = slot_of(name, hash);
  if (slots_[slot] != 0) return false;
  entries_.push_back({hash, texts_.size(), static_cast<std::uint32_t>(name.size()), number});
  texts_ += name;
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return true;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t found = slots_[slot_of(name, XXH3_64bits(name.data(), name.size()))];
  if (found == 0) return std::nullopt;
  return entries_[found - 1].number;
}

}  // namespace coppice

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_file.h"

namespace coppice {

/// A list of whole numbers in 16 bits each if all of them fit, else in 32, in memory that somebody else owns:
/// an OwnedNarrow or a mapped model file.
class NarrowArray {
 public:
  NarrowArray() = default;
  explicit NarrowArray(std::span<const std::uint16_t> narrow) : is_narrow_(true), narrow_(narrow) {}
  explicit NarrowArray(std::span<const std::uint32_t> wide) : wide_(wide) {}

  bool narrow() const { return is_narrow_; }
  std::size_t size() const { return is_narrow_ ? narrow_.size() : wide_.size(); }
  bool empty() const { return size() == 0; }
  std::uint32_t operator[](std::size_t i) const { return is_narrow_ ? narrow_[i] : wide_[i]; }
  std::uint32_t back() const { return (*this)[size() - 1]; }
  NarrowArray subspan(std::size_t begin, std::size_t count) const {
    return is_narrow_ ? NarrowArray(narrow_.subspan(begin, count)) : NarrowArray(wide_.subspan(begin, count));
  }
  const std::uint16_t* narrow_data() const { return narrow_.data(); }
  const std::uint32_t* wide_data() const { return wide_.data(); }
  /// Calls body with each number.
  template <typename Body>
  void each(const Body& body) const {
    if (is_narrow_)
      for (const std::uint16_t number : narrow_) body(std::uint32_t{number});
    else
      for (const std::uint32_t number : wide_) body(number);
  }

  void save(const std::string& name, ModelWriter& writer) const {
    if (is_narrow_)
      writer.put(name + "16", narrow_);
    else
      writer.put(name, wide_);
  }
  static NarrowArray load(const std::string& name, const ModelReader& reader) {
    if (reader.has(name + "16")) return NarrowArray(reader.array<std::uint16_t>(name + "16"));
    return NarrowArray(reader.array<std::uint32_t>(name));
  }

 private:
  bool is_narrow_ = false;
  std::span<const std::uint16_t> narrow_;
  std::span<const std::uint32_t> wide_;
};

/// The memory of a NarrowArray that is being filled; how wide it is must be known before.
class OwnedNarrow {
 public:
  void start(bool narrow, std::size_t size) {
    is_narrow_ = narrow;
    if (narrow)
      narrow_.resize(size);
    else
      wide_.resize(size);
  }
  void set(std::size_t i, std::uint32_t number) {
    if (is_narrow_)
      narrow_[i] = static_cast<std::uint16_t>(number);
    else
      wide_[i] = number;
  }
  /// Valid while this object lives and is not changed.
  NarrowArray array() const {
    return is_narrow_ ? NarrowArray(std::span<const std::uint16_t>(narrow_))
                      : NarrowArray(std::span<const std::uint32_t>(wide_));
  }

 private:
  bool is_narrow_ = false;
  std::vector<std::uint16_t> narrow_;
  std::vector<std::uint32_t> wide_;
};

}  // namespace coppice

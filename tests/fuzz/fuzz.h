#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/data/readers/reader.h"

namespace coppice {

/// What the fuzzer made up: the first byte chooses options, the rest is text.
struct FuzzInput {
  FuzzInput(const std::uint8_t* data, std::size_t size);

  std::uint8_t choice = 0;
  std::string text;

  /// Whether an option that is this bit of the choice is set.
  bool chooses(int bit) const { return (choice >> bit & 1) != 0; }
  /// Options that read the text as that format, with sizes that a fuzzer's machine can hold.
  ReadOptions reading(const std::string& format) const;
};

/// Runs what reads made-up text. Any Error(data) is a good answer if it says where; everything else that is
/// thrown ends the program, which the fuzzer takes for a find.
void expect_data_or_refusal(const std::function<void()>& read);

/// Reads a dataset and looks at every value of it.
void read_and_walk(const ReadOptions& options);

}  // namespace coppice

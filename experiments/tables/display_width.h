#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// How many columns of a terminal a UTF-8 text takes: none for combining marks, two for wide East Asian
/// characters and emoji. A byte that is no UTF-8 counts as one.
std::size_t display_width(std::string_view text);

/// The text with every control character (escape sequences, line breaks, tabs) replaced by a space, so that a
/// name from data cannot spoil a terminal or a table.
std::string without_controls(std::string_view text);

/// Breaks at spaces into lines that are no wider than `width` where possible; 0 means no limit.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace coppice

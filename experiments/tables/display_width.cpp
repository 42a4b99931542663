#include "experiments/tables/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace coppice {

namespace {

struct CodeRange {
  std::uint32_t first, last;
};

// Unicode 15: marks and invisible characters (general categories Mn, Me, Cf) of the scripts in use.
constexpr std::array<CodeRange, 18> zero_width{{{0x0300, 0x036F},
                                                {0x0483, 0x0489},
                                                {0x0591, 0x05BD},
                                                {0x0610, 0x061A},
                                                {0x064B, 0x065F},
                                                {0x0900, 0x0902},
                                                {0x093C, 0x093C},
                                                {0x0941, 0x0948},
                                                {0x094D, 0x094D},
                                                {0x0E31, 0x0E31},
                                                {0x0E34, 0x0E3A},
                                                {0x0E47, 0x0E4E},
                                                {0x1AB0, 0x1AFF},
                                                {0x200B, 0x200F},
                                                {0x2060, 0x2064},
                                                {0x20D0, 0x20F0},
                                                {0xFE00, 0xFE0F},
                                                {0xFE20, 0xFE2F}}};

// Unicode 15, East Asian Width W and F.
constexpr std::array<CodeRange, 13> double_width{{{0x1100, 0x115F},
                                                  {0x2E80, 0x303E},
                                                  {0x3041, 0x33FF},
                                                  {0x3400, 0x4DBF},
                                                  {0x4E00, 0x9FFF},
                                                  {0xA000, 0xA4CF},
                                                  {0xA960, 0xA97C},
                                                  {0xAC00, 0xD7A3},
                                                  {0xF900, 0xFAFF},
                                                  {0xFE30, 0xFE6F},
                                                  {0xFF00, 0xFF60},
                                                  {0x1F300, 0x1FAFF},
                                                  {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool within(const std::array<CodeRange, N>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

/// Takes one character off the front; the byte itself where it is no UTF-8.
std::uint32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  bool valid = length > 0 && lead < 0xF5 && length <= text.size();
  std::uint32_t code = length < 2 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; valid && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    valid = (byte & 0xC0U) == 0x80U;
    code = code << 6 | (byte & 0x3FU);
  }
  text.remove_prefix(valid ? length : 1);
  return valid ? code : 0xFFFD;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::uint32_t code = take_character(text);
    if (within(zero_width, code)) continue;
    width += within(double_width, code) ? 2 : 1;
  }
  return width;
}

std::string without_controls(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::string_view before = text;
    const std::uint32_t code = take_character(text);
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    clean += control ? " " : before.substr(0, before.size() - text.size());
  }
  return clean;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (width == 0 || display_width(line) + 1 + display_width(word) <= width) {
      line += ' ';
      line += word;
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

}  // namespace coppice

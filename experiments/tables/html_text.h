#pragma once

#include <string>
#include <string_view>

namespace coppice {

/// The text with everything escaped that HTML could take for markup, inside elements and quoted attributes.
/// Control characters become spaces.
std::string html_escaped(std::string_view text);

}  // namespace coppice

#pragma once

#include <string>
#include <string_view>

namespace coppice {

// Plain text for use inside a markup language, with nothing left that the language could take for markup.
// Control characters become spaces.

/// Inside elements and quoted attributes.
std::string html_escaped(std::string_view text);

/// Inside a paragraph or a table of GitHub's Markdown.
std::string markdown_escaped(std::string_view text);

/// Inside a paragraph or a table of LaTeX; signs that its default fonts lack become commands.
std::string latex_escaped(std::string_view text);

}  // namespace coppice

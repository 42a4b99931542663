#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "experiments/tables/table.h"

namespace coppice {

/// What a format writes around a text that stands out; `{}` is the text.
struct EmphasisMarkup {
  std::string_view best;
  std::string_view second;

  std::string apply(const std::string& text, Emphasis emphasis) const {
    switch (emphasis) {
      case Emphasis::best:
        return fmt::format(fmt::runtime(best), text);
      case Emphasis::second:
        return fmt::format(fmt::runtime(second), text);
      case Emphasis::none:
        break;
    }
    return text;
  }
};

}  // namespace coppice

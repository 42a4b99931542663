#pragma once

#include <string>

#include "experiments/statistics/compare.h"

namespace coppice {

/// The critical-difference diagram of Demšar 2006 (figure 1): algorithms on an axis of average ranks, the
/// best on the left, thick bars over those that the Nemenyi test does not tell apart. Both throw Error(usage)
/// where a comparison has fewer than two datasets and so no critical difference.
///
/// A whole SVG picture: part of a page, in the colour of its text, or a file of its own, black on white.
enum class PictureUse { in_page, file };
std::string cd_diagram_svg(const Comparison& comparison, PictureUse use);

/// A `tikzpicture`.
std::string cd_diagram_tikz(const Comparison& comparison);

}  // namespace coppice

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// The candidate closest to `name` by edit distance (transpositions count once), if it is close enough to be
/// a slip.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

/// `; did you mean X?`, or `; known: a, b, c` for a short list with nothing near, or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// Up to `count` candidates, the nearest first, whatever their distance.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t count);

}  // namespace coppice

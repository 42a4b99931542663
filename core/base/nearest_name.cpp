#include "core/base/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coppice {

namespace {

constexpr std::size_t longest_list_shown = 12;

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_previous(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    std::swap(before_previous, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t count) {
  // Who mistypes a name seldom mistypes its first letter: it decides between equally near ones.
  std::vector<std::tuple<std::size_t, bool, std::string>> ranked;
  ranked.reserve(candidates.size());
  for (const std::string& candidate : candidates)
    ranked.emplace_back(edit_distance(name, candidate), name.substr(0, 1) != candidate.substr(0, 1),
                        candidate);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(std::get<2>(ranked[i]));
  return nearest;
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const std::vector<std::string> nearest = nearest_names(name, candidates, 1);
  if (nearest.empty()) return std::nullopt;
  const std::size_t tolerated = std::max<std::size_t>(1, std::min(name.size(), nearest[0].size()) / 3);
  if (edit_distance(name, nearest[0]) > tolerated) return std::nullopt;
  return nearest[0];
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  if (const auto nearest = nearest_name(name, candidates)) return fmt::format("; did you mean {}?", *nearest);
  if (candidates.empty() || candidates.size() > longest_list_shown) return "";
  return fmt::format("; known: {}", fmt::join(candidates, ", "));
}

}  // namespace coppice

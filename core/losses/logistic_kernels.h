#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

/// The loops of the logistic loss over the rows of one output. They are plain loops over fixed groups of
/// lanes, so that every vector width gives the same bits. `state` is p or p - 1, whichever is nearer to 0:
/// a float keeps its digits at both ends.

/// What a tree tells its groups of rows, h, as whole numbers of at most `largest_told`: their sums are exact.
constexpr std::int32_t largest_told = 1 << 22;

/// Sums over rows, of which each has the h of its group. The first derivative asks for Σ p h less the h of
/// the rows that have the label, which nearly cancel once a model is good; so Σ p h is kept as what is small
/// and what is exact.
struct LogisticSums {
  double small = 0.0;       ///< Σ state h
  std::int64_t likely = 0;  ///< Σ h over the rows with p above one half, whose state is p - 1
  double second = 0.0;      ///< Σ p(1-p) h²
  double third = 0.0;       ///< Σ p(1-p)(1-2p) h³
};
LogisticSums logistic_sums(std::span<const float> state, std::span<const std::uint32_t> group,
                           std::span<const std::int32_t> told);
/// The same after the odds of each row have been multiplied by the factor of its group.
LogisticSums logistic_sums_moved(std::span<const float> state, std::span<const std::uint32_t> group,
                                 std::span<const std::int32_t> told, std::span<const float> factors);
/// Multiplies the odds of each row by the factor of its group.
void logistic_move(std::span<float> state, std::span<const std::uint32_t> group,
                   std::span<const float> factors);
/// -2p, the negative gradient of rows without the label.
void logistic_gradients(std::span<const float> state, std::span<double> gradients);
/// Adds factor · p of each row.
void logistic_add(std::span<const float> state, double factor, std::span<double> sums);

}  // namespace coppice

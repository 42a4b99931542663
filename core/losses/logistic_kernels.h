#pragma once

#include <cstddef>
#include <cstdint>

namespace coppice {

/// The loops of the logistic loss over the rows of one output. They are plain loops over fixed groups of
/// lanes, so that every vector width gives the same bits. `state` is p or p - 1, whichever is nearer to 0.

/// Σ p h, Σ p(1-p) h² and Σ p(1-p)(1-2p) h³.
struct LogisticSums {
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;
};
LogisticSums logistic_sums(const double* state, const double* told, std::size_t rows);
/// The same after the odds of each row have been multiplied by factors[group[row]].
LogisticSums logistic_sums_moved(const double* state, const double* told, const std::uint32_t* group,
                                 const double* factors, std::size_t rows);
/// Multiplies the odds of each row by factors[group[row]].
void logistic_move(double* state, const std::uint32_t* group, const double* factors, std::size_t rows);
/// -2p, the negative gradient of rows without the label.
void logistic_gradients(const double* state, std::size_t rows, double* gradients);
/// Adds factor · p of each row.
void logistic_add(const double* state, std::size_t rows, double factor, double* sums);

}  // namespace coppice

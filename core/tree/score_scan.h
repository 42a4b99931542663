#pragma once

#include <cstddef>

#include "core/base/wide_vectors.h"
#include "core/tree/split_score.h"

namespace coppice {

/// The first of some scores, from a place on, that is not below a bar, told without dividing; `count` if all
/// are.
inline std::size_t next_not_below(const SplitScore* scores, std::size_t from, std::size_t count, double bar) {
  while (from < count && scores[from].numerator < bar * scores[from].denominator) ++from;
  return from;
}

#if COPPICE_WRITES_WIDEST
/// The same, eight at a time. Only where has_widest_vectors().
std::size_t next_not_below_widest(const SplitScore* scores, std::size_t from, std::size_t count, double bar);

/// The scores of splits of real targets that part the first of some rows from the others, the first two…:
/// |S_L|² · W / (W_L · W_R), with |S_L|² in `squares`. `weights` are those of the rows, whole numbers, so
/// that they may be added up in any order, of a node that weighs `total`. Only where has_widest_vectors().
void prefix_scores_widest(const double* weights, const double* squares, std::size_t count, double total,
                          SplitScore* scores);
#endif

}  // namespace coppice

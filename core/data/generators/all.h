#pragma once

#include <memory>

#include "core/data/generators/generator.h"

namespace coppice {

/// One friedman1 task among noise features (Friedman 1991).
std::unique_ptr<Generator> make_friedman1();
/// Several friedman1 outputs whose noise accumulates, is independent, or that share no inputs at all.
std::unique_ptr<Generator> make_friedman1_chain();
std::unique_ptr<Generator> make_friedman1_group();
std::unique_ptr<Generator> make_friedman1_independent();
/// Two normal clouds (Breiman 1996).
std::unique_ptr<Generator> make_two_norm();
/// Sparse normal inputs, random outputs: for timings (thesis 8.3.1).
std::unique_ptr<Generator> make_sparse_regression();
/// Labels that follow latent factors of the inputs.
std::unique_ptr<Generator> make_multilabel();
/// Power-law labels over sparse text-like inputs.
std::unique_ptr<Generator> make_extreme();

}  // namespace coppice

#pragma once

#include <memory>

#include "core/losses/loss.h"

namespace coppice {

/// Losses of the residual y - f.
std::unique_ptr<Loss> make_square_loss();
std::unique_ptr<Loss> make_absolute_loss();
std::unique_ptr<Loss> make_huber_loss();
/// Losses of the margin y·f, with y = 1 for rows that have the label and -1 for others.
std::unique_ptr<Loss> make_logistic_loss();
std::unique_ptr<Loss> make_exponential_loss();
std::unique_ptr<Loss> make_hinge_loss();

}  // namespace coppice

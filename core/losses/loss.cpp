#include "core/losses/loss.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/losses/families.h"

namespace coppice {

LossTargets LossTargets::real(std::span<const double> values, double delta) {
  LossTargets targets;
  targets.rows_ = values.size();
  targets.values_ = values;
  targets.delta_ = delta;
  return targets;
}

LossTargets LossTargets::label(std::span<const std::uint32_t> positives, std::size_t rows) {
  LossTargets targets;
  targets.rows_ = rows;
  targets.is_label_ = true;
  targets.positives_ = positives;
  return targets;
}

std::size_t LossTargets::first_positive(std::size_t row) const {
  return static_cast<std::size_t>(std::lower_bound(positives_.begin(), positives_.end(), row) -
                                  positives_.begin());
}

void Loss::add_gradients(const LossTargets& targets, std::span<const std::byte> state, double factor,
                         std::span<double> sums) const {
  std::vector<double> own(sums.size());
  gradients(targets, state, 0, own);
  for (std::size_t row = 0; row < sums.size(); ++row) sums[row] += factor * own[row];
}

const std::vector<std::unique_ptr<Loss>>& losses() {
  static const std::vector<std::unique_ptr<Loss>> all = [] {
    std::vector<std::unique_ptr<Loss>> made;
    made.push_back(make_square_loss());
    made.push_back(make_absolute_loss());
    made.push_back(make_huber_loss());
    made.push_back(make_logistic_loss());
    made.push_back(make_exponential_loss());
    made.push_back(make_hinge_loss());
    return made;
  }();
  return all;
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const auto& loss : losses()) names.push_back(loss->description().name);
  return names;
}

const Loss& find_loss(const std::string& name) {
  for (const auto& loss : losses())
    if (loss->description().name == name) return *loss;
  throw Error(ErrorKind::usage, fmt::format("no loss '{}'{}; coppice list losses shows them", name,
                                            did_you_mean(name, loss_names())));
}

}  // namespace coppice

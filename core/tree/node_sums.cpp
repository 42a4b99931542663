#include "core/tree/node_sums.h"

#include <cmath>

namespace coppice {

void NodeSums::centre_totals(const BlockedTargets& targets) {
  centre.resize(targets.width());
  start.resize(targets.width());
  for (std::size_t j = 0; j < targets.width(); ++j) {
    const double steps = std::floor(totals[j] / weight * targets.inverse_step()[j] + 0.5);
    centre[j] = steps * targets.step()[j];
    start[j] = (weight * centre[j] - totals[j]) / 2.0;
  }
}

}  // namespace coppice

#include "algorithms/boosting/boosting.h"
#include "algorithms/compressed_forest/compressed_forest.h"
#include "algorithms/constant/constant.h"
#include "algorithms/craftml/craftml.h"
#include "algorithms/forest/forest.h"
#include "algorithms/random_decision_trees/random_decision_trees.h"
#include "algorithms/random_output_forest/random_output_forest.h"
#include "algorithms/registry.h"

namespace coppice {

void register_builtin(Registry& registry) {
  registry.add(make_constant());
  registry.add(make_decision_tree());
  registry.add(make_random_forest());
  registry.add(make_extra_trees());
  registry.add(make_random_decision_trees());
  registry.add(make_random_output_forest());
  registry.add(make_gbrt());
  registry.add(make_gbmort());
  registry.add(make_gbrt_rpo());
  registry.add(make_artificial_gbrt());
  registry.add(make_compressed_forest());
  registry.add(make_craftml());
}

}  // namespace coppice

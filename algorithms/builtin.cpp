#include "algorithms/constant/constant.h"
#include "algorithms/registry.h"

namespace coppice {

void register_builtin(Registry& registry) {
  registry.add(make_constant());
}

}  // namespace coppice

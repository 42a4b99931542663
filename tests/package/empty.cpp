// A plugin that has no algorithm.
#include "algorithms/plugin.h"

static std::unique_ptr<coppice::Algorithm> make_nothing() {
  return nullptr;
}

COPPICE_PLUGIN(make_nothing)

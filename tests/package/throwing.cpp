// A plugin that gives up when it is asked for its algorithm.
#include <stdexcept>

#include "algorithms/plugin.h"

static std::unique_ptr<coppice::Algorithm> make_nothing() {
  throw std::runtime_error("no licence");
}

COPPICE_PLUGIN(make_nothing)

#include "algorithms/plugin.h"

namespace coppice {
std::unique_ptr<Algorithm> make_best_line();
}

COPPICE_PLUGIN(coppice::make_best_line)

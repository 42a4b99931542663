#pragma once

#include <string>

namespace coppice {

/// docs/config.md: every key of a config, the protocols, and every generator with its parameters.
std::string config_reference();

}  // namespace coppice

#pragma once

#include <string>

namespace coppice {

/// What this program was built from and with.
struct BuildInfo {
  std::string version;  ///< of the project, from CMakeLists.txt
  std::string
      commit;  ///< git commit, with `-dirty` where the sources had been changed; `unknown` outside a checkout
  std::string compiler;
  std::string flags;
};

const BuildInfo& build_info();

/// `0.1.0 (1a2b3c4d5e6f)`.
std::string version_text();

}  // namespace coppice

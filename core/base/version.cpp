#include "core/base/version.h"

#include <fmt/format.h>

#include "coppice_build_info.h"  // written at build time by tools/cmake/build_info.cmake

namespace coppice {

const BuildInfo& build_info() {
  static const BuildInfo info{build_version, build_commit, build_compiler, build_flags};
  return info;
}

std::string version_text() {
  return fmt::format("{} ({})", build_info().version, build_info().commit);
}

}  // namespace coppice

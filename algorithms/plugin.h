#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "algorithms/registry.h"

namespace coppice {

/// Raised whenever a class that plugins see changes in a way that their sizes do not show.
inline constexpr std::uint32_t plugin_abi_version = 1;

/// What a plugin and the program must agree on, as each of them was compiled.
struct PluginAbi {
  std::uint32_t version;
  std::uint32_t standard_library;
  std::uint32_t sizes[6];

  bool operator==(const PluginAbi&) const = default;
};

/// A constant of whoever includes this header: never a function, which a program and its plugin would share.
#ifdef _GLIBCXX_USE_CXX11_ABI
#define COPPICE_STANDARD_LIBRARY_ABI (2U + _GLIBCXX_USE_CXX11_ABI)
#else
#define COPPICE_STANDARD_LIBRARY_ABI 1U
#endif
static constexpr PluginAbi plugin_abi_here{
    plugin_abi_version,
    COPPICE_STANDARD_LIBRARY_ABI,
    {sizeof(Algorithm), sizeof(AlgorithmDescription), sizeof(ParameterSpec), sizeof(Parameters),
     sizeof(Context), sizeof(Dataset)}};

/// What a plugin exports under the name `coppice_plugin`.
struct PluginDeclaration {
  PluginAbi abi;
  std::unique_ptr<Algorithm> (*make)();
};

/// Loads a shared library and registers its algorithm; the same file twice is loaded once. Throws
/// Error(config): a file that cannot be loaded, is no plugin, or was built against another coppice.
void load_plugin(const std::filesystem::path& path);

/// A checksum of the file that an algorithm came from; empty for the built-in ones.
std::string plugin_checksum(const std::string& algorithm);

}  // namespace coppice

/// Makes a shared library a plugin: COPPICE_PLUGIN(make_mine), once, outside of any namespace.
#define COPPICE_PLUGIN(make_algorithm)                                                        \
  extern "C" {                                                                                \
  extern const coppice::PluginDeclaration coppice_plugin;                                     \
  __attribute__((visibility("default")))                                                      \
  const coppice::PluginDeclaration coppice_plugin{coppice::plugin_abi_here, &make_algorithm}; \
  }

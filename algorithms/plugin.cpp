#include "algorithms/plugin.h"

#include <fstream>
#include <map>
#include <sstream>

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/fingerprint.h"
#include "core/base/version.h"

namespace coppice {

namespace {

/// By algorithm: the checksum of the file that it came from. Filled while a config is read.
std::map<std::string, std::string>& checksums() {
  static std::map<std::string, std::string> all;
  return all;
}

std::map<std::filesystem::path, std::string>& loaded() {
  static std::map<std::filesystem::path, std::string> all;
  return all;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::config, fmt::format("plugin '{}' {}", path.string(), why));
}

/// The algorithm that a plugin makes.
std::unique_ptr<Algorithm> make_algorithm(const PluginDeclaration& declaration,
                                          const std::filesystem::path& path) {
  std::unique_ptr<Algorithm> algorithm;
  try {
    algorithm = declaration.make();
  } catch (const std::exception& exception) {
    refuse(path, fmt::format("cannot make its algorithm: {}", exception.what()));
  }
  if (algorithm == nullptr) refuse(path, "makes no algorithm: what it gave to COPPICE_PLUGIN returned null");
  return algorithm;
}

}  // namespace

void load_plugin(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::path file = std::filesystem::canonical(path, code);
  if (code) refuse(path, fmt::format("cannot be read: {}", code.message()));
  if (loaded().contains(file)) return;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  if (!stream) refuse(path, "cannot be read");

  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    refuse(path, fmt::format("cannot be loaded: {}; build it as a shared library against this coppice ({})",
                             dlerror(), version_text()));
  const auto* declaration = static_cast<const PluginDeclaration*>(dlsym(library, "coppice_plugin"));
  if (declaration == nullptr) refuse(path, "is no plugin of coppice: it has no COPPICE_PLUGIN(make_…)");
  if (declaration->abi != plugin_abi_here)
    refuse(path, declaration->abi.version != plugin_abi_version
                     ? fmt::format("has plugin ABI {}, this coppice ({}) has {}; build it again against the "
                                   "headers of this version",
                                   declaration->abi.version, version_text(), plugin_abi_version)
                     : fmt::format("was built against other headers or another standard library than this "
                                   "coppice ({}); build it again against the installed package",
                                   version_text()));
  std::unique_ptr<Algorithm> algorithm = make_algorithm(*declaration, path);
  const std::string name = algorithm->description().name;
  try {
    Registry::instance().add(std::move(algorithm));
  } catch (const Error& error) {
    refuse(path, fmt::format("cannot be registered: {}", error.message()));
  }
  checksums()[name] = checksum(bytes.str());
  loaded()[file] = name;
}

std::string plugin_checksum(const std::string& algorithm) {
  const auto found = checksums().find(algorithm);
  return found == checksums().end() ? "" : found->second;
}

}  // namespace coppice

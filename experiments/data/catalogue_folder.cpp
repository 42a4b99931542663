#include <cstdlib>

#include "experiments/data/catalogue.h"

namespace coppice {

namespace fs = std::filesystem;

fs::path catalogue_folder() {
  if (const char* chosen = std::getenv("COPPICE_CATALOGUE"); chosen != nullptr && *chosen != '\0')
    return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share" / "coppice" / "datasets";
    if (fs::is_directory(installed, error)) return installed;
  }
  return fs::path(COPPICE_SOURCE_DIR) / "datasets";
}

}  // namespace coppice

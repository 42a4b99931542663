#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include "experiments/store/files.h"

TEST_CASE("docs/adding-an-algorithm.md shows the example that is built and run") {
  const std::filesystem::path project = COPPICE_SOURCE_DIR;
  const std::string page = coppice::read_text(project / "docs/adding-an-algorithm.md");
  const std::string code = coppice::read_text(project / "tests/package/best_line.cpp");
  CHECK(page.find("```cpp\n" + code + "```\n") != std::string::npos);
  const std::string plugin = coppice::read_text(project / "tests/package/plugin.cpp");
  CHECK(page.find("```cpp\n" + plugin + "```\n") != std::string::npos);
  CHECK(std::count(code.begin(), code.end(), '\n') < 110);
}

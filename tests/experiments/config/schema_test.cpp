#include "experiments/config/schema.h"

#include <doctest/doctest.h>

#include "algorithms/registry.h"
#include "experiments/config/reference.h"
#include "tests/support/golden_page.h"

using namespace coppice;

TEST_CASE("the schema knows every algorithm with its parameters, and nothing else") {
  const auto schema = config_schema();
  const auto& options = schema["properties"]["algorithms"]["items"]["anyOf"];
  CHECK(options.size() == Registry::instance().names().size() + 1);
  const auto text = schema.dump();
  for (const std::string& name : Registry::instance().names())
    for (const ParameterSpec& spec : Registry::instance().get(name).description().parameters)
      CHECK(text.find("\"" + spec.name + "\"") != std::string::npos);
  CHECK(schema["additionalProperties"] == false);
}

TEST_CASE("docs/config.md says what the config reader and the registries know") {
  testing::check_page("docs/config.md", config_reference());
}

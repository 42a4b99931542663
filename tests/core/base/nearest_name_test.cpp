#include "core/base/nearest_name.h"

#include <doctest/doctest.h>

using namespace coppice;

TEST_CASE("a slip finds the name that was meant") {
  const std::vector<std::string> names{"trees", "features", "max_depth", "friedman1-chain", "friedman1-ind"};
  CHECK(nearest_name("treees", names) == "trees");
  CHECK(nearest_name("feautres", names) == "features");
  CHECK(nearest_name("friedman1-chian", names) == "friedman1-chain");
  CHECK_FALSE(nearest_name("zzz", names).has_value());
  CHECK(did_you_mean("treees", names) == "; did you mean trees?");
  CHECK(did_you_mean("zzz", names).find("known: trees") != std::string::npos);
}

TEST_CASE("among equally near names the one with the same first letter is meant") {
  CHECK(nearest_name("kfolds", std::vector<std::string>{"folds", "kfold"}) == "kfold");
}

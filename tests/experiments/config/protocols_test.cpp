#include "experiments/config/protocols.h"

#include <doctest/doctest.h>

using namespace coppice;

namespace {

/// The protocol as it would be written again, or what is wrong with it.
std::string read(const std::string& test) {
  Problems problems;
  const ConfigNode node = parse_config_text(test, "t.yaml", problems);
  Protocol protocol;
  if (problems.empty()) parse_protocol_test(node, protocol, problems);
  return problems.empty() ? protocol.test_text() : problems.text();
}

}  // namespace

TEST_CASE("every protocol is written as it is read") {
  for (const std::string text :
       {"given", "redrawn", "leave-one-out", "{holdout: 0.33}", "{holdout: 0.2, stratify: true}",
        "{kfold: 10}", "{kfold: 2, stratify: true}", "{bootstrap: 50}", "{bootstrap: 50, estimate: .632}",
        "{folds: \"splits/{dataset}-{repeat}.csv\"}"})
    CHECK(read(text) == text);
  CHECK(read("{kfold: 3, stratify: false}") == "{kfold: 3}");
  CHECK(read("{bootstrap: 3, estimate: out-of-bag}") == "{bootstrap: 3}");
}

TEST_CASE("a protocol that is none is refused with its place and what would be one") {
  CHECK(read("gvien") ==
        "t.yaml:1:1: test: expected given, redrawn, leave-one-out, {holdout: 0.33}, {kfold: 10}, "
        "{bootstrap: 50} or {folds: FILE}, found 'gvien'\n");
  CHECK(read("{bootstrp: 3}").find("t.yaml:1:2: test: no protocol 'bootstrp'; did you mean bootstrap?") == 0);
  CHECK(read("{kfold: 1}") == "t.yaml:1:9: kfold: 1 is out of range; expected 2 … 1000000\n");
  CHECK(read("{kfold: ten}") == "t.yaml:1:9: kfold: expected a whole number, found 'ten'\n");
  CHECK(read("{holdout: 1}").find("t.yaml:1:11: holdout: expected the share of test rows") == 0);
  CHECK(read("{kfold: 5, estimate: .632}") ==
        "t.yaml:1:12: kfold has no key 'estimate'; known: kfold, stratify\n");
  CHECK(read("{kfold: 5, stratify: maybe}") ==
        "t.yaml:1:22: stratify: expected true or false, found 'maybe'\n");
  CHECK(read("{bootstrap: 5, estimate: .6}") ==
        "t.yaml:1:26: estimate: expected out-of-bag or .632, found '.6'\n");
  CHECK(read("{folds: [a]}").find("t.yaml:1:9: folds: expected the name of a file") == 0);
  CHECK(read("{kfold: 5, bootstrap: 3}").find("kfold has no key 'bootstrap'") != std::string::npos);
}

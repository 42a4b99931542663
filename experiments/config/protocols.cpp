#include "experiments/config/protocols.h"

#include <algorithm>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "core/base/nearest_name.h"
#include "experiments/config/config_values.h"

namespace coppice {

namespace {

constexpr int most_repeats = 100000;
constexpr int most_folds = 1000000;

constexpr const char* forms =
    "expected given, redrawn, leave-one-out, {holdout: 0.33}, {kfold: 10}, {bootstrap: 50} or {folds: FILE}";

/// One form of `protocol.test` that is a mapping: its key and the keys that may stand beside it.
struct MappedTest {
  std::string key;
  Protocol::Test test;
  std::vector<std::string> options;
};

const std::vector<MappedTest>& mapped_tests() {
  static const std::vector<MappedTest> all{{"holdout", Protocol::Test::holdout, {"stratify"}},
                                           {"kfold", Protocol::Test::kfold, {"stratify"}},
                                           {"bootstrap", Protocol::Test::bootstrap, {"estimate"}},
                                           {"folds", Protocol::Test::folds, {}}};
  return all;
}

void parse_estimate(const ConfigNode& node, Protocol& protocol, Problems& problems) {
  if (!node.is_scalar() || (node.text != "out-of-bag" && node.text != ".632"))
    problems.add(node.location, fmt::format("estimate: expected out-of-bag or .632, found {}", node.shown()));
  protocol.estimate_632 = node.text == ".632";
}

void parse_folds_file(const ConfigNode& node, Protocol& protocol, Problems& problems) {
  if (!node.is_scalar() || node.text.empty())
    problems.add(node.location,
                 fmt::format("folds: expected the name of a file with splits, found {}", node.shown()));
  protocol.file = node.text;
}

void parse_mapped(const ConfigNode& node, Protocol& protocol, Problems& problems) {
  const MappedTest* found = nullptr;
  std::vector<std::string> keys;
  for (const MappedTest& mapped : mapped_tests()) {
    keys.push_back(mapped.key);
    if (found == nullptr && node.find(mapped.key) != nullptr) found = &mapped;
  }
  if (found == nullptr) {
    const ConfigNode::Entry& entry = node.entries[0];
    problems.add(entry.location, fmt::format("test: no protocol '{}'{}; {}", entry.key,
                                             did_you_mean(entry.key, keys), forms));
    return;
  }
  std::vector<std::string> known{found->key};
  known.insert(known.end(), found->options.begin(), found->options.end());
  check_keys(node, known, found->key, problems);
  protocol.test = found->test;
  const ConfigNode& value = *node.find(found->key);
  switch (found->test) {
    case Protocol::Test::holdout:
      protocol.test_fraction = share(value, "holdout", problems);
      break;
    case Protocol::Test::folds:
      parse_folds_file(value, protocol, problems);
      break;
    default:
      protocol.folds = static_cast<int>(whole_number(
          value, found->key, found->test == Protocol::Test::kfold ? 2 : 1, most_folds, problems));
  }
  if (const ConfigNode* stratify = node.find("stratify"); stratify && known.back() == "stratify")
    protocol.stratify = true_or_false(*stratify, "stratify", problems);
  if (const ConfigNode* estimate = node.find("estimate"); estimate && known.back() == "estimate")
    parse_estimate(*estimate, protocol, problems);
}

void parse_bias_variance(const ConfigNode& node, Protocol& protocol, Problems& problems) {
  BiasVarianceSetting& setting = protocol.bias_variance.emplace();
  if (!node.is_map()) {
    problems.add(node.location,
                 fmt::format("bias-variance: expected {{learning_sets: 50}}, found {}", node.shown()));
    return;
  }
  check_keys(node, {"learning_sets", "projections", "seeds"}, "bias-variance", problems);
  const auto read = [&](const std::string& key, int least, int& number) {
    if (const ConfigNode* value = node.find(key))
      number = static_cast<int>(whole_number(*value, key, least, most_folds, problems));
  };
  read("learning_sets", 2, setting.learning_sets);
  read("projections", 1, setting.projections);
  read("seeds", 1, setting.seeds);
  if (protocol.test != Protocol::Test::given)
    problems.add(node.location, "bias-variance: learning sets are drawn anew; leave 'test' out");
}

nlohmann::ordered_json mapping_schema(const std::string& key, nlohmann::ordered_json value,
                                      const std::string& option = "",
                                      nlohmann::ordered_json option_value = {}) {
  nlohmann::ordered_json properties;
  properties[key] = std::move(value);
  if (!option.empty()) properties[option] = std::move(option_value);
  return {
      {"type", "object"}, {"properties", properties}, {"required", {key}}, {"additionalProperties", false}};
}

}  // namespace

std::string Protocol::test_text() const {
  const char* stratified = stratify ? ", stratify: true" : "";
  switch (test) {
    case Test::given:
      return "given";
    case Test::redrawn:
      return "redrawn";
    case Test::leave_one_out:
      return "leave-one-out";
    case Test::holdout:
      return fmt::format("{{holdout: {}{}}}", test_fraction, stratified);
    case Test::kfold:
      return fmt::format("{{kfold: {}{}}}", folds, stratified);
    case Test::bootstrap:
      return fmt::format("{{bootstrap: {}{}}}", folds, estimate_632 ? ", estimate: .632" : "");
    case Test::folds: {
      YAML::Emitter emitter;
      emitter << YAML::DoubleQuoted << file;
      return fmt::format("{{folds: {}}}", emitter.c_str());
    }
  }
  return "";
}

std::string Protocol::yaml() const {
  std::string text = fmt::format("  test: {}\n  repeats: {}\n", test_text(), repeats);
  if (select) text += fmt::format("  select: {}\n", select->text());
  if (bias_variance)
    text += fmt::format("  bias-variance: {{learning_sets: {}, projections: {}, seeds: {}}}\n",
                        bias_variance->learning_sets, bias_variance->projections, bias_variance->seeds);
  return text;
}

void parse_protocol_test(const ConfigNode& node, Protocol& protocol, Problems& problems) {
  protocol.location = node.location;
  if (node.is_map() && !node.entries.empty()) return parse_mapped(node, protocol, problems);
  if (node.is_scalar() && node.text == "given") return;
  if (node.is_scalar() && node.text == "redrawn") {
    protocol.test = Protocol::Test::redrawn;
  } else if (node.is_scalar() && node.text == "leave-one-out") {
    protocol.test = Protocol::Test::leave_one_out;
  } else {
    problems.add(node.location, fmt::format("test: {}, found {}", forms, node.shown()));
  }
}

Protocol parse_protocol(const ConfigNode& node, Problems& problems) {
  Protocol protocol;
  protocol.location = node.location;
  if (!node.is_map()) {
    problems.add(node.location,
                 fmt::format("protocol: expected a mapping with test and repeats, found {}", node.shown()));
    return protocol;
  }
  check_keys(node, {"test", "repeats", "select", "bias-variance"}, "protocol", problems);
  if (const ConfigNode* repeats = node.find("repeats"))
    protocol.repeats = static_cast<int>(whole_number(*repeats, "repeats", 1, most_repeats, problems));
  if (const ConfigNode* test = node.find("test")) parse_protocol_test(*test, protocol, problems);
  if (const ConfigNode* decomposed = node.find("bias-variance"))
    parse_bias_variance(*decomposed, protocol, problems);
  if (const ConfigNode* select = node.find("select")) protocol.select = parse_selection(*select, problems);
  return protocol;
}

nlohmann::ordered_json protocol_schema() {
  using Json = nlohmann::ordered_json;
  const Json flag{{"type", "boolean"}, {"default", false}};
  const Json share{{"type", "number"}, {"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}};
  Json forms_of_test = Json::array();
  forms_of_test.push_back({{"enum", {"given", "redrawn", "leave-one-out"}}});
  forms_of_test.push_back(mapping_schema("holdout", share, "stratify", flag));
  forms_of_test.push_back(mapping_schema("kfold", {{"type", "integer"}, {"minimum", 2}}, "stratify", flag));
  forms_of_test.push_back(mapping_schema("bootstrap", {{"type", "integer"}, {"minimum", 1}}, "estimate",
                                         {{"enum", {"out-of-bag", ".632", 0.632}}}));
  forms_of_test.push_back(mapping_schema("folds", {{"type", "string"}}));
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties",
           {{"test",
             {{"description", "How test rows are chosen"}, {"default", "given"}, {"anyOf", forms_of_test}}},
            {"select", selection_schema()},
            {"bias-variance",
             {{"type", "object"},
              {"description", "Decompose the error over many learning sets of generated data"},
              {"additionalProperties", false},
              {"properties",
               {{"learning_sets", {{"type", "integer"}, {"minimum", 2}, {"default", 50}}},
                {"projections", {{"type", "integer"}, {"minimum", 1}, {"default", 5}}},
                {"seeds", {{"type", "integer"}, {"minimum", 1}, {"default", 5}}}}}}},
            {"repeats",
             {{"type", "integer"},
              {"minimum", 1},
              {"default", 1},
              {"description", "Fresh split and fresh model seed each"}}}}}};
}

const std::vector<ProtocolDescription>& protocol_descriptions() {
  static const std::vector<ProtocolDescription> descriptions{
      {"given", "test: given",
       "The split that came with the data; a generator draws fresh training and test rows of its own sizes "
       "for each repeat, unless it has a seed.",
       "thesis 2.3"},
      {"redrawn", "test: redrawn",
       "Parts of the sizes of the given split, drawn at random from all of its rows, anew for each repeat.",
       "thesis 2.3"},
      {"holdout", "test: {holdout: 0.33, stratify: true}",
       "That share of the rows is drawn at random for testing, anew for each repeat. Plainly at random by "
       "default; with `stratify` every class or label has its share of rows in both parts (label sets: "
       "iterative stratification).",
       "thesis 2.3; Sechidis et al. 2011"},
      {"kfold", "test: {kfold: 10, stratify: true}",
       "The rows are cut at random into that many parts; each is the test part once. Repeats cut anew. "
       "`stratify` as for holdout.",
       "thesis 2.3; Sechidis et al. 2011"},
      {"leave-one-out", "test: leave-one-out",
       "As many folds as rows, each tests on one row. Metrics that compare rows with each other need more "
       "than that.",
       "thesis 2.3"},
      {"bootstrap", "test: {bootstrap: 50, estimate: .632}",
       "That many times as many rows as there are, drawn with replacement, are trained on and the others "
       "tested on. `estimate: out-of-bag`, the default, reports the score on those; `.632` reports 0.632 "
       "times that plus 0.368 times the score on the training rows.",
       "thesis 2.3, equations 2.22 and 2.23; Efron 1983"},
      {"folds", "test: {folds: 'folds/{dataset}-{repeat}.csv'}",
       "Splits from a file with the columns split, part and row, as `coppice data split` writes it. "
       "`{dataset}` and `{repeat}` in the name stand for the dataset's name and the repeat, from 0. The "
       "path is relative to the config.",
       "coppice"},
      {"bias-variance", "bias-variance: {learning_sets: 50, projections: 5, seeds: 5}",
       "Fits models on learning sets of generated data, with several projections for each and several seeds "
       "for "
       "each projection, and takes their error at the test rows apart: squared bias, and the variance due to "
       "the learning set, the projection and the seed (metrics squared-bias, variance, "
       "variance-learning-set, "
       "variance-projection, variance-algorithm, residual-error, expected-error).",
       "thesis 4.1, 5.2; Joly et al. 2014, 3.3"}};
  return descriptions;
}

}  // namespace coppice

#include "experiments/config/tuning.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_name.h"
#include "experiments/config/config_values.h"

namespace coppice {

namespace {

constexpr int most_trials = 1000000;
constexpr int most_folds_inside = 1000;

void parse_select_metrics(const ConfigNode& node, Selection& selection, Problems& problems) {
  std::vector<const ConfigNode*> names;
  if (node.is_list())
    for (const ConfigNode& item : node.items) names.push_back(&item);
  else
    names.push_back(&node);
  for (const ConfigNode* name : names) {
    try {
      if (!name->is_scalar())
        throw Error(ErrorKind::config, fmt::format("expected the name of a metric, found {}", name->shown()));
      const Metric metric = parse_metric(name->text);
      if (!metric.description->from_predictions())
        throw Error(ErrorKind::config,
                    fmt::format("{} is not computed from predictions; select by a score", name->text));
      selection.metrics.push_back(metric);
      selection.metric_locations.push_back(name->location);
    } catch (const Error& error) {
      problems.add(name->location, fmt::format("select: {}", error.message()));
    }
  }
}

/// `{trials: 27, factor: 3, resource: rows, least: 0.1}`.
void parse_halving(const ConfigNode& node, const std::vector<ParameterSpec>& parameters,
                   SearchSetting& search, Problems& problems) {
  const std::string name = search.kind == SearchSetting::Kind::halving ? "halving" : "hyperband";
  if (node.kind == ConfigNode::Kind::null) return;
  if (!node.is_map()) {
    problems.add(node.location,
                 fmt::format("{}: expected {{factor: 3, resource: rows}}, found {}", name, node.shown()));
    return;
  }
  std::vector<std::string> keys{"factor", "resource", "least"};
  if (search.kind == SearchSetting::Kind::halving) keys.emplace_back("trials");
  check_keys(node, keys, name, problems);
  if (const ConfigNode* trials = node.find("trials"))
    search.trials = static_cast<int>(whole_number(*trials, "trials", 2, most_trials, problems));
  if (const ConfigNode* factor = node.find("factor"))
    search.factor = real_number(*factor, "factor", 1.5, 100.0, problems);
  if (const ConfigNode* least = node.find("least"))
    search.least = real_number(*least, "least", 0.0, 1e9, problems);
  if (const ConfigNode* resource = node.find("resource")) {
    search.resource = resource->text;
    std::vector<std::string> known{"rows"};
    for (const ParameterSpec& spec : parameters)
      if (spec.staged) known.push_back(spec.name);
    if (std::find(known.begin(), known.end(), search.resource) == known.end())
      problems.add(resource->location, fmt::format("{}: the resource is {}, found {}", name,
                                                   fmt::join(known, " or "), resource->shown()));
  }
}

}  // namespace

std::string Selection::text() const {
  std::string text = kfold ? fmt::format("{{kfold: {}", folds) : fmt::format("{{holdout: {}", fraction);
  if (repeats > 1) text += fmt::format(", repeats: {}", repeats);
  if (stratify) text += ", stratify: true";
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  if (names.size() == 1) text += fmt::format(", metric: {}", names[0]);
  if (names.size() > 1) text += fmt::format(", metric: [{}]", fmt::join(names, ", "));
  if (one_standard_error) text += ", rule: one-standard-error";
  if (!refit) text += ", refit: false";
  return text + "}";
}

Selection parse_selection(const ConfigNode& node, Problems& problems) {
  Selection selection;
  selection.location = node.location;
  if (!node.is_map()) {
    problems.add(node.location,
                 fmt::format("select: expected {{holdout: 0.2, metric: lrap}} or {{kfold: 5, metric: "
                             "lrap}}, found {}",
                             node.shown()));
    return selection;
  }
  check_keys(node, {"holdout", "kfold", "repeats", "stratify", "metric", "rule", "refit"}, "select",
             problems);
  const ConfigNode* holdout = node.find("holdout");
  const ConfigNode* kfold = node.find("kfold");
  if (holdout != nullptr && kfold != nullptr)
    problems.add(node.location, "select: holdout and kfold exclude each other; keep one");
  if (holdout != nullptr) selection.fraction = share(*holdout, "holdout", problems);
  if (kfold != nullptr) {
    selection.kfold = true;
    selection.folds = static_cast<int>(whole_number(*kfold, "kfold", 2, most_folds_inside, problems));
  }
  if (const ConfigNode* repeats = node.find("repeats"))
    selection.repeats = static_cast<int>(whole_number(*repeats, "repeats", 1, most_folds_inside, problems));
  if (const ConfigNode* stratify = node.find("stratify"))
    selection.stratify = true_or_false(*stratify, "stratify", problems);
  if (const ConfigNode* metric = node.find("metric")) parse_select_metrics(*metric, selection, problems);
  if (const ConfigNode* rule = node.find("rule")) {
    selection.one_standard_error = rule->is_scalar() && rule->text == "one-standard-error";
    if (!selection.one_standard_error && !(rule->is_scalar() && rule->text == "best"))
      problems.add(rule->location,
                   fmt::format("rule: expected best or one-standard-error, found {}", rule->shown()));
    if (selection.one_standard_error && !selection.kfold && selection.repeats < 2)
      problems.add(rule->location,
                   "one-standard-error needs several validation parts: use kfold, or repeats above 1");
  }
  if (const ConfigNode* refit = node.find("refit")) {
    selection.refit = true_or_false(*refit, "refit", problems);
    if (!selection.refit && (selection.kfold || selection.repeats > 1))
      problems.add(refit->location,
                   "refit: false keeps the model that was compared, so there can be only one: use holdout "
                   "without repeats");
  }
  return selection;
}

SearchSetting parse_search(const ConfigNode& node, const std::vector<ParameterSpec>& parameters,
                           Problems& problems) {
  static const std::vector<std::string> names{"grid", "random", "halving", "hyperband", "bayes"};
  constexpr const char* forms =
      "expected grid, {random: 50}, {halving: {trials: 27, factor: 3}}, {hyperband: {factor: 3}} or {bayes: "
      "30}";
  SearchSetting search;
  if (node.is_scalar() && node.text == "grid") return search;
  if (node.is_scalar() && node.text == "halving") search.kind = SearchSetting::Kind::halving;
  if (node.is_scalar() && node.text == "hyperband") search.kind = SearchSetting::Kind::hyperband;
  if (search.halves()) return search;
  if (!node.is_map() || node.entries.size() != 1) {
    problems.add(node.location, fmt::format("search: {}, found {}", forms, node.shown()));
    return search;
  }
  const auto& [key, location, value] = node.entries[0];
  if (key == "random" || key == "bayes") {
    search.kind = key == "random" ? SearchSetting::Kind::random : SearchSetting::Kind::bayes;
    search.trials = static_cast<int>(whole_number(value, key, 1, most_trials, problems));
  } else if (key == "halving" || key == "hyperband") {
    search.kind = key == "halving" ? SearchSetting::Kind::halving : SearchSetting::Kind::hyperband;
    parse_halving(value, parameters, search, problems);
  } else {
    problems.add(location, fmt::format("search: no search '{}'{}; {}", key, did_you_mean(key, names), forms));
  }
  return search;
}

std::string search_text(const SearchSetting& search) {
  switch (search.kind) {
    case SearchSetting::Kind::grid:
      return "grid";
    case SearchSetting::Kind::random:
      return fmt::format("{{random: {}}}", search.trials);
    case SearchSetting::Kind::bayes:
      return fmt::format("{{bayes: {}}}", search.trials);
    case SearchSetting::Kind::halving:
    case SearchSetting::Kind::hyperband:
      break;
  }
  std::vector<std::string> options;
  if (search.trials > 0) options.push_back(fmt::format("trials: {}", search.trials));
  options.push_back(fmt::format("factor: {}", search.factor));
  if (!search.resource.empty()) options.push_back("resource: " + search.resource);
  if (search.least > 0.0) options.push_back(fmt::format("least: {}", search.least));
  return fmt::format("{{{}: {{{}}}}}", search.kind == SearchSetting::Kind::halving ? "halving" : "hyperband",
                     fmt::join(options, ", "));
}

nlohmann::ordered_json selection_schema() {
  using Json = nlohmann::ordered_json;
  return {
      {"type", "object"},
      {"description", "How 'tune' compares settings, always inside the training part"},
      {"additionalProperties", false},
      {"properties",
       {{"holdout", {{"type", "number"}, {"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}, {"default", 0.2}}},
        {"kfold", {{"type", "integer"}, {"minimum", 2}}},
        {"repeats", {{"type", "integer"}, {"minimum", 1}, {"default", 1}}},
        {"stratify", {{"type", "boolean"}, {"default", false}}},
        {"metric",
         {{"anyOf",
           Json::array({{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}})}}},
        {"rule", {{"enum", {"best", "one-standard-error"}}, {"default", "best"}}},
        {"refit", {{"type", "boolean"}, {"default", true}}}}}};
}

nlohmann::ordered_json search_schema() {
  using Json = nlohmann::ordered_json;
  const Json count{{"type", "integer"}, {"minimum", 1}};
  const Json halving{{"type", {"object", "null"}},
                     {"additionalProperties", false},
                     {"properties",
                      {{"trials", count},
                       {"factor", {{"type", "number"}, {"default", 3}}},
                       {"resource", {{"type", "string"}}},
                       {"least", {{"type", "number"}}}}}};
  Json forms = Json::array();
  forms.push_back({{"enum", {"grid", "halving", "hyperband"}}});
  for (const auto& [key, value] : std::vector<std::pair<std::string, Json>>{
           {"random", count}, {"bayes", count}, {"halving", halving}, {"hyperband", halving}})
    forms.push_back({{"type", "object"},
                     {"required", {key}},
                     {"properties", {{key, value}}},
                     {"additionalProperties", false}});
  return {{"description", "How the values to try are found"}, {"default", "grid"}, {"anyOf", forms}};
}

}  // namespace coppice

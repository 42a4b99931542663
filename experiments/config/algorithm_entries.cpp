#include "experiments/config/algorithm_entries.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "experiments/config/config_values.h"

namespace coppice {

namespace {

/// Reads one item of the list.
class EntryParser {
 public:
  EntryParser(std::uint64_t seed, Problems& problems) : seed_(seed), problems_(problems) {}

  AlgorithmEntry parse(const Algorithm& algorithm, const Location& location, const ConfigNode& settings) {
    entry_.algorithm = &algorithm;
    entry_.id = algorithm.description().name;
    entry_.location = location;
    entry_.description = described(settings);
    for (const ConfigNode::Entry& setting : settings.entries) parse_key(setting);
    check_overlaps();
    return std::move(entry_);
  }

 private:
  /// What the algorithm takes with the base that is given; with its own where that one is no good.
  AlgorithmDescription described(const ConfigNode& settings) {
    for (const ConfigNode::Entry& setting : settings.entries) {
      if (setting.key != "base" || !setting.value.is_scalar()) continue;
      try {
        return entry_.algorithm->description_for({{setting.key, setting.value.text}});
      } catch (const Error&) {
        break;  // the check of the value says it
      }
    }
    return entry_.algorithm->description();
  }

  void parse_key(const ConfigNode::Entry& setting) {
    if (setting.key == "id") {
      if (!setting.value.is_scalar() || setting.value.text.empty())
        problems_.add(setting.value.location,
                      fmt::format("id: expected a name for the tables, found {}", setting.value.shown()));
      else
        entry_.id = setting.value.text;
    } else if (setting.key == "sweep") {
      parse_sweep(setting.value);
    } else if (setting.key == "tune") {
      parse_tune(setting.value);
    } else if (setting.key == "budget" && entry_.description.find("budget") == nullptr) {
      parse_budget(setting.value);
    } else if (const ParameterSpec* spec = find_parameter(setting.key, setting.location)) {
      if (setting.value.is_list())
        problems_.add(
            setting.value.location,
            fmt::format("{0}: one value is expected here; a list goes into 'sweep: {{{0}: […]}}' or 'tune'",
                        setting.key));
      else
        entry_.parameters.emplace(setting.key, parse_parameter_value(*spec, setting.value, problems_));
    }
  }

  const ParameterSpec* find_parameter(const std::string& key, const Location& location) {
    const AlgorithmDescription& description = entry_.description;
    const ParameterSpec* spec = description.find(key);
    if (spec != nullptr) return spec;
    std::vector<std::string> known{"id", "sweep", "tune", "budget"};
    for (const ParameterSpec& each : description.parameters) known.push_back(each.name);
    problems_.add(location,
                  fmt::format("{} has no parameter '{}'{}", description.name, key, did_you_mean(key, known)));
    return nullptr;
  }

  /// The parameter of an axis of `sweep` or `tune`, or null where it cannot be one.
  const ParameterSpec* find_axis(const ConfigNode::Entry& axis, const std::string& what) {
    if (axis.key != "base") return find_parameter(axis.key, axis.location);
    problems_.add(
        axis.location,
        fmt::format("{}: a base has parameters of its own; write one entry for each base instead", what));
    return nullptr;
  }

  void parse_sweep(const ConfigNode& node) {
    if (!node.is_map()) {
      problems_.add(node.location,
                    fmt::format("sweep: expected parameters with lists of values, found {}", node.shown()));
      return;
    }
    for (const ConfigNode::Entry& each : node.entries) {
      const ParameterSpec* spec = find_axis(each, "sweep");
      if (spec == nullptr) continue;
      ValueAxis axis = parse_value_axis(*spec, each.value, "sweep", problems_);
      if (axis.is_distribution()) draw_values(axis);
      if (!axis.values.empty()) entry_.sweep.push_back({axis.parameter, std::move(axis.values)});
    }
  }

  /// Values of a distribution, one after another; where one comes twice the next is taken.
  void draw_values(ValueAxis& axis) {
    double low = 0.0;
    double high = 0.0;
    try {
      const auto number = [](const Setting& setting) {
        const Expression expression = Expression::parse(setting.text);
        if (!expression.is_constant())
          throw Error(ErrorKind::config,
                      fmt::format("a sweep draws from constant bounds, not {}", setting.text));
        return expression.evaluate({});
      };
      low = number(axis.low);
      high = number(axis.high);
      if (!(low < high)) throw Error(ErrorKind::config, fmt::format("{} is not below {}", low, high));
      if (axis.kind == ValueAxis::Kind::log_uniform && !(low > 0.0))
        throw Error(ErrorKind::config, "log-uniform needs a bound above 0");
      if (axis.kind == ValueAxis::Kind::log_integer && low < 1.0)
        throw Error(ErrorKind::config, "log-integer needs a bound of 1 or more");
    } catch (const Error& error) {
      problems_.add(axis.location, fmt::format("sweep: {}: {}", axis.parameter, error.message()));
      return;
    }
    Stream stream = Stream(seed_).at("sweep").at("parameter", std::string_view(axis.parameter));
    std::set<std::string> seen;
    for (int attempts = 0; axis.values.size() < static_cast<std::size_t>(axis.draws); ++attempts) {
      if (attempts > 1000 + 100 * axis.draws) {
        problems_.add(axis.location, fmt::format("sweep: {} has fewer than {} different values",
                                                 axis.parameter, axis.draws));
        return;
      }
      const std::string text = fmt::format("{}", draw_value(axis.kind, low, high, stream));
      if (seen.insert(text).second) axis.values.push_back({text, axis.location});
    }
  }

  void parse_tune(const ConfigNode& node) {
    TuneSetting& tune = entry_.tune.emplace();
    tune.location = node.location;
    if (!node.is_map() || node.entries.empty()) {
      problems_.add(node.location,
                    fmt::format("tune: expected parameters with the values to try, found {}", node.shown()));
      return;
    }
    for (const ConfigNode::Entry& each : node.entries) {
      if (each.key == "search" && entry_.description.find("search") == nullptr) {
        tune.search = parse_search(each.value, entry_.description.parameters, problems_);
        continue;
      }
      const ParameterSpec* spec = find_axis(each, "tune");
      if (spec != nullptr) tune.axes.push_back(parse_value_axis(*spec, each.value, "tune", problems_));
    }
    const bool grid = tune.search.kind == SearchSetting::Kind::grid ||
                      (tune.search.kind == SearchSetting::Kind::halving && tune.search.trials == 0);
    for (const ValueAxis& axis : tune.axes)
      if (grid && axis.is_distribution() && !entry_.description.find(axis.parameter)->staged)
        problems_.add(axis.location,
                      fmt::format("tune: {} is a distribution, which has no end: list its values, or search "
                                  "at random ('search: {{random: 50}}')",
                                  axis.parameter));
    if (tune.axes.empty()) problems_.add(node.location, "tune: no parameter to tune");
  }

  void parse_budget(const ConfigNode& node) {
    BudgetSetting& budget = entry_.budget.emplace();
    budget.location = node.location;
    const ConfigNode* times = node.is_map() ? node.find("times") : nullptr;
    const ConfigNode* of = node.is_map() ? node.find("of") : nullptr;
    if (times == nullptr || of == nullptr || !of->is_scalar()) {
      problems_.add(
          node.location,
          fmt::format("budget: expected {{times: 100, of: ID}}, where ID is another algorithm of this "
                      "experiment, found {}",
                      node.shown()));
      return;
    }
    check_keys(node, {"times", "of"}, "budget", problems_);
    budget.times = real_number(*times, "times", 0.01, 1e9, problems_);
    budget.of = of->text;
    const ParameterSpec* staged = entry_.description.staged();
    if (staged == nullptr)
      problems_.add(node.location,
                    fmt::format("budget: {} has no staged parameter, such as iterations, to spend "
                                "it on",
                                entry_.description.name));
  }

  void check_overlaps() {
    const auto fixed = [&](const std::string& parameter) { return entry_.parameters.contains(parameter); };
    for (const SweepAxis& axis : entry_.sweep) {
      const Location& where = axis.values.front().location;
      if (fixed(axis.parameter))
        problems_.add(where, fmt::format("{} is both set and swept; keep one", axis.parameter));
      if (entry_.is_tuned(axis.parameter))
        problems_.add(where, fmt::format("{} is both swept and tuned; keep one", axis.parameter));
    }
    const ParameterSpec* staged = entry_.description.staged();
    if (entry_.budget && staged != nullptr) {
      const bool swept = std::any_of(entry_.sweep.begin(), entry_.sweep.end(),
                                     [&](const SweepAxis& axis) { return axis.parameter == staged->name; });
      if (fixed(staged->name) || swept)
        problems_.add(entry_.budget->location,
                      fmt::format("the budget sets {}; leave that out", staged->name));
    }
    if (entry_.budget && entry_.tune && entry_.tune->search.kind != SearchSetting::Kind::grid)
      problems_.add(
          entry_.budget->location,
          "budget: every setting gets stages of its own, which must be known before: use 'search: grid'");
    if (!entry_.tune) return;
    for (const ValueAxis& axis : entry_.tune->axes)
      if (fixed(axis.parameter))
        problems_.add(axis.location, fmt::format("{} is both set and tuned; keep one", axis.parameter));
  }

  std::uint64_t seed_;
  Problems& problems_;
  AlgorithmEntry entry_;
};

}  // namespace

bool AlgorithmEntry::is_tuned(const std::string& parameter) const {
  return tune && std::any_of(tune->axes.begin(), tune->axes.end(),
                             [&](const ValueAxis& axis) { return axis.parameter == parameter; });
}

std::vector<AlgorithmEntry> parse_algorithms(const ConfigNode& node, std::uint64_t seed, Problems& problems) {
  std::vector<AlgorithmEntry> entries;
  std::set<std::string> ids;
  each_named(node, "algorithms", problems,
             [&](const std::string& name, const Location& location, const ConfigNode& settings) {
               const Algorithm* algorithm = Registry::instance().find(name);
               if (algorithm == nullptr) {
                 problems.add(location, fmt::format("no algorithm '{}'{}", name,
                                                    did_you_mean(name, Registry::instance().names())));
                 return;
               }
               entries.push_back(EntryParser(seed, problems).parse(*algorithm, location, settings));
               if (!ids.insert(entries.back().id).second)
                 problems.add(location,
                              fmt::format("two algorithms are called '{}'; tell them apart with 'id'",
                                          entries.back().id));
             });
  return entries;
}

}  // namespace coppice

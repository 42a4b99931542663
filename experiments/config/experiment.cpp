#include "experiments/config/experiment.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "experiments/config/config_values.h"

namespace coppice {

namespace {

/// Reads pieces of a config and collects what is wrong with them.
class ExperimentParser {
 public:
  explicit ExperimentParser(Problems& problems) : problems_(problems) {}

  Experiment parse(const ConfigNode& root) {
    experiment_.file = root.location.file;
    if (!root.is_map()) {
      problems_.add(
          root.location,
          fmt::format("an experiment is a mapping with name, seed, datasets, protocol, algorithms and "
                      "metrics; found {}",
                      root.shown()));
      return experiment_;
    }
    check_keys(root, {"name", "seed", "datasets", "absent", "protocol", "algorithms", "metrics", "expect"},
               "an experiment", problems_);
    if (const ConfigNode* name = required(root, "name")) parse_name(*name);
    if (const ConfigNode* seed = required(root, "seed")) {
      experiment_.seed_location = seed->location;
      experiment_.seed =
          static_cast<std::uint64_t>(whole_number(*seed, "seed", 0, 9007199254740992, problems_));
    }
    if (const ConfigNode* datasets = required(root, "datasets")) parse_datasets(*datasets);
    if (const ConfigNode* absent = root.find("absent")) parse_absent(*absent);
    if (const ConfigNode* protocol = root.find("protocol"))
      experiment_.protocol = parse_protocol(*protocol, problems_);
    if (const ConfigNode* algorithms = required(root, "algorithms")) parse_algorithms(*algorithms);
    if (const ConfigNode* metrics = required(root, "metrics")) parse_metrics(*metrics);
    if (const ConfigNode* expect = root.find("expect")) parse_expect(*expect);
    return std::move(experiment_);
  }

 private:
  const ConfigNode* required(const ConfigNode& map, const std::string& key) {
    const ConfigNode* found = map.find(key);
    if (found == nullptr || found->kind == ConfigNode::Kind::null) {
      problems_.add(found != nullptr ? found->location : map.location, fmt::format("'{}' is missing", key));
      return nullptr;
    }
    return found;
  }

  void parse_name(const ConfigNode& node) {
    experiment_.name = node.text;
    const bool plain =
        node.is_scalar() && !node.text.empty() && node.text[0] != '.' &&
        node.text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
            std::string::npos;
    if (!plain)
      problems_.add(
          node.location,
          fmt::format("name: expected letters, digits, '-', '_' and '.', because it names the results "
                      "folder; found {}",
                      node.shown()));
  }

  /// The items of a list in which each is `name` or `name: {options}`.
  template <typename Handle>
  void each_named(const ConfigNode& list, const std::string& what, const Handle& handle) {
    if (!list.is_list() || list.items.empty()) {
      problems_.add(list.location,
                    fmt::format("{}: expected a list with at least one item, found {}", what, list.shown()));
      return;
    }
    static const ConfigNode no_options;
    for (const ConfigNode& item : list.items) {
      if (item.is_scalar()) {
        handle(item.text, item.location, no_options);
      } else if (item.is_map() && item.entries.size() == 1 &&
                 item.entries[0].value.kind != ConfigNode::Kind::list && !item.entries[0].value.is_scalar()) {
        handle(item.entries[0].key, item.entries[0].location, item.entries[0].value);
      } else {
        problems_.add(
            item.location,
            fmt::format("{}: expected a name, or one name with its settings as 'name: {{key: value}}'; "
                        "found {}",
                        what,
                        item.is_map() ? "several keys or a bare value (indent the settings below the name)"
                                      : item.shown()));
      }
    }
  }

  void parse_datasets(const ConfigNode& node) {
    std::set<std::string> seen;
    each_named(
        node, "datasets", [&](const std::string& name, const Location& location, const ConfigNode& options) {
          DatasetEntry entry{name, location, {}};
          if (!seen.insert(name).second)
            problems_.add(location,
                          fmt::format("dataset '{}' is listed twice; give one of them another name", name));
          for (const ConfigNode::Entry& option : options.entries) {
            DatasetOption read{option.value.text, option.value.location, {}};
            if (option.value.is_list()) {
              for (const ConfigNode& item : option.value.items) {
                if (!item.is_scalar())
                  problems_.add(item.location,
                                fmt::format("{}: expected a word, found {}", option.key, item.shown()));
                read.items.push_back({item.text, item.location, {}});
              }
            } else if (!option.value.is_scalar()) {
              problems_.add(option.value.location,
                            fmt::format("{}: expected a value, found {}", option.key, option.value.shown()));
              continue;
            }
            entry.options.emplace(option.key, std::move(read));
          }
          experiment_.datasets.push_back(std::move(entry));
        });
  }

  void parse_absent(const ConfigNode& node) {
    experiment_.skip_absent = node.is_scalar() && node.text == "skip";
    if (!experiment_.skip_absent && !(node.is_scalar() && node.text == "error"))
      problems_.add(node.location, fmt::format("absent: expected error or skip, found {}", node.shown()));
  }

  void parse_algorithms(const ConfigNode& node) {
    std::set<std::string> ids;
    each_named(node, "algorithms",
               [&](const std::string& name, const Location& location, const ConfigNode& settings) {
                 AlgorithmEntry entry;
                 entry.algorithm = Registry::instance().find(name);
                 entry.id = name;
                 entry.location = location;
                 if (entry.algorithm == nullptr) {
                   problems_.add(location, fmt::format("no algorithm '{}'{}", name,
                                                       did_you_mean(name, Registry::instance().names())));
                   return;
                 }
                 entry.description = described(*entry.algorithm, settings);
                 for (const ConfigNode::Entry& setting : settings.entries)
                   parse_algorithm_key(entry, setting);
                 if (!ids.insert(entry.id).second)
                   problems_.add(
                       location,
                       fmt::format("two algorithms are called '{}'; tell them apart with 'id'", entry.id));
                 experiment_.algorithms.push_back(std::move(entry));
               });
  }

  /// What the algorithm takes with the base that is given; with its own where that one is no good.
  AlgorithmDescription described(const Algorithm& algorithm, const ConfigNode& settings) {
    for (const ConfigNode::Entry& setting : settings.entries) {
      if (setting.key != "base" || !setting.value.is_scalar()) continue;
      try {
        return algorithm.description_for({{setting.key, setting.value.text}});
      } catch (const Error&) {
        break;  // the check of the value says it
      }
    }
    return algorithm.description();
  }

  void parse_algorithm_key(AlgorithmEntry& entry, const ConfigNode::Entry& setting) {
    if (setting.key == "id") {
      if (!setting.value.is_scalar() || setting.value.text.empty())
        problems_.add(setting.value.location,
                      fmt::format("id: expected a name for the tables, found {}", setting.value.shown()));
      else
        entry.id = setting.value.text;
    } else if (setting.key == "sweep") {
      parse_sweep(entry, setting.value);
    } else if (const ParameterSpec* spec = find_parameter(entry, setting.key, setting.location)) {
      if (setting.value.is_list())
        problems_.add(setting.value.location,
                      fmt::format("{0}: one value is expected here; a list goes into 'sweep: {{{0}: […]}}'",
                                  setting.key));
      else
        entry.parameters.emplace(setting.key, checked_value(*spec, setting.value));
    }
  }

  const ParameterSpec* find_parameter(const AlgorithmEntry& entry, const std::string& key,
                                      const Location& location) {
    const AlgorithmDescription& description = entry.description;
    const ParameterSpec* spec = description.find(key);
    if (spec != nullptr) return spec;
    std::vector<std::string> known{"id", "sweep"};
    for (const ParameterSpec& each : description.parameters) known.push_back(each.name);
    problems_.add(location,
                  fmt::format("{} has no parameter '{}'{}", description.name, key, did_you_mean(key, known)));
    return nullptr;
  }

  Setting checked_value(const ParameterSpec& spec, const ConfigNode& node) {
    if (!node.is_scalar()) {
      problems_.add(node.location,
                    fmt::format("{}: expected {}, found {}", spec.name, range_text(spec), node.shown()));
      return {};
    }
    const std::string problem = check_raw_value(spec, node.text);
    if (!problem.empty()) problems_.add(node.location, problem);
    return {node.text, node.location};
  }

  void parse_sweep(AlgorithmEntry& entry, const ConfigNode& node) {
    if (!node.is_map()) {
      problems_.add(node.location,
                    fmt::format("sweep: expected parameters with lists of values, found {}", node.shown()));
      return;
    }
    for (const ConfigNode::Entry& axis : node.entries) {
      const ParameterSpec* spec = find_parameter(entry, axis.key, axis.location);
      if (spec == nullptr) continue;
      if (axis.key == "base") {
        problems_.add(axis.location,
                      "sweep: a base has parameters of its own; write one entry for each base instead");
        continue;
      }
      if (!axis.value.is_list() || axis.value.items.empty()) {
        problems_.add(axis.value.location, fmt::format("sweep: {}: expected a list of values, found {}",
                                                       axis.key, axis.value.shown()));
        continue;
      }
      SweepAxis values{axis.key, {}};
      std::set<std::string> seen;
      for (const ConfigNode& item : axis.value.items) {
        values.values.push_back(checked_value(*spec, item));
        if (item.is_scalar() && !seen.insert(item.text).second)
          problems_.add(item.location, fmt::format("sweep: {} has the value {} twice", axis.key, item.text));
      }
      entry.sweep.push_back(std::move(values));
    }
    for (const SweepAxis& axis : entry.sweep)
      if (entry.parameters.contains(axis.parameter))
        problems_.add(node.location, fmt::format("{} is both set and swept; keep one", axis.parameter));
  }

  void parse_metrics(const ConfigNode& node) {
    if (!node.is_list() || node.items.empty()) {
      problems_.add(
          node.location,
          fmt::format("metrics: expected a list such as [lrap, fit-seconds], found {}", node.shown()));
      return;
    }
    std::set<std::string> seen;
    for (const ConfigNode& item : node.items) {
      try {
        if (!item.is_scalar())
          throw Error(ErrorKind::config,
                      fmt::format("expected the name of a metric, found {}", item.shown()));
        if (!seen.insert(item.text).second)
          throw Error(ErrorKind::config, fmt::format("metric '{}' is listed twice", item.text));
        experiment_.metrics.push_back(parse_metric(item.text));
        experiment_.metric_locations.push_back(item.location);
      } catch (const Error& error) {
        problems_.add(item.location, error.message());
      }
    }
  }

  void parse_expect(const ConfigNode& node) {
    if (!node.is_map()) {
      problems_.add(
          node.location,
          fmt::format("expect: expected metric: {{dataset: {{algorithm: value}}}}, found {}", node.shown()));
      return;
    }
    for (const ConfigNode::Entry& metric : node.entries) {
      if (metric.key == "source") {
        experiment_.expect_source = metric.value.text;
        continue;
      }
      try {
        parse_metric(metric.key);
      } catch (const Error& error) {
        problems_.add(metric.location, error.message());
      }
      for (const ConfigNode::Entry& dataset : metric.value.entries) {
        check_expected_dataset(dataset);
        for (const ConfigNode::Entry& algorithm : dataset.value.entries)
          parse_expected_value(metric.key, dataset.key, algorithm);
        if (!dataset.value.is_map())
          problems_.add(dataset.value.location,
                        fmt::format("expect: expected algorithm: value, found {}", dataset.value.shown()));
      }
      if (!metric.value.is_map())
        problems_.add(
            metric.value.location,
            fmt::format("expect: expected dataset: {{algorithm: value}}, found {}", metric.value.shown()));
    }
  }

  void check_expected_dataset(const ConfigNode::Entry& dataset) {
    std::vector<std::string> known;
    for (const DatasetEntry& entry : experiment_.datasets) known.push_back(entry.name);
    if (std::find(known.begin(), known.end(), dataset.key) == known.end())
      problems_.add(dataset.location, fmt::format("expect: no dataset '{}' in this experiment{}", dataset.key,
                                                  did_you_mean(dataset.key, known)));
  }

  /// `0.384` or `0.384 ± 0.004`.
  void parse_expected_value(const std::string& metric, const std::string& dataset,
                            const ConfigNode::Entry& entry) {
    ExpectedValue expected{metric, dataset, entry.key, 0.0, std::nullopt, entry.location};
    const std::string& text = entry.value.text;
    const std::size_t sign = text.find("±");
    const auto number = [&](std::string part) {
      part.erase(0, part.find_first_not_of(' '));
      part.erase(part.find_last_not_of(' ') + 1);
      double value = 0.0;
      const auto [stop, code] = std::from_chars(part.data(), part.data() + part.size(), value);
      if (part.empty() || code != std::errc() || stop != part.data() + part.size())
        problems_.add(entry.value.location,
                      fmt::format("expect: expected a number such as 0.384 or 0.384 ± 0.004, found {}",
                                  entry.value.shown()));
      return value;
    };
    expected.value = number(text.substr(0, sign));
    if (sign != std::string::npos) expected.deviation = number(text.substr(sign + std::string("±").size()));
    experiment_.expected.push_back(expected);
  }

  Problems& problems_;
  Experiment experiment_;
};

}  // namespace

Experiment parse_experiment(const ConfigNode& root, Problems& problems) {
  return ExperimentParser(problems).parse(root);
}

}  // namespace coppice

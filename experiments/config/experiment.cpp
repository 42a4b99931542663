#include "experiments/config/experiment.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "algorithms/plugin.h"
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
    check_keys(root,
               {"name", "seed", "datasets", "absent", "protocol", "algorithms", "metrics", "expect",
                "plugins", "timing", "include"},
               "an experiment", problems_);
    if (const ConfigNode* plugins = root.find("plugins")) load_plugins(*plugins);
    if (const ConfigNode* timing = root.find("timing")) parse_timing(*timing);
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
    if (const ConfigNode* algorithms = required(root, "algorithms"))
      experiment_.algorithms = parse_algorithms(*algorithms, experiment_.seed, problems_);
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

  void parse_datasets(const ConfigNode& node) {
    std::set<std::string> seen;
    each_named(
        node, "datasets", problems_,
        [&](const std::string& name, const Location& location, const ConfigNode& options) {
          DatasetEntry entry{name, location, {}};
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
          for (DatasetEntry& expanded : expand_training_rows(std::move(entry))) {
            if (!seen.insert(expanded.name).second)
              problems_.add(
                  location,
                  fmt::format("dataset '{}' is listed twice; give one of them another name", expanded.name));
            experiment_.datasets.push_back(std::move(expanded));
          }
        });
  }

  void load_plugins(const ConfigNode& node) {
    if (!node.is_list()) {
      problems_.add(node.location,
                    fmt::format("plugins: expected a list of shared libraries, found {}", node.shown()));
      return;
    }
    for (const ConfigNode& item : node.items) {
      try {
        const std::filesystem::path path =
            std::filesystem::path(item.location.file).parent_path() / item.text;
        load_plugin(path);
        experiment_.plugins.push_back(std::filesystem::canonical(path).string());
      } catch (const Error& error) {
        problems_.add(item.location, error.message());
      }
    }
  }

  void parse_timing(const ConfigNode& node) {
    experiment_.exclusive_timing = node.is_scalar() && node.text == "exclusive";
    if (!experiment_.exclusive_timing && !(node.is_scalar() && node.text == "shared"))
      problems_.add(node.location,
                    fmt::format("timing: expected shared or exclusive, found {}", node.shown()));
  }

  void parse_absent(const ConfigNode& node) {
    experiment_.skip_absent = node.is_scalar() && node.text == "skip";
    if (!experiment_.skip_absent && !(node.is_scalar() && node.text == "error"))
      problems_.add(node.location, fmt::format("absent: expected error or skip, found {}", node.shown()));
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

std::optional<Metric> Experiment::selection_metric(Task task) const {
  const Selection chosen = selection();
  for (const Metric& metric : chosen.metrics.empty() ? metrics : chosen.metrics)
    if (metric.applies_to(task) && metric.description->from_predictions()) return metric;
  return std::nullopt;
}

Experiment parse_experiment(const ConfigNode& root, Problems& problems) {
  return ExperimentParser(problems).parse(root);
}

}  // namespace coppice

#include "core/metrics/metric.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

constexpr std::string_view family_suffix = "@K";

/// Names are small letters and hyphens; what else people write is brought nearer before a name is guessed.
std::string in_our_spelling(std::string text) {
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
    if (character == '_' || character == ' ') character = '-';
  }
  return text;
}

/// `; did you mean precision@3?` for `precison@3`.
std::string suggestion(const std::string& stem, const std::string& k_text) {
  std::vector<std::string> stems;
  for (const MetricDescription& description : metric_descriptions())
    stems.push_back(description.name.substr(0, description.name.find('@')));
  const auto nearest = nearest_name(in_our_spelling(stem), stems);
  if (!nearest) return "; `coppice list metrics` names them all";
  const bool family = std::ranges::any_of(metric_descriptions(), [&](const MetricDescription& description) {
    return description.name == *nearest + std::string(family_suffix);
  });
  if (!family) return fmt::format("; did you mean {}?", *nearest);
  return fmt::format("; did you mean {}@{}?", *nearest, k_text.empty() ? "1" : k_text);
}

const MetricDescription* find_description(const std::string& name) {
  for (const MetricDescription& description : metric_descriptions())
    if (description.name == name) return &description;
  return nullptr;
}

std::size_t parse_k(const std::string& name, const std::string& text) {
  std::uint32_t k = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (problem != std::errc() || end != text.data() + text.size() || text.front() == '0')
    throw Error(
        ErrorKind::config,
        fmt::format("metric '{}': expected a whole number from 1 after the @, found '{}'", name, text));
  return k;
}

}  // namespace

const std::vector<MetricDescription>& metric_descriptions() {
  static const std::vector<MetricDescription> descriptions = [] {
    std::vector<MetricDescription> all;
    for (const MetricEntry& entry : metric_catalogue()) all.push_back(entry.description);
    return all;
  }();
  return descriptions;
}

bool Metric::applies_to(Task task) const {
  return std::ranges::find(description->tasks, task) != description->tasks.end();
}

std::optional<std::size_t> best_labels_of(std::span<const Metric> metrics) {
  std::size_t most = 0;
  for (const Metric& metric : metrics) {
    if (metric.k == 0) return std::nullopt;
    most = std::max(most, metric.k);
  }
  return most == 0 ? std::nullopt : std::optional(most);
}

Metric parse_metric(const std::string& name) {
  const std::size_t at = name.find('@');
  const std::string stem = name.substr(0, at);
  const std::string k_text = at == std::string::npos ? "" : name.substr(at + 1);
  const MetricDescription* plain = find_description(stem);
  const MetricDescription* family = find_description(stem + std::string(family_suffix));
  if (plain != nullptr) {
    if (at == std::string::npos) return {name, plain, 0};
    throw Error(ErrorKind::config, fmt::format("metric '{}': {} takes no @; write {}", name, stem, stem));
  }
  if (family != nullptr) {
    if (!k_text.empty()) return {name, family, parse_k(name, k_text)};
    throw Error(ErrorKind::config,
                fmt::format("metric '{}' needs a number of labels: write {}@1, {}@3, …", name, stem, stem));
  }
  throw Error(ErrorKind::config, fmt::format("no metric '{}'{}", name, suggestion(stem, k_text)));
}

}  // namespace coppice

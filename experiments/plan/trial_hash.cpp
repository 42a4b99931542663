#include "experiments/plan/trial_hash.h"

#include <nlohmann/json.hpp>

#include "algorithms/plugin.h"
#include "core/base/fingerprint.h"
#include "experiments/plan/plan.h"

namespace coppice {

namespace {

void add_algorithm(const AlgorithmDescription& algorithm, Fingerprinter& fingerprinter) {
  fingerprinter.add(algorithm.name).add(static_cast<std::uint64_t>(algorithm.version));
  // A plugin that was built anew may give other numbers under the same version.
  if (const std::string plugin = plugin_checksum(algorithm.name); !plugin.empty()) fingerprinter.add(plugin);
}

void add_data(const Fingerprint& dataset, const std::vector<PrepareStep>& preparation, const Split& split,
              const Stream& stream, Fingerprinter& fingerprinter) {
  fingerprinter.add(dataset.high).add(dataset.low);
  for (const PrepareStep step : preparation) fingerprinter.add(prepare_step_name(step));
  fingerprinter.add_array(std::span<const std::uint32_t>(split.train));
  fingerprinter.add_array(std::span<const std::uint32_t>(split.test));
  fingerprinter.add(stream.key()[0]).add(stream.key()[1]);
}

}  // namespace

std::string trial_hash(const AlgorithmDescription& algorithm, const std::string& settings,
                       const Fingerprint& dataset, const std::vector<PrepareStep>& preparation,
                       const Split& split, const Stream& stream, const Protocol& protocol) {
  Fingerprinter fingerprinter;
  fingerprinter.add(static_cast<std::uint64_t>(result_format_version));
  add_algorithm(algorithm, fingerprinter);
  fingerprinter.add(settings);
  add_data(dataset, preparation, split, stream, fingerprinter);
  if (protocol.estimate_632) fingerprinter.add(".632");
  if (const auto& setting = protocol.bias_variance)
    fingerprinter.add("bias-variance")
        .add(static_cast<std::uint64_t>(setting->learning_sets))
        .add(static_cast<std::uint64_t>(setting->projections))
        .add(static_cast<std::uint64_t>(setting->seeds));
  return fingerprinter.value().text();
}

std::string tuned_settings(const SearchSpace& space, const SearchSetting& search, const Selection& selection,
                           const std::string& metric) {
  Selection without_metrics = selection;  // one of them decides here, the others do not matter
  without_metrics.metrics.clear();
  return nlohmann::json{{"tune", space.json()},
                        {"search", search_text(search)},
                        {"select", without_metrics.text()},
                        {"metric", metric}}
      .dump();
}

std::string inner_hash(const AlgorithmEntry& entry, const Parameters& parameters,
                       const std::vector<double>& stages, const std::string& metric, const Dataset& dataset,
                       const std::vector<PrepareStep>& preparation, const Split& split,
                       const Rows& whole_train, const Stream& stream) {
  Fingerprinter fingerprinter;
  fingerprinter.add("inner").add(static_cast<std::uint64_t>(result_format_version));
  add_algorithm(entry.description, fingerprinter);
  fingerprinter.add(parameters.json().dump()).add_array(std::span<const double>(stages)).add(metric);
  add_data(dataset.fingerprint(), preparation, split, stream, fingerprinter);
  if (!preparation.empty()) fingerprinter.add_array(std::span<const std::uint32_t>(whole_train));
  return fingerprinter.value().text();
}

}  // namespace coppice

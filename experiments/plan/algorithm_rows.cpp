#include "experiments/plan/algorithm_rows.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// More combinations than these are left to the run to check.
constexpr std::size_t most_checked_settings = 20000;

/// The value that stands for a tuned parameter where one is needed.
const Setting& representative(const ValueAxis& axis) {
  return axis.kind == ValueAxis::Kind::list ? axis.values.front() : axis.high;
}

/// The place in the config of a parameter's value, for messages.
Location parameter_location(const AlgorithmEntry& entry, const AlgorithmRow& row,
                            const std::string& parameter) {
  if (const auto found = entry.parameters.find(parameter); found != entry.parameters.end())
    return found->second.location;
  for (const SweepAxis& axis : entry.sweep)
    for (const Setting& value : axis.values)
      if (axis.parameter == parameter && row.parameters.at(parameter) == value.text) return value.location;
  if (entry.tune)
    for (const ValueAxis& axis : entry.tune->axes)
      if (axis.parameter == parameter) return axis.location;
  return entry.location;
}

}  // namespace

std::vector<AlgorithmRow> expand_sweep(const AlgorithmEntry& entry, std::size_t index) {
  AlgorithmRow first{entry.id, index, {}};
  for (const auto& [name, setting] : entry.parameters) first.parameters[name] = setting.text;
  std::vector<AlgorithmRow> rows{first};
  for (const SweepAxis& axis : entry.sweep) {
    std::vector<AlgorithmRow> next;
    for (const AlgorithmRow& row : rows)
      for (const Setting& value : axis.values) {
        AlgorithmRow expanded = row;
        expanded.id += fmt::format(" {}={}", axis.parameter, value.text);
        expanded.parameters[axis.parameter] = value.text;
        next.push_back(std::move(expanded));
      }
    rows = std::move(next);
  }
  return rows;
}

std::optional<Parameters> resolve_row(const AlgorithmEntry& entry, const AlgorithmRow& row,
                                      const Dataset& dataset, const ExpressionVariables& sizes,
                                      PlanNotes& notes) {
  RawParameters raw = row.parameters;
  if (entry.tune)
    for (const ValueAxis& axis : entry.tune->axes) raw[axis.parameter] = representative(axis).text;
  Parameters parameters;
  bool fine = true;
  for (const ParameterSpec& spec : entry.description.parameters) {
    try {
      const Parameters one = resolve({spec}, raw, dataset.task(), sizes);
      parameters.set(spec.name, one.values().at(spec.name));
    } catch (const Error& error) {
      fine = false;
      const std::string message = fmt::format("dataset '{}': {}", dataset.name(), error.message());
      notes.add_once(row.id + message, parameter_location(entry, row, spec.name), message);
    }
  }
  if (!fine) return std::nullopt;
  if (entry.tune) return parameters;  // resolve_space looks at what is really tried
  if (const auto problem = entry.algorithm->check(parameters, sizes)) {
    const std::string message = fmt::format("dataset '{}': {}", dataset.name(), problem->message);
    notes.add_once(row.id + message, parameter_location(entry, row, problem->parameter), message);
    return std::nullopt;
  }
  return parameters;
}

std::optional<SearchSpace> resolve_space(const AlgorithmEntry& entry, const AlgorithmRow& row,
                                         const Parameters& parameters, const Dataset& dataset,
                                         const ExpressionVariables& sizes, PlanNotes& notes) {
  const auto note = [&](const Location& location, const std::string& why) {
    const std::string message = fmt::format("dataset '{}': {}", dataset.name(), why);
    notes.add_once(row.id + message, location, message);
  };
  SearchSpace space;
  space.fixed = parameters;
  if (const ParameterSpec* staged = entry.description.staged()) space.staged = staged->name;
  bool fine = true;
  for (const ValueAxis& axis : entry.tune->axes) {
    try {
      space.add(*entry.description.find(axis.parameter), axis, sizes);
    } catch (const Error& error) {
      fine = false;
      note(error.location().line > 0 ? error.location() : axis.location, error.message());
    }
  }
  if (!fine) return std::nullopt;
  space.put_in_order();
  if (!space.is_finite() || space.grid_size() > most_checked_settings) return space;
  for (const Parameters& candidate : space.grid())
    if (const auto problem = entry.algorithm->check(candidate, sizes)) {
      note(parameter_location(entry, row, problem->parameter), problem->message);
      return std::nullopt;
    }
  return space;
}

}  // namespace coppice

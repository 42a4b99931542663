#include "experiments/tuning/search_space.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/portable_math.h"

namespace coppice {

namespace {

constexpr double most_stages = 1e6;
constexpr std::size_t most_listed_examples = 256;
constexpr std::size_t drawn_examples = 64;

double numeric_value(const Parameters::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

bool is_logarithmic(ValueAxis::Kind kind) {
  return kind == ValueAxis::Kind::log_uniform || kind == ValueAxis::Kind::log_integer;
}

bool is_whole(ValueAxis::Kind kind) {
  return kind == ValueAxis::Kind::integer || kind == ValueAxis::Kind::log_integer;
}

/// The interval that positions run over: whole numbers own the unit around them.
std::pair<double, double> interval(const SpaceAxis& axis) {
  const double margin = is_whole(axis.kind) ? 0.5 : 0.0;
  const double low = axis.low - margin;
  const double high = axis.high + margin;
  if (!is_logarithmic(axis.kind)) return {low, high};
  return {portable_log(low), portable_log(high)};
}

Parameters::Value typed(const SpaceAxis& axis, double value) {
  if (is_whole(axis.kind)) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

double SpaceAxis::value_at(double position) const {
  const auto [first, last] = interval(*this);
  double value = first + (last - first) * position;
  if (is_logarithmic(kind)) value = portable_exp(value);
  if (is_whole(kind)) value = std::floor(value + 0.5);
  return std::clamp(value, low, high);
}

double SpaceAxis::position_of(double value) const {
  const auto [first, last] = interval(*this);
  return ((is_logarithmic(kind) ? portable_log(value) : value) - first) / (last - first);
}

void SearchSpace::add(const ParameterSpec& spec, const ValueAxis& axis, const ExpressionVariables& sizes) {
  const auto resolved = [&](const Setting& setting) {
    try {
      return resolve_value(spec, setting.text, sizes);
    } catch (const Error& error) {
      throw Error(ErrorKind::config, error.message(), setting.location);
    }
  };
  SpaceAxis made{axis.parameter, axis.kind, {}, 0.0, 0.0};
  for (const Setting& value : axis.values) {
    const Parameters::Value each = resolved(value);
    if (std::find(made.values.begin(), made.values.end(), each) == made.values.end())
      made.values.push_back(each);
  }
  std::sort(made.values.begin(), made.values.end());
  if (axis.kind != ValueAxis::Kind::list) {
    made.low = numeric_value(resolved(axis.low));
    made.high = numeric_value(resolved(axis.high));
    const double least = axis.kind == ValueAxis::Kind::log_integer ? 1.0 : 0.0;
    const bool positive = axis.kind == ValueAxis::Kind::log_uniform ? made.low > 0.0 : made.low >= least;
    if (made.high < made.low || (made.high == made.low && axis.is_distribution()) ||
        (is_logarithmic(axis.kind) && !positive))
      throw Error(ErrorKind::config,
                  fmt::format("tune: {}: cannot draw from {} … {}{}", spec.name, made.low, made.high,
                              is_logarithmic(axis.kind) ? " on a logarithmic scale" : ""),
                  axis.location);
  }
  if (!spec.staged) {
    axes.push_back(std::move(made));
    return;
  }
  // A staged parameter needs no search: one fit tells all of its values.
  for (const Parameters::Value& value : made.values) {
    if (std::holds_alternative<std::monostate>(value))
      throw Error(ErrorKind::config, fmt::format("tune: {}: 'none' cannot be tuned", spec.name),
                  axis.location);
    stages.push_back(numeric_value(value));
  }
  if (axis.kind == ValueAxis::Kind::list) return;
  if (made.high - made.low > most_stages)
    throw Error(ErrorKind::config, fmt::format("tune: {}: more than {} stages", spec.name, most_stages),
                axis.location);
  for (double stage = std::ceil(made.low); stage <= made.high; stage += 1.0) stages.push_back(stage);
}

void SearchSpace::put_in_order() {
  std::sort(axes.begin(), axes.end(),
            [](const SpaceAxis& a, const SpaceAxis& b) { return a.parameter < b.parameter; });
  fixed = base();
}

bool SearchSpace::is_finite() const {
  return std::all_of(axes.begin(), axes.end(),
                     [](const SpaceAxis& axis) { return axis.kind == ValueAxis::Kind::list; });
}

std::size_t SearchSpace::grid_size() const {
  std::size_t size = 1;
  for (const SpaceAxis& axis : axes) size *= axis.values.size();
  return size;
}

Parameters SearchSpace::base() const {
  Parameters parameters = fixed;
  if (!stages.empty()) parameters.set_number(staged, stages.back());
  return parameters;
}

double SearchSpace::last_stage() const {
  return staged.empty() ? 1.0 : base().number(staged);
}

std::vector<Parameters> SearchSpace::grid() const {
  std::vector<Parameters> all{base()};
  for (const SpaceAxis& axis : axes) {
    std::vector<Parameters> next;
    for (const Parameters& parameters : all)
      for (const Parameters::Value& value : axis.values) {
        next.push_back(parameters);
        next.back().set(axis.parameter, value);
      }
    all = std::move(next);
  }
  return all;
}

std::vector<Parameters> SearchSpace::examples() const {
  if (is_finite() && grid_size() <= most_listed_examples) return grid();
  std::vector<Parameters> settings;
  for (std::size_t i = 0; i < drawn_examples; ++i) settings.push_back(sample(Stream(0).at("setting", i)));
  return settings;
}

Parameters SearchSpace::sample(const Stream& stream) const {
  Parameters parameters = base();
  for (const SpaceAxis& axis : axes) {
    Stream source = stream.at("parameter", std::string_view(axis.parameter));
    if (axis.kind == ValueAxis::Kind::list)
      parameters.set(axis.parameter, axis.values[source.below(axis.values.size())]);
    else
      parameters.set(axis.parameter, typed(axis, draw_value(axis.kind, axis.low, axis.high, source)));
  }
  return parameters;
}

std::string SearchSpace::setting_text(const Parameters& parameters) const {
  nlohmann::json setting = nlohmann::json::object();
  const nlohmann::json all = parameters.json();
  for (const SpaceAxis& axis : axes) setting[axis.parameter] = all.at(axis.parameter);
  return setting.dump();
}

double SearchSpace::limit_of(const Parameters& parameters) const {
  const auto found = limits.find(setting_text(parameters));
  return found == limits.end() ? last_stage() : found->second;
}

nlohmann::json SearchSpace::tuned_json(const Parameters& parameters) const {
  const nlohmann::json all = parameters.json();
  nlohmann::json tuned = nlohmann::json::object();
  for (const SpaceAxis& axis : axes) tuned[axis.parameter] = all.at(axis.parameter);
  if (!stages.empty()) tuned[staged] = all.at(staged);
  return tuned;
}

nlohmann::json SearchSpace::json() const {
  nlohmann::json json{{"fixed", fixed.json()}, {"axes", nlohmann::json::array()}, {"stages", stages}};
  for (const SpaceAxis& axis : axes) {
    json["fixed"].erase(axis.parameter);
    Parameters listed;
    nlohmann::json values = nlohmann::json::array();
    for (const Parameters::Value& value : axis.values) {
      listed.set(axis.parameter, value);
      values.push_back(listed.json().at(axis.parameter));
    }
    json["axes"].push_back({{"parameter", axis.parameter},
                            {"kind", static_cast<int>(axis.kind)},
                            {"values", std::move(values)},
                            {"low", axis.low},
                            {"high", axis.high}});
  }
  if (!stages.empty()) json["fixed"].erase(staged);
  if (!limits.empty()) json["limits"] = limits;
  return json;
}

}  // namespace coppice

#include "core/data/generators/generator.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"

namespace coppice {

/// The stream that the data is drawn from, once the parameters are found to be possible.
Stream Generator::checked_stream(const Parameters& parameters, const Stream& stream) const {
  check(parameters);
  constexpr std::size_t most_rows = 0xffffffffU;
  if (row_count(parameters) > most_rows)
    throw Error(ErrorKind::config,
                fmt::format("{}: train and test together are {} rows; at most {} are possible",
                            description().name, row_count(parameters), most_rows));
  const auto seed = parameters.optional_integer("seed");
  const Stream source = seed ? Stream(static_cast<std::uint64_t>(*seed)) : stream;
  return source.at("generator", std::string_view(description().name));
}

Dataset Generator::generate(const Parameters& parameters, const Stream& stream) const {
  return draw(parameters, checked_stream(parameters, stream));
}

void Generator::generate_files(const Parameters& parameters, const Stream& stream,
                               const WriteOptions& files) const {
  const Stream source = checked_stream(parameters, stream);
  if (!stream_files(parameters, source, files)) write_dataset(draw(parameters, source), files);
}

const std::vector<std::unique_ptr<Generator>>& generators() {
  static const std::vector<std::unique_ptr<Generator>> all = [] {
    std::vector<std::unique_ptr<Generator>> list;
    list.push_back(make_friedman1());
    list.push_back(make_friedman1_chain());
    list.push_back(make_friedman1_group());
    list.push_back(make_friedman1_independent());
    list.push_back(make_two_norm());
    list.push_back(make_sparse_regression());
    list.push_back(make_multilabel());
    list.push_back(make_extreme());
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return a->description().name < b->description().name; });
    return list;
  }();
  return all;
}

const Generator* find_generator(const std::string& name) {
  for (const auto& generator : generators())
    if (generator->description().name == name) return generator.get();
  return nullptr;
}

}  // namespace coppice

#include "core/data/generators/extreme.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/data/generators/all.h"
#include "core/data/generators/parts.h"
#include "core/data/sparse_inputs.h"
#include "core/data/writers/formats.h"

namespace coppice {

namespace {

/// A rank in [0, count) with probability about proportional to (rank + 1)^-exponent: a power law on
/// [1, count + 1) by inversion, rounded down; no table, so that any count costs the same.
std::uint32_t power_law(double uniform, std::size_t count, double exponent) {
  const double end = static_cast<double>(count) + 1.0;
  const double shape = 1.0 - exponent;
  double value = 0.0;
  if (std::abs(shape) < 1e-9)
    value = portable_exp(uniform * portable_log(end));
  else
    value =
        portable_exp(portable_log(1.0 + uniform * (portable_exp(shape * portable_log(end)) - 1.0)) / shape);
  const double rank = std::min(std::floor(value), static_cast<double>(count)) - 1.0;
  return static_cast<std::uint32_t>(std::max(rank, 0.0));
}

/// A count with a geometric distribution from 0 on.
std::size_t geometric(Stream& source, double mean) {
  if (mean <= 0.0) return 0;
  const double continuation = portable_log(mean / (1.0 + mean));
  return static_cast<std::size_t>(std::floor(portable_log(1.0 - source.uniform()) / continuation));
}

std::vector<std::uint32_t> shuffled(std::size_t count, Stream source) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  source.shuffle(std::span(order));
  return order;
}

}  // namespace

ExtremeRows::ExtremeRows(const Parameters& parameters, const Stream& stream)
    : stream_(stream),
      rows_(row_count(parameters)),
      label_exponent_(parameters.real("label_exponent")),
      word_exponent_(parameters.real("word_exponent")),
      cardinality_(parameters.real("cardinality")),
      correlation_(parameters.real("correlation")),
      words_(parameters.real("words")),
      signal_(parameters.real("signal")),
      cluster_(size_of(parameters, "cluster")),
      characteristic_(size_of(parameters, "characteristic")),
      label_order_(shuffled(size_of(parameters, "labels"), stream.at("label-order"))),
      word_order_(shuffled(size_of(parameters, "features"), stream.at("word-order"))) {}

void ExtremeRows::draw_labels(Stream& source, std::vector<std::uint32_t>& ranks) const {
  ranks.clear();
  const std::size_t count = 1 + geometric(source, cardinality_ - 1.0);
  // Labels beyond the first come from the cluster of the first, or from anywhere; repetitions merge.
  for (std::size_t k = 0; k < count; ++k) {
    if (k == 0 || source.uniform() >= correlation_) {
      ranks.push_back(power_law(source.uniform(), labels(), label_exponent_));
    } else {
      const std::uint64_t start = ranks[0] / cluster_ * cluster_;
      const std::uint64_t size = std::min<std::uint64_t>(cluster_, labels() - start);
      ranks.push_back(static_cast<std::uint32_t>(start + source.below(size)));
    }
  }
}

std::uint32_t ExtremeRows::draw_word(Stream& source, std::span<const std::uint32_t> ranks) const {
  if (source.uniform() >= signal_)
    return word_order_[power_law(source.uniform(), features(), word_exponent_)];
  const std::uint32_t label = ranks[source.below(ranks.size())];
  Stream word = stream_.at("label", label).at("word", source.below(characteristic_));
  return static_cast<std::uint32_t>(word.below(features()));
}

void ExtremeRows::draw(std::size_t index, Row& row) const {
  Stream source = stream_.at("row", index);
  draw_labels(source, row.labels);
  const std::size_t count = 1 + geometric(source, words_ - 1.0);
  row.features.clear();
  for (std::size_t k = 0; k < count; ++k) row.features.push_back(draw_word(source, row.labels));

  for (std::uint32_t& label : row.labels) label = label_order_[label];
  std::sort(row.labels.begin(), row.labels.end());
  row.labels.erase(std::unique(row.labels.begin(), row.labels.end()), row.labels.end());

  std::sort(row.features.begin(), row.features.end());
  row.values.clear();
  double squares = 0.0;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < row.features.size();) {
    std::size_t end = k;
    while (end < row.features.size() && row.features[end] == row.features[k]) ++end;
    const double value = 1.0 + portable_log(static_cast<double>(end - k));
    squares += value * value;
    row.features[kept++] = row.features[k];
    row.values.push_back(static_cast<float>(value));
    k = end;
  }
  row.features.resize(kept);
  const double length = std::sqrt(squares);
  for (float& value : row.values) value = static_cast<float>(static_cast<double>(value) / length);
}

namespace {

class Extreme : public Generator {
 public:
  Extreme() {
    description_.name = "extreme";
    description_.summary =
        "Sparse text-like inputs and very many labels with power-law frequencies, at any size.";
    description_.reference = "coppice; the shape of the data of the extreme classification repository";
    description_.task = Task::multilabel;
    auto& parameters = description_.parameters;
    parameters = size_parameters("10000", "2000");
    parameters.push_back(count_parameter("features", "50000", "1", "Inputs: the size of the vocabulary."));
    parameters.push_back(count_parameter("labels", "5000", "1", "Labels."));
    parameters.push_back(
        real_parameter("cardinality", "4", "1", "", "Labels drawn for a row on average; equal ones merge."));
    parameters.push_back(
        real_parameter("words", "100", "1", "", "Words drawn for a row on average; equal ones merge."));
    parameters.push_back(
        real_parameter("label_exponent", "1", "0", "4", "Exponent of the labels' power law."));
    parameters.push_back(real_parameter("word_exponent", "1.1", "0", "4",
                                        "Exponent of the background vocabulary's power law."));
    parameters.push_back(
        real_parameter("signal", "0.4", "0", "1", "Share of words that come from the row's labels."));
    parameters.push_back(count_parameter("characteristic", "20", "1", "Characteristic words of a label."));
    parameters.push_back(count_parameter("cluster", "10", "1", "Labels of a cluster that occur together."));
    parameters.push_back(
        real_parameter("correlation", "0.5", "0", "1",
                       "Probability that a further label comes from the cluster of the first."));
  }

  const GeneratorDescription& description() const override { return description_; }

  void check(const Parameters& parameters) const override {
    constexpr std::int64_t most = 0xffffffff;
    for (const char* name : {"features", "labels"})
      if (parameters.integer(name) > most)
        throw Error(ErrorKind::config, fmt::format("{}: {} is out of range; at most {} are possible", name,
                                                   parameters.integer(name), most));
  }

 protected:
  Dataset draw(const Parameters& parameters, const Stream& stream) const override {
    const ExtremeRows source(parameters, stream);
    SparseInputs inputs;
    LabelSets labels(static_cast<std::uint32_t>(source.labels()));
    ExtremeRows::Row row;
    for (std::size_t i = 0; i < source.rows(); ++i) {
      source.draw(i, row);
      labels.add_row(row.labels);
      for (std::size_t k = 0; k < row.features.size(); ++k)
        inputs.add(static_cast<std::uint32_t>(i), row.features[k], row.values[k]);
    }
    return {description_.name,
            Task::multilabel,
            inputs.finish(source.rows(), source.features()),
            std::move(labels),
            {{}, given_split(parameters), {}}};
  }

  bool stream_files(const Parameters& parameters, const Stream& stream,
                    const WriteOptions& files) const override {
    if (files.format != "extreme-text") return false;
    const ExtremeRows source(parameters, stream);
    const std::size_t train = files.test ? size_of(parameters, "train") : source.rows();
    write_rows(source, 0, train, files.file);
    if (files.test) write_rows(source, train, source.rows(), *files.test);
    return true;
  }

 private:
  static void write_rows(const ExtremeRows& source, std::size_t begin, std::size_t end,
                         const std::filesystem::path& path) {
    TextWriter out(path);
    out << fmt::format("{} {} {}\n", end - begin, source.features(), source.labels());
    ExtremeRows::Row row;
    for (std::size_t i = begin; i < end; ++i) {
      source.draw(i, row);
      write_sparse_row(out, row.labels, row.features, row.values);
    }
    out.close();
  }

  GeneratorDescription description_;
};

}  // namespace

std::unique_ptr<Generator> make_extreme() {
  return std::make_unique<Extreme>();
}

}  // namespace coppice

#include "core/data/cache/dataset_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/data/cache/array_file.h"

namespace coppice {

namespace {

/// Texts one after the other, and where each ends.
struct TextArray {
  std::vector<std::uint64_t> ends;
  std::string characters;

  explicit TextArray(std::span<const std::string> texts) {
    for (const std::string& text : texts) {
      characters += text;
      ends.push_back(characters.size());
    }
  }
};

void put_texts(ArrayFileWriter& writer, const std::string& name, std::span<const std::string> texts) {
  const TextArray array(texts);
  writer.put(name + "-ends", std::span<const std::uint64_t>(array.ends));
  writer.put(name, std::span<const char>(array.characters));
}

std::vector<std::string> get_texts(const ArrayFileReader& reader, const std::string& name) {
  const auto ends = reader.array<std::uint64_t>(name + "-ends");
  const auto characters = reader.array<char>(name);
  std::vector<std::string> texts;
  texts.reserve(ends.size());
  std::uint64_t start = 0;
  for (const std::uint64_t end : ends) {
    if (end < start || end > characters.size()) reader.fail("has texts that do not fit together");
    texts.emplace_back(characters.data() + start, characters.data() + end);
    start = end;
  }
  return texts;
}

std::vector<std::string> own_names(const Features& features) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < features.columns(); ++j)
    if (!features.own_name(j).empty()) {
      names.resize(j);
      names.push_back(features.own_name(j));
    }
  return names;
}

void put_features(ArrayFileWriter& writer, const Features& features) {
  std::vector<std::uint32_t> lengths;
  std::vector<char> dense;
  for (std::size_t j = 0; j < features.columns(); ++j) {
    const ColumnView column = features.column(j);
    lengths.push_back(static_cast<std::uint32_t>(column.values.size()));
    dense.push_back(column.dense ? 1 : 0);
  }
  writer.put("lengths", std::span<const std::uint32_t>(lengths));
  writer.put("dense", std::span<const char>(dense));
  put_texts(writer, "names", own_names(features));
  const auto put_columns = [&](const std::string& name, bool of_dense, bool rows) {
    writer.begin(name);
    for (std::size_t j = 0; j < features.columns(); ++j) {
      const ColumnView column = features.column(j);
      if (column.dense != of_dense) continue;
      if (rows)
        writer.append(std::as_bytes(column.rows));
      else
        writer.append(std::as_bytes(column.values));
    }
  };
  put_columns("dense-values", true, false);
  put_columns("sparse-rows", false, true);
  put_columns("sparse-values", false, false);
}

nlohmann::json header_of(const Dataset& dataset, const std::vector<std::string>& notes) {
  nlohmann::json header{{"task", task_name(dataset.task())},
                        {"rows", dataset.rows()},
                        {"missing", dataset.features().missing()},
                        {"labels", dataset.labels().label_count()},
                        {"targets", dataset.targets().outputs()},
                        {"given-split", dataset.given_split().has_value()},
                        {"fingerprint", {dataset.fingerprint().high, dataset.fingerprint().low}},
                        {"notes", notes}};
  nlohmann::json categories = nlohmann::json::array();
  for (std::size_t j = 0; j < dataset.feature_count(); ++j)
    if (dataset.features().column(j).kind == FeatureKind::categorical)
      categories.push_back({j, dataset.features().categories(j)});
  header["categories"] = std::move(categories);
  return header;
}

Features get_features(const std::shared_ptr<const ArrayFileReader>& reader) {
  MappedColumns columns;
  const auto lengths = reader->array<std::uint32_t>("lengths");
  columns.lengths.assign(lengths.begin(), lengths.end());
  for (const char dense : reader->array<char>("dense")) columns.dense.push_back(dense != 0);
  columns.names = get_texts(*reader, "names");
  for (const auto& item : reader->header().at("categories"))
    columns.categories[item.at(0).get<std::size_t>()] = item.at(1).get<std::vector<std::string>>();
  columns.missing = reader->header().at("missing").get<std::size_t>();
  MappedValues values{reader->array<float>("dense-values"), reader->array<std::uint32_t>("sparse-rows"),
                      reader->array<float>("sparse-values"), reader};
  return {reader->header().at("rows").get<std::size_t>(), std::move(columns), std::move(values)};
}

ReadResult restore(const std::shared_ptr<const ArrayFileReader>& reader, const std::string& name) {
  const nlohmann::json& header = reader->header();
  const auto task = parse_task(header.at("task").get<std::string>());
  if (!task) reader->fail("names an unknown task");
  DatasetExtras extras;
  extras.output_names = get_texts(*reader, "output-names");
  if (header.at("given-split").get<bool>())
    extras.given_split = Split{reader->vector<std::uint32_t>("train"), reader->vector<std::uint32_t>("test")};
  const auto propensity = reader->array<double>("propensity");
  if (propensity.size() != 2) reader->fail("has no propensity constants");
  extras.propensity = {propensity[0], propensity[1]};
  extras.groups = reader->vector<std::uint32_t>("groups");
  LabelSets labels;
  RealTargets targets;
  if (has_labels(*task))
    labels =
        LabelSets(header.at("labels").get<std::uint32_t>(), reader->vector<std::uint64_t>("label-offsets"),
                  reader->vector<std::uint32_t>("labels"));
  else
    targets = RealTargets(header.at("targets").get<std::size_t>(), reader->vector<double>("targets"));
  const Fingerprint fingerprint{header.at("fingerprint").at(0).get<std::uint64_t>(),
                                header.at("fingerprint").at(1).get<std::uint64_t>()};
  return {Dataset(name, *task, get_features(reader), std::move(labels), std::move(targets), std::move(extras),
                  fingerprint),
          header.at("notes").get<std::vector<std::string>>()};
}

}  // namespace

void write_dataset_file(const Dataset& dataset, const std::vector<std::string>& notes,
                        const std::filesystem::path& path) {
  ArrayFileWriter writer(path, dataset_file_version);
  put_features(writer, dataset.features());
  writer.put("label-offsets", dataset.labels().offsets());
  writer.put("labels", dataset.labels().labels());
  writer.put("targets", dataset.targets().values());
  put_texts(writer, "output-names", dataset.output_names());
  const Split split = dataset.given_split().value_or(Split{});
  writer.put("train", std::span<const std::uint32_t>(split.train));
  writer.put("test", std::span<const std::uint32_t>(split.test));
  const std::vector<double> propensity{dataset.propensity().a, dataset.propensity().b};
  writer.put("propensity", std::span<const double>(propensity));
  writer.put("groups", std::span<const std::uint32_t>(dataset.groups()));
  writer.close(header_of(dataset, notes));
}

ReadResult read_dataset_file(const std::filesystem::path& path, const std::string& name) {
  const auto reader = std::make_shared<const ArrayFileReader>(path, dataset_file_version);
  try {
    return restore(reader, name);
  } catch (const nlohmann::json::exception& error) {
    reader->fail(fmt::format("has a malformed header ({})", error.what()));
  }
}

}  // namespace coppice

#include "experiments/data/source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_name.h"
#include "experiments/data/catalogue.h"
#include "experiments/data/catalogued.h"
#include "experiments/data/files.h"
#include "experiments/data/generated.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& generator : generators()) names.push_back(generator->description().name);
  return names;
}

std::string folders_text(const DataPath& path) {
  std::vector<std::string> names;
  for (const fs::path& folder : path.folders) names.push_back(folder.string());
  return fmt::format("{}", fmt::join(names, ", "));
}

void report_unknown(const DatasetEntry& entry, const DataPath& path, Problems& problems) {
  const std::vector<std::string> known = known_dataset_names();
  if (const auto nearest = nearest_name(entry.name, known)) {
    problems.add(entry.location, fmt::format("no dataset '{}'; did you mean {}?", entry.name, *nearest));
    return;
  }
  problems.add(entry.location,
               fmt::format("no dataset '{}' in the catalogue ({}), among the generators, or in the data path "
                           "({}); nearest names: {}; give 'file: …' to read a file of your own",
                           entry.name, catalogue_folder().string(), folders_text(path),
                           fmt::join(nearest_names(entry.name, known, 5), ", ")));
}

std::unique_ptr<DatasetSource> make_named_generator(const DatasetEntry& entry, Problems& problems) {
  const DatasetOption& option = entry.options.at("generator");
  const Generator* generator = find_generator(option.text);
  if (generator == nullptr) {
    problems.add(option.location, fmt::format("no generator '{}'{}", option.text,
                                              did_you_mean(option.text, generator_names())));
    return nullptr;
  }
  return make_generated_source(entry, *generator, problems);
}

}  // namespace

DataPath DataPath::standard(const std::string& data_option) {
  DataPath path;
  if (!data_option.empty()) path.folders.emplace_back(data_option);
  if (const char* folder = std::getenv("COPPICE_DATA"); folder != nullptr && *folder != '\0')
    path.folders.emplace_back(folder);
  path.folders.push_back(catalogue_folder() / "files");
  return path;
}

std::vector<std::string> known_dataset_names() {
  std::vector<std::string> names = catalogue_names();
  const std::vector<std::string> generated = generator_names();
  names.insert(names.end(), generated.begin(), generated.end());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

/// The steps that the option `prepare` lists.
std::vector<PrepareStep> read_preparation(const DatasetOption& option, Problems& problems) {
  std::vector<std::string> known;
  for (const PrepareDescription& description : prepare_steps()) known.push_back(description.name);
  std::vector<PrepareStep> steps;
  const std::vector<DatasetOption> items = option.items.empty() ? std::vector{option} : option.items;
  for (const DatasetOption& item : items) {
    if (const auto step = parse_prepare_step(item.text))
      steps.push_back(*step);
    else
      problems.add(item.location,
                   fmt::format("prepare: no step '{}'{}", item.text, did_you_mean(item.text, known)));
  }
  return steps;
}

/// The value of the option `training_rows`.
std::optional<double> read_training_rows(const DatasetOption& option, Problems& problems) {
  constexpr double most = 4294967295.0;  // rows are numbered in 32 bits
  double amount = 0.0;
  const char* end = option.text.data() + option.text.size();
  const auto [stop, code] = std::from_chars(option.text.data(), end, amount);
  const bool whole = amount == std::floor(amount) && amount <= most;
  if (code == std::errc() && stop == end && amount > 0.0 && (amount < 1.0 || whole)) return amount;
  problems.add(
      option.location,
      fmt::format("training_rows: expected a whole number of rows, a share of them between 0 and 1, or "
                  "a list of such; found '{}'",
                  option.text));
  return std::nullopt;
}

/// The name that catalogue and generators are searched for.
std::string data_name(const DatasetEntry& entry) {
  const auto data = entry.options.find("data");
  return data == entry.options.end() ? entry.name : data->second.text;
}

/// A source for an entry without `prepare` and `training_rows`, which concern none of them.
std::unique_ptr<DatasetSource> make_plain_source(const DatasetEntry& entry, const DataPath& path,
                                                 Problems& problems) {
  const std::string name = data_name(entry);
  DatasetEntry found = entry;
  found.options.erase("data");
  if (found.options.contains("file")) return make_file_source(found, problems);
  if (found.options.contains("generator")) return make_named_generator(found, problems);
  if (const Generator* generator = find_generator(name))
    return make_generated_source(found, *generator, problems);
  try {
    if (const auto catalogue = find_in_catalogue(name))
      return make_catalogued_source(found, *catalogue, path, problems);
  } catch (const Error& error) {
    problems.add(error.location(), error.message());
    return nullptr;
  }
  found.name = name;
  report_unknown(found, path, problems);
  return nullptr;
}

}  // namespace

bool is_absent(const DatasetEntry& entry, const DataPath& path) {
  if (entry.options.contains("file") || entry.options.contains("generator") ||
      find_generator(data_name(entry)) != nullptr)
    return false;
  try {
    const auto catalogue = find_in_catalogue(data_name(entry));
    return catalogue && !has_files(*catalogue, path);
  } catch (const Error&) {
    return false;  // malformed, which make_source reports
  }
}

std::optional<std::size_t> DatasetSource::training_rows(std::size_t available) const {
  if (!training_rows_) return std::nullopt;
  if (*training_rows_ >= 1.0) return static_cast<std::size_t>(*training_rows_);
  const double share = std::floor(*training_rows_ * static_cast<double>(available) + 0.5);
  return std::max<std::size_t>(1, static_cast<std::size_t>(share));
}

std::string source_name(const DatasetEntry& entry) {
  for (const char* key : {"generator", "file"})
    if (const auto option = entry.options.find(key); option != entry.options.end())
      return option->second.text;
  return data_name(entry);
}

std::vector<DatasetEntry> expand_training_rows(DatasetEntry entry) {
  const auto option = entry.options.find("training_rows");
  if (option == entry.options.end() || option->second.items.empty()) return {std::move(entry)};
  const std::vector<DatasetOption> values = option->second.items;
  entry.options.emplace("data", DatasetOption{entry.name, entry.location, {}});
  std::vector<DatasetEntry> entries;
  for (const DatasetOption& value : values) {
    entries.push_back(entry);
    entries.back().name = fmt::format("{} training_rows={}", entry.name, value.text);
    entries.back().options["training_rows"] = value;
  }
  return entries;
}

std::unique_ptr<DatasetSource> make_source(const DatasetEntry& entry, const DataPath& path,
                                           Problems& problems) {
  DatasetEntry plain = entry;
  std::vector<PrepareStep> steps;
  if (const auto option = plain.options.find("prepare"); option != plain.options.end()) {
    steps = read_preparation(option->second, problems);
    plain.options.erase(option);
  }
  std::optional<double> training_rows;
  if (const auto option = plain.options.find("training_rows"); option != plain.options.end()) {
    training_rows = read_training_rows(option->second, problems);
    plain.options.erase(option);
  }
  auto source = make_plain_source(plain, path, problems);
  if (!source) return source;
  source->set_data_name(data_name(entry));
  source->set_preparation(std::move(steps));
  if (training_rows) source->set_training_rows(*training_rows);
  return source;
}

}  // namespace coppice

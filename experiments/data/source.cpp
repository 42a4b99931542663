#include "experiments/data/source.h"

#include <algorithm>
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

/// A source for an entry without `prepare`, which concerns none of them.
std::unique_ptr<DatasetSource> make_plain_source(const DatasetEntry& entry, const DataPath& path,
                                                 Problems& problems) {
  if (entry.options.contains("file")) return make_file_source(entry, problems);
  if (entry.options.contains("generator")) return make_named_generator(entry, problems);
  if (const Generator* generator = find_generator(entry.name))
    return make_generated_source(entry, *generator, problems);
  try {
    if (const auto catalogue = find_in_catalogue(entry.name))
      return make_catalogued_source(entry, *catalogue, path, problems);
  } catch (const Error& error) {
    problems.add(error.location(), error.message());
    return nullptr;
  }
  report_unknown(entry, path, problems);
  return nullptr;
}

}  // namespace

bool is_absent(const DatasetEntry& entry, const DataPath& path) {
  if (entry.options.contains("file") || entry.options.contains("generator") ||
      find_generator(entry.name) != nullptr)
    return false;
  try {
    const auto catalogue = find_in_catalogue(entry.name);
    return catalogue && !has_files(*catalogue, path);
  } catch (const Error&) {
    return false;  // malformed, which make_source reports
  }
}

std::unique_ptr<DatasetSource> make_source(const DatasetEntry& entry, const DataPath& path,
                                           Problems& problems) {
  DatasetEntry plain = entry;
  std::vector<PrepareStep> steps;
  if (const auto option = plain.options.find("prepare"); option != plain.options.end()) {
    steps = read_preparation(option->second, problems);
    plain.options.erase(option);
  }
  auto source = make_plain_source(plain, path, problems);
  if (source) source->set_preparation(std::move(steps));
  return source;
}

}  // namespace coppice

#include "experiments/data/file_options.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "core/base/nearest_name.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

/// What an option does, or why it cannot.
using Apply = std::function<std::string(const DatasetOption&, ReadOptions&)>;

std::string one_word(const DatasetOption& option) {
  return option.items.empty() ? "" : "expected one value, found a list";
}

std::optional<std::size_t> whole_number(const std::string& text) {
  std::size_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string> words(const DatasetOption& option) {
  if (option.items.empty()) return {option.text};
  std::vector<std::string> list;
  for (const DatasetOption& item : option.items) list.push_back(item.text);
  return list;
}

std::string set_task(const DatasetOption& option, ReadOptions& read) {
  read.task = parse_task(option.text);
  return read.task ? ""
                   : fmt::format("expected multi-label, multi-class or regression, found '{}'", option.text);
}

std::string set_format(const DatasetOption& option, ReadOptions& read) {
  const auto& known = reader_formats();
  if (std::find(known.begin(), known.end(), option.text) == known.end())
    return fmt::format("no format '{}'{}", option.text, did_you_mean(option.text, known));
  read.format = option.text;
  return "";
}

std::string set_targets(const DatasetOption& option, ReadOptions& read) {
  const auto count = option.items.empty() ? whole_number(option.text) : std::nullopt;
  if (count && *count == 0) return "expected a number of at least 1, or names of columns";
  read.output_count = count;
  if (!count) read.outputs = words(option);
  return "";
}

std::string set_base(const DatasetOption& option, ReadOptions& read) {
  if (option.text != "0" && option.text != "1")
    return fmt::format("expected 0 or 1, found '{}'", option.text);
  read.base = option.text == "0" ? 0U : 1U;
  return "";
}

std::string set_separator(const DatasetOption& option, ReadOptions& read) {
  // On the command line a semicolon stands between the items of a list.
  std::string text = option.text == "semicolon" ? ";" : option.text;
  if (text == "tab" || text == "\\t") text = "\t";
  if (text.size() != 1 || text == "\"")
    return fmt::format("expected one character, semicolon or tab, found '{}'", option.text);
  read.separator = text[0];
  return "";
}

std::string set_header(const DatasetOption& option, ReadOptions& read) {
  if (option.text != "true" && option.text != "false")
    return fmt::format("expected true or false, found '{}'", option.text);
  read.header = option.text == "true";
  return "";
}

std::string set_hierarchy(const DatasetOption& option, ReadOptions& read) {
  if (option.text != "tree" && option.text != "graph")
    return fmt::format("expected tree or graph, found '{}'", option.text);
  read.directed_graph = option.text == "graph";
  return "";
}

std::string set_propensity(const DatasetOption& option, ReadOptions& read) {
  const auto number = [](const std::string& text, double& value) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size() && value > 0.0;
  };
  if (option.items.size() != 2 || !number(option.items[0].text, read.propensity.a) ||
      !number(option.items[1].text, read.propensity.b))
    return "expected the two constants of the propensity model, such as [0.55, 1.5]";
  return "";
}

struct ReadingOption {
  std::string name;
  std::string meaning;
  bool takes_list;
  Apply apply;
};

/// An option whose words are taken over as they are.
Apply set_words(std::vector<std::string> ReadOptions::*member) {
  return [member](const DatasetOption& option, ReadOptions& read) {
    read.*member = words(option);
    return std::string();
  };
}

std::string set_groups(const DatasetOption& option, ReadOptions& read) {
  read.groups = option.text;
  return "";
}

const std::vector<ReadingOption>& table() {
  static const std::vector<ReadingOption> all{
      {"base",
       "Number of the first feature in LibSVM and Vowpal Wabbit files, 0 or 1; told by the smallest one.",
       false, set_base},
      {"categorical", "Columns of a CSV file that are categorical though they look like numbers.", true,
       set_words(&ReadOptions::categorical)},
      {"drop", "Columns to leave out.", true, set_words(&ReadOptions::drop)},
      {"format", "One of the formats above; told by the name of the file.", false, set_format},
      {"groups", "Column (ARFF, CSV) that says which rows a split must not separate; it is no input then.",
       false, set_groups},
      {"header", "Whether the first line of a CSV file holds names; true by default.", false, set_header},
      {"hierarchy", "`tree` (paths) or `graph` (edges) for a Clus hierarchy; told by its text.", false,
       set_hierarchy},
      {"propensity", "The constants A and B of psp@K; [0.55, 1.5] by default.", true, set_propensity},
      {"separator",
       "Character between the fields of a CSV file, or `semicolon` or `tab`; told by the name of the file.",
       false, set_separator},
      {"targets", "Names of the output columns, or their number if they are the last ones.", true,
       set_targets},
      {"task", "`multi-label`, `multi-class` or `regression`; told by the outputs.", false, set_task},
  };
  return all;
}

std::optional<InputFile> find_file(const std::string& name, const DatasetOption& option,
                                   const fs::path& folder, Problems& problems) {
  const fs::path path = folder / option.text;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return InputFile{path, std::nullopt};
  std::vector<std::string> siblings;
  for (const auto& item : fs::directory_iterator(path.parent_path(), error))
    siblings.push_back(item.path().filename().string());
  std::sort(siblings.begin(), siblings.end());
  const auto nearest = nearest_name(path.filename().string(), siblings);
  problems.add(option.location, fmt::format("{}: no file '{}'{}", name, path.string(),
                                            nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& reading_options() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const ReadingOption& option : table()) list.push_back(option.name);
    return list;
  }();
  return names;
}

std::vector<std::pair<std::string, std::string>> reading_option_meanings() {
  std::vector<std::pair<std::string, std::string>> meanings;
  for (const ReadingOption& option : table()) meanings.emplace_back(option.name, option.meaning);
  return meanings;
}

const std::vector<std::string>& file_options() {
  static const std::vector<std::string> names{"file", "labels", "test", "valid"};
  return names;
}

void apply_reading_options(const std::map<std::string, DatasetOption>& options, ReadOptions& read,
                           Problems& problems) {
  for (const ReadingOption& known : table()) {
    const auto found = options.find(known.name);
    if (found == options.end()) continue;
    std::string reason = known.takes_list ? "" : one_word(found->second);
    if (reason.empty()) reason = known.apply(found->second, read);
    if (!reason.empty()) problems.add(found->second.location, fmt::format("{}: {}", known.name, reason));
  }
}

void apply_file_options(const std::map<std::string, DatasetOption>& options, const fs::path& folder,
                        ReadOptions& read, Problems& problems) {
  for (const std::string& name : file_options()) {
    const auto found = options.find(name);
    if (found == options.end()) continue;
    const DatasetOption& option = found->second;
    if (name == "labels" && !option.items.empty()) {
      // Label columns named one by one instead of in an XML file.
      read.outputs = words(option);
      read.task = read.task.value_or(Task::multilabel);
      continue;
    }
    if (const std::string reason = one_word(option); !reason.empty()) {
      problems.add(option.location, fmt::format("{}: {}", name, reason));
      continue;
    }
    const auto file = find_file(name, option, folder, problems);
    if (!file) continue;
    if (name == "labels")
      read.labels = *file;
    else if (name == "test")
      read.test.push_back(*file);
    else
      read.train.push_back(*file);
  }
}

}  // namespace coppice

#include "experiments/data/catalogue.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "core/base/nearest_name.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

/// Reads one catalogue file; every complaint has its place.
class EntryReader {
 public:
  explicit EntryReader(const fs::path& file) : file_(file) { entry_.file = file; }

  CatalogueEntry read() {
    const YAML::Node root = load();
    if (!root.IsMap()) fail(root, "expected keys and values such as 'name: …'");
    for (const auto& item : root) read_key(text(item.first), item.first, item.second);
    if (entry_.name.empty()) fail(root, "the key 'name' is missing");
    if (entry_.name != file_.stem().string())
      fail(root, fmt::format("the name '{}' is not that of the file", entry_.name));
    if (!has_task_) fail(root, "the key 'task' is missing");
    return std::move(entry_);
  }

 private:
  YAML::Node load() const {
    try {
      return YAML::LoadFile(file_.string());
    } catch (const YAML::BadFile&) {
      throw Error(ErrorKind::config, "the file cannot be opened", {file_.string(), 0, 0});
    } catch (const YAML::Exception& error) {
      throw Error(ErrorKind::config, error.msg, place(error.mark));
    }
  }

  void read_key(const std::string& key, const YAML::Node& key_node, const YAML::Node& value) {
    static const std::vector<std::string> keys{"name",  "task",   "domain",  "format", "files", "options",
                                               "shape", "origin", "licence", "source", "note"};
    const std::array<std::pair<const char*, std::string*>, 7> texts{{{"name", &entry_.name},
                                                                     {"domain", &entry_.domain},
                                                                     {"format", &entry_.format},
                                                                     {"origin", &entry_.origin},
                                                                     {"licence", &entry_.licence},
                                                                     {"source", &entry_.source},
                                                                     {"note", &entry_.note}}};
    for (const auto& [name, field] : texts)
      if (key == name) {
        *field = text(value);
        return;
      }
    if (key == "task")
      read_task(value);
    else if (key == "files")
      read_files(value);
    else if (key == "options")
      read_options(value);
    else if (key == "shape")
      read_shape(value);
    else
      fail(key_node, fmt::format("unknown key '{}'{}", key, did_you_mean(key, keys)));
  }

  void read_task(const YAML::Node& node) {
    const auto task = parse_task(text(node));
    if (!task)
      fail(node,
           fmt::format("unknown task '{}'; expected multi-label, multi-class or regression", text(node)));
    entry_.task = *task;
    has_task_ = true;
  }

  void read_files(const YAML::Node& node) {
    require_map(node);
    for (const auto& item : node) {
      CatalogueFile file;
      require_map(item.second);
      for (const auto& fact : item.second) {
        const std::string key = text(fact.first);
        if (key == "path")
          file.path = text(fact.second);
        else if (key == "sha256")
          file.sha256 = text(fact.second);
        else if (key == "content_sha256")
          file.content_sha256 = text(fact.second);
        else if (key == "address")
          file.address = text(fact.second);
        else
          fail(fact.first,
               fmt::format("unknown key '{}'; known: path, sha256, content_sha256, address", key));
      }
      if (file.path.empty()) fail(item.second, "the key 'path' is missing");
      entry_.files.emplace(text(item.first), std::move(file));
    }
  }

  void read_options(const YAML::Node& node) {
    require_map(node);
    for (const auto& item : node) entry_.options.emplace(text(item.first), option(item.second));
  }

  DatasetOption option(const YAML::Node& node) const {
    DatasetOption read{"", place(node.Mark()), {}};
    if (node.IsSequence())
      for (const YAML::Node& item : node) read.items.push_back(option(item));
    else
      read.text = text(node);
    return read;
  }

  void read_shape(const YAML::Node& node) {
    require_map(node);
    for (const auto& item : node) {
      try {
        entry_.shape.emplace(text(item.first), item.second.as<std::size_t>());
      } catch (const YAML::Exception&) {
        fail(item.second, fmt::format("{}: expected a whole number", text(item.first)));
      }
    }
  }

  std::string text(const YAML::Node& node) const {
    if (!node.IsScalar()) fail(node, "expected a word or a number");
    return node.Scalar();
  }

  void require_map(const YAML::Node& node) const {
    if (!node.IsMap()) fail(node, "expected keys and values");
  }

  Location place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_.string(), 0, 0};
    return {file_.string(), mark.line + 1, mark.column + 1};
  }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw Error(ErrorKind::config, message, place(node.Mark()));
  }

  fs::path file_;
  CatalogueEntry entry_;
  bool has_task_ = false;
};

}  // namespace

CatalogueEntry read_catalogue_entry(const fs::path& file) {
  return EntryReader(file).read();
}

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(catalogue_folder(), error))
    if (item.path().extension() == ".yaml") names.push_back(item.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<CatalogueEntry> find_in_catalogue(const std::string& name) {
  const std::vector<std::string> names = catalogue_names();
  if (!std::binary_search(names.begin(), names.end(), name)) return std::nullopt;
  return read_catalogue_entry(catalogue_folder() / (name + ".yaml"));
}

}  // namespace coppice

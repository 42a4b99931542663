#include "experiments/config/config_node.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "core/base/nearest_name.h"

namespace coppice {

namespace {

constexpr int deepest_nesting = 64;

Location location_of(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, mark.line + 1, mark.column + 1};
}

/// `<<: *base` takes over the entries of another mapping (or of several) that are not given here.
void merge_entries(ConfigNode& map, Problems& problems) {
  const auto merge = std::find_if(map.entries.begin(), map.entries.end(),
                                  [](const ConfigNode::Entry& entry) { return entry.key == "<<"; });
  if (merge == map.entries.end()) return;
  const ConfigNode from = merge->value;
  map.entries.erase(merge);
  for (const ConfigNode& base : from.is_list() ? from.items : std::vector<ConfigNode>{from}) {
    if (!base.is_map())
      problems.add(from.location, fmt::format("<<: expected an alias of a mapping, found {}", base.shown()));
    for (const ConfigNode::Entry& entry : base.entries)
      if (map.find(entry.key) == nullptr) map.entries.push_back(entry);
  }
}

/// Copies what yaml-cpp has read. Aliases are written out, of themselves too, so that the copy has limits.
class Converter {
 public:
  Converter(const std::string& file, Problems& problems) : file_(file), problems_(problems) {}

  ConfigNode convert(const YAML::Node& node, int depth = 0) {
    ConfigNode result;
    result.location = location_of(node.Mark(), file_);
    if (depth > deepest_nesting || values_ == most_values) {
      if (!too_large_)
        problems_.add(result.location,
                      depth > deepest_nesting
                          ? fmt::format("nested more than {} levels deep", deepest_nesting)
                          : fmt::format("more than {} values; does an alias contain itself?", most_values));
      too_large_ = true;
    }
    if (too_large_) return result;
    ++values_;
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        result.kind = ConfigNode::Kind::scalar;
        result.text = node.Scalar();
        break;
      case YAML::NodeType::Sequence:
        result.kind = ConfigNode::Kind::list;
        for (const auto& item : node) result.items.push_back(convert(item, depth + 1));
        break;
      case YAML::NodeType::Map:
        result.kind = ConfigNode::Kind::map;
        for (const auto& entry : node) add_entry(entry.first, entry.second, depth, result);
        merge_entries(result, problems_);
        break;
    }
    return result;
  }

 private:
  static constexpr std::size_t most_values = 1000000;

  void add_entry(const YAML::Node& key, const YAML::Node& value, int depth, ConfigNode& map) {
    const Location where = location_of(key.Mark(), file_);
    if (!key.IsScalar())
      problems_.add(where, "a key must be a word");
    else if (map.find(key.Scalar()) != nullptr)
      problems_.add(where, fmt::format("'{}' is given twice; keep one of them", key.Scalar()));
    else
      map.entries.push_back({key.Scalar(), where, convert(value, depth + 1)});
  }

  const std::string& file_;
  Problems& problems_;
  std::size_t values_ = 0;
  bool too_large_ = false;
};

/// The item of a list that `name` means: a word, the one key of a mapping, or the id inside it.
ConfigNode* find_item(ConfigNode& list, const std::string& name, std::vector<std::string>& known) {
  for (ConfigNode& item : list.items) {
    if (item.is_scalar()) {
      known.push_back(item.text);
      if (item.text == name) return &item;
    }
    if (!item.is_map() || item.entries.size() != 1) continue;
    ConfigNode::Entry& entry = item.entries[0];
    const ConfigNode* id = entry.value.find("id");
    const std::string& called = id != nullptr && id->is_scalar() ? id->text : entry.key;
    known.push_back(called);
    if (called == name || entry.key == name) return &item;
  }
  return nullptr;
}

/// An item of a list in the form `- name: {…}`: the part in braces, made if the item is a word only.
ConfigNode* inside_item(ConfigNode& item) {
  if (item.is_scalar()) {
    ConfigNode::Entry entry{item.text, item.location,
                            ConfigNode{ConfigNode::Kind::map, item.location, {}, {}, {}}};
    item = ConfigNode{ConfigNode::Kind::map, item.location, {}, {}, {std::move(entry)}};
  }
  return &item.entries[0].value;
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigNode*>(
      std::as_const(*this).find(key));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string ConfigNode::shown() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return fmt::format("'{}'", text);
    case Kind::list:
      return items.empty() ? "an empty list" : "a list";
    case Kind::map:
      return "a mapping";
  }
  return "";
}

ConfigNode parse_config_text(const std::string& text, const std::string& file, Problems& problems) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      problems.add(location_of(documents[1].Mark(), file),
                   "a second YAML document begins here; an experiment is one");
    return Converter(file, problems).convert(documents.empty() ? YAML::Node() : documents[0]);
  } catch (const YAML::Exception& exception) {
    problems.add(location_of(exception.mark, file), fmt::format("not valid YAML: {}", exception.msg));
    return {};
  }
}

ConfigNode read_config_file(const std::filesystem::path& path, Problems& problems) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    throw Error(ErrorKind::config,
                fmt::format("'{}' is a folder; give the YAML file of an experiment", path.string()));
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw Error(ErrorKind::config,
                fmt::format("cannot read config '{}': no such file or no permission", path.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return with_includes(parse_config_text(text.str(), path.string(), problems), problems);
}

namespace {

/// What `over` does not say is as in `base`; mappings are put together, anything else is replaced as a whole.
ConfigNode overlaid(ConfigNode base, const ConfigNode& over) {
  if (!base.is_map() || !over.is_map()) return over;
  for (const ConfigNode::Entry& entry : over.entries) {
    ConfigNode* below = base.find(entry.key);
    if (below != nullptr)
      *below = overlaid(std::move(*below), entry.value);
    else
      base.entries.push_back(entry);
  }
  base.location = over.location;
  return base;
}

ConfigNode include_into(ConfigNode root, std::vector<std::filesystem::path> stack, Problems& problems) {
  const ConfigNode* found = root.is_map() ? root.find("include") : nullptr;
  if (found == nullptr) return root;
  const ConfigNode include = *found;
  std::erase_if(root.entries, [](const ConfigNode::Entry& entry) { return entry.key == "include"; });
  ConfigNode base;
  base.kind = ConfigNode::Kind::map;
  for (const ConfigNode& name : include.is_list() ? include.items : std::vector<ConfigNode>{include}) {
    if (!name.is_scalar()) {
      problems.add(name.location,
                   fmt::format("include: expected the name of a file, found {}", name.shown()));
      continue;
    }
    const std::filesystem::path path = std::filesystem::path(name.location.file).parent_path() / name.text;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path);
    if (std::find(stack.begin(), stack.end(), whole) != stack.end()) {
      problems.add(name.location, fmt::format("include: '{}' includes itself", path.string()));
      continue;
    }
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (std::filesystem::is_directory(whole) || !stream) {
      problems.add(name.location,
                   fmt::format("include: cannot read '{}': {}", path.string(),
                               std::filesystem::is_directory(whole) ? "it is a folder; name the file"
                                                                    : "no such file or no permission"));
      continue;
    }
    std::vector<std::filesystem::path> below = stack;
    below.push_back(whole);
    base = overlaid(std::move(base),
                    include_into(parse_config_text(text.str(), path.string(), problems), below, problems));
  }
  return overlaid(std::move(base), root);
}

}  // namespace

ConfigNode with_includes(ConfigNode root, Problems& problems) {
  const std::filesystem::path self = std::filesystem::weakly_canonical(root.location.file);
  return include_into(std::move(root), {self}, problems);
}

void apply_setting(ConfigNode& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("--set {}: {}", setting, why));
  };
  if (equals == std::string::npos || equals == 0) fail("expected path=value, such as protocol.repeats=5");
  Problems problems;
  ConfigNode value =
      parse_config_text(setting.substr(equals + 1), "--set " + setting.substr(0, equals), problems);
  if (!problems.empty()) fail("the value is not valid YAML");

  ConfigNode* node = &root;
  std::istringstream path(setting.substr(0, equals));
  std::string step;
  std::vector<std::string> steps;
  while (std::getline(path, step, '.')) steps.push_back(step);
  if (steps[0] == "include") fail("files are included by a config only; write 'include' there");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (node->is_list()) {
      std::vector<std::string> known;
      ConfigNode* item = find_item(*node, steps[i], known);
      if (item == nullptr)
        fail(fmt::format("nothing is called '{}' there{}", steps[i], did_you_mean(steps[i], known)));
      node = inside_item(*item);
      continue;
    }
    if (node->kind == ConfigNode::Kind::null) node->kind = ConfigNode::Kind::map;
    if (!node->is_map()) fail(fmt::format("'{}' is not inside a mapping or a list", steps[i]));
    ConfigNode* child = node->find(steps[i]);
    if (child == nullptr) {
      node->entries.push_back({steps[i], value.location, {}});
      child = &node->entries.back().value;
    }
    node = child;
  }
  *node = std::move(value);
}

}  // namespace coppice

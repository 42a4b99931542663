#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "experiments/config/problems.h"

namespace coppice {

/// A piece of a config text that knows where it stands. Scalars are kept as the text they were written as:
/// what they mean is decided by whoever asks for them.
struct ConfigNode {
  enum class Kind { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  Location location;
  std::string text;               ///< of a scalar
  std::vector<ConfigNode> items;  ///< of a list
  std::vector<Entry> entries;     ///< of a map, in the order of the file

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  /// The value of a key of a map, or null.
  const ConfigNode* find(std::string_view key) const;
  ConfigNode* find(std::string_view key);
  /// `a list`, `a mapping`, `'text'`: what stands here, for messages.
  std::string shown() const;
};

struct ConfigNode::Entry {
  std::string key;
  Location location;
  ConfigNode value;
};

/// Parses YAML text; `file` stands in locations. A syntax error or a repeated key is added to `problems`.
ConfigNode parse_config_text(const std::string& text, const std::string& file, Problems& problems);

/// `include: base.yaml`, or a list of files: what they say holds unless it is said here. Mappings are put
/// together, lists and words replaced. Names of files are relative to the file that includes them.
ConfigNode with_includes(ConfigNode root, Problems& problems);

/// Reads and parses a file with what it includes; a file that cannot be read is an Error(config).
ConfigNode read_config_file(const std::filesystem::path& path, Problems& problems);

/// Applies `path=value` to a config: `seed=3`, `protocol.repeats=5`, `algorithms.RF.trees=10`. Items of a
/// list are named by their key or their id; the value is YAML. Throws Error(usage).
void apply_setting(ConfigNode& root, const std::string& setting);

}  // namespace coppice

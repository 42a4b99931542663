#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/readers/arff_header.h"
#include "core/data/readers/parts.h"

namespace coppice {

/// The hierarchy of a Clus `hierarchical` attribute. A tree lists its nodes as paths (`01/03/02`); a directed
/// acyclic graph lists edges `parent/child`, and the parent `root` is no node. Every node is a label.
class Hierarchy {
 public:
  /// Told apart by an edge from `root` unless the caller knows. Throws Error(data) on cycles and malformed
  /// items.
  Hierarchy(const ArffAttribute& attribute, const Location& place, std::optional<bool> directed_graph);

  const std::vector<std::string>& names() const { return names_; }
  bool directed_graph() const { return directed_graph_; }
  std::optional<std::uint32_t> find(std::string_view node) const { return table_.find(node); }
  /// All nodes above this one, in no particular order.
  const std::vector<std::uint32_t>& ancestors(std::uint32_t node) const { return ancestors_[node]; }

 private:
  void add_path(std::string_view path, const Location& place);
  void add_edge(std::string_view edge, const Location& place);
  std::uint32_t node(std::string_view name);
  void close(const Location& place);

  bool directed_graph_ = false;
  NameTable table_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::vector<std::vector<std::uint32_t>> ancestors_;
};

}  // namespace coppice

#include "core/data/readers/hierarchy.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice {

namespace {
constexpr std::string_view root = "root";
constexpr std::size_t most_ancestors = std::size_t{1}
                                       << 26;  // of all nodes together; far beyond any real hierarchy
}  // namespace

Hierarchy::Hierarchy(const ArffAttribute& attribute, const Location& place,
                     std::optional<bool> directed_graph) {
  directed_graph_ =
      directed_graph.value_or(std::any_of(attribute.values.begin(), attribute.values.end(),
                                          [](const std::string& item) { return item.starts_with("root/"); }));
  for (const std::string& item : attribute.values) {
    if (directed_graph_)
      add_edge(item, place);
    else
      add_path(item, place);
  }
  close(place);
}

std::uint32_t Hierarchy::node(std::string_view name) {
  if (const auto found = table_.find(name)) return *found;
  const auto position = static_cast<std::uint32_t>(names_.size());
  table_.add(name, position);
  names_.emplace_back(name);
  parents_.emplace_back();
  return position;
}

void Hierarchy::add_path(std::string_view path, const Location& place) {
  std::optional<std::uint32_t> parent;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = path.find('/', end + (parent ? 1 : 0));
    if (end == 0 || path.back() == '/' || (end != std::string_view::npos && path[end + 1] == '/'))
      throw Error(ErrorKind::data, fmt::format("malformed path '{}' in the hierarchy", excerpt(path)), place);
    const std::uint32_t current = node(path.substr(0, end));
    if (parent) parents_[current] = {*parent};
    parent = current;
  }
}

void Hierarchy::add_edge(std::string_view edge, const Location& place) {
  const std::size_t slash = edge.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == edge.size() ||
      edge.find('/', slash + 1) != std::string_view::npos)
    throw Error(ErrorKind::data,
                fmt::format("expected parent/child in the hierarchy, found '{}'", excerpt(edge)), place);
  const std::string_view parent = edge.substr(0, slash);
  const std::uint32_t child = node(edge.substr(slash + 1));
  if (parent == root) return;
  const std::uint32_t above = node(parent);  // before parents_[child]: adding a node may move them all
  parents_[child].push_back(above);
}

/// Ancestors of every node, in an order in which parents come first.
void Hierarchy::close(const Location& place) {
  ancestors_.resize(names_.size());
  std::vector<std::vector<std::uint32_t>> children(names_.size());
  std::vector<std::size_t> waiting(names_.size(), 0);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t child = 0; child < names_.size(); ++child) {
    for (const std::uint32_t parent : parents_[child]) children[parent].push_back(child);
    waiting[child] = parents_[child].size();
    if (waiting[child] == 0) ready.push_back(child);
  }
  std::size_t done = 0;
  std::size_t total = 0;
  for (; done < ready.size(); ++done) {
    const std::uint32_t current = ready[done];
    std::vector<std::uint32_t>& above = ancestors_[current];
    for (const std::uint32_t parent : parents_[current]) {
      above.push_back(parent);
      above.insert(above.end(), ancestors_[parent].begin(), ancestors_[parent].end());
    }
    std::sort(above.begin(), above.end());
    above.erase(std::unique(above.begin(), above.end()), above.end());
    total += above.size();
    if (total > most_ancestors) throw Error(ErrorKind::data, "the hierarchy is too deep", place);
    for (const std::uint32_t child : children[current])
      if (--waiting[child] == 0) ready.push_back(child);
  }
  if (done == names_.size()) return;
  const auto stuck = static_cast<std::size_t>(
      std::find_if(waiting.begin(), waiting.end(), [](std::size_t count) { return count > 0; }) -
      waiting.begin());
  throw Error(ErrorKind::data,
              fmt::format("the hierarchy goes round in circles at '{}'", excerpt(names_[stuck])), place);
}

}  // namespace coppice

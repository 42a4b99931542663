#include "experiments/config/problems.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace coppice {

void Problems::add(Location location, std::string message) {
  problems_.push_back({std::move(location), std::move(message)});
}

void Problems::rename_file(const std::string& from, const std::string& to) {
  for (Problem& problem : problems_)
    if (problem.location.file == from) problem.location.file = to;
}

std::string Problems::text() const {
  std::vector<const Problem*> ordered;
  for (const Problem& problem : problems_) ordered.push_back(&problem);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Problem* a, const Problem* b) {
    return std::tie(a->location.file, a->location.line, a->location.column) <
           std::tie(b->location.file, b->location.line, b->location.column);
  });
  std::string text;
  for (const Problem* problem : ordered) {
    const std::string where = problem->location.text();
    text += where.empty() ? problem->message : fmt::format("{}: {}", where, problem->message);
    text += '\n';
  }
  return text;
}

void Problems::raise() const {
  if (empty()) return;
  throw Error(ErrorKind::config,
              fmt::format("{}{} problem{}; nothing was run.", text(), count(), count() == 1 ? "" : "s"));
}

void Problems::raise(ErrorKind kind) const {
  if (empty()) return;
  std::string message = text();
  message.pop_back();  // the line's end
  throw Error(kind, message);
}

}  // namespace coppice

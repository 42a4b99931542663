#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace coppice {

/// Collects everything that is wrong with a config, so that the user sees all of it at once.
class Problems {
 public:
  void add(Location location, std::string message);
  bool empty() const { return problems_.empty(); }
  std::size_t count() const { return problems_.size(); }
  /// Says of those in one file that they are in another.
  void rename_file(const std::string& from, const std::string& to);
  /// In the order of the file: `file:line:column: message`, one line each.
  std::string text() const;
  /// Throws Error(config) with all of them, if there is any.
  void raise() const;
  /// Throws an error of that kind with nothing but the problems, if there is any: for what stands on the
  /// command line.
  void raise(ErrorKind kind) const;

 private:
  struct Problem {
    Location location;
    std::string message;
  };
  std::vector<Problem> problems_;
};

}  // namespace coppice

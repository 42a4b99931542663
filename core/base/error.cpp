#include "core/base/error.h"

#include <fmt/format.h>

namespace coppice {

std::string Location::text() const {
  if (line == 0) return file;
  if (column == 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

Error::Error(ErrorKind kind, const std::string& message, Location location)
    : std::runtime_error(location.file.empty() ? message : location.text() + ": " + message),
      kind_(kind),
      location_(std::move(location)),
      message_(message) {}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::config:
    case ErrorKind::data:
    case ErrorKind::model:
      return 2;
    case ErrorKind::input_output:
    case ErrorKind::fit:
      return 1;
    case ErrorKind::interrupted:
      return 130;
  }
  return 1;
}

}  // namespace coppice

#pragma once

#include <stdexcept>
#include <string>

namespace coppice {

/// What kind of thing went wrong; decides the exit code of the command line.
enum class ErrorKind {
  usage,         ///< a wrong command line
  config,        ///< a wrong experiment file
  data,          ///< a dataset that cannot be read or does not fit
  model,         ///< a model file that cannot be used
  input_output,  ///< the file system refused: disk full, no permission
  fit,           ///< an algorithm could not be fitted or applied to this data
  interrupted,   ///< the user asked to stop
};

/// Where in a text file something is; line and column count from 1, 0 means "unknown".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  /// `file:line:column`, leaving out what is unknown.
  std::string text() const;
};

/// The one exception type of coppice: a message that says what, why and what to do, and the place it is
/// about.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, Location location = {});

  ErrorKind kind() const { return kind_; }
  const Location& location() const { return location_; }
  /// The message without its location.
  const std::string& message() const { return message_; }

 private:
  ErrorKind kind_;
  Location location_;
  std::string message_;
};

/// 2 for what the user can correct before anything runs, 1 for a failure under way, 130 for an interruption.
int exit_code(ErrorKind kind);

}  // namespace coppice

#pragma once

#include <optional>
#include <string_view>

namespace coppice {

/// What is to be predicted for a row.
enum class Task {
  multilabel,  ///< a set of labels, any number of the d
  multiclass,  ///< exactly one of d classes (two classes: binary); stored as label sets of one label
  regression,  ///< d real numbers
};

/// `multi-label`, `multi-class`, `regression`.
std::string_view task_name(Task task);
std::optional<Task> parse_task(std::string_view name);

inline bool has_labels(Task task) {
  return task != Task::regression;
}

}  // namespace coppice

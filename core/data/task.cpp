#include "core/data/task.h"

#include <array>

namespace coppice {

namespace {
constexpr std::array<Task, 3> tasks{Task::multilabel, Task::multiclass, Task::regression};
}

std::string_view task_name(Task task) {
  switch (task) {
    case Task::multilabel:
      return "multi-label";
    case Task::multiclass:
      return "multi-class";
    case Task::regression:
      return "regression";
  }
  return "";
}

std::optional<Task> parse_task(std::string_view name) {
  for (const Task task : tasks)
    if (task_name(task) == name) return task;
  return std::nullopt;
}

}  // namespace coppice

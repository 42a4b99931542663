#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace coppice {

/// The numbers of stages that time budgets came to. Times differ from run to run: what was measured once is
/// kept with the results, so that they can be had again.
class StageBudgets {
 public:
  StageBudgets() = default;
  /// Those of a file; one that does not exist has none. Throws Error(input_output).
  static StageBudgets read(const std::filesystem::path& path);
  void write(const std::filesystem::path& path) const;

  /// The stages of what `key` stands for; measured if they are not known.
  double stages(const std::string& key, const std::function<double()>& measure);
  bool empty() const { return stages_.empty(); }

 private:
  std::map<std::string, double> stages_;
};

}  // namespace coppice

#include "experiments/export/tidy.h"

#include <array>

#include "experiments/tables/csv.h"

namespace coppice {

std::string algorithms_csv(const ResultSet& results) {
  std::string text = "algorithm,id,parameter,value\n";
  for (const std::string& name : results.algorithms) {
    const AlgorithmDetail* detail = results.algorithm_detail(name);
    const std::string id = detail == nullptr ? name : detail->id;
    if (detail == nullptr || detail->swept.empty())
      text += csv_line(std::array<std::string, 4>{name, id, "", ""});
    else
      for (const auto& [parameter, value] : detail->swept)
        text += csv_line(std::array<std::string, 4>{name, id, parameter, value});
  }
  return text;
}

}  // namespace coppice

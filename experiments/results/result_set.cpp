#include "experiments/results/result_set.h"

#include <algorithm>

namespace coppice {

namespace {

template <typename Detail>
const Detail* find_detail(const std::vector<Detail>& details, const std::string& name) {
  const auto found =
      std::find_if(details.begin(), details.end(), [&](const Detail& detail) { return detail.name == name; });
  return found == details.end() ? nullptr : &*found;
}

}  // namespace

const DatasetDetail* ResultSet::dataset_detail(const std::string& name) const {
  return find_detail(dataset_details, name);
}

const AlgorithmDetail* ResultSet::algorithm_detail(const std::string& name) const {
  return find_detail(algorithm_details, name);
}

}  // namespace coppice

#pragma once

#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/tree/tree_assembly.h"

namespace coppice::testing {

/// Twelve rows with two inputs and two outputs.
inline std::shared_ptr<const Dataset> twelve_rows() {
  Features features(12);
  features.add_dense("a", std::vector<float>{0.05F, 0.15F, 0.25F, 0.35F, 0.45F, 0.55F, 0.65F, 0.75F, 0.85F,
                                             0.95F, 0.5F, 0.6F});
  features.add_dense(
      "b", std::vector<float>{0.9F, 0.1F, 0.8F, 0.2F, 0.7F, 0.3F, 0.6F, 0.4F, 0.5F, 0.05F, 0.95F, 0.15F});
  const std::vector<double> first{1.2, -0.3, 0.8, 2.5, -1.1, 0.4, 3.3, -2.2, 1.9, 0.1, -0.7, 2.8};
  const std::vector<double> second{0.3, 1.1, -0.4, 0.9, 2.1, -1.3, 0.2, 0.7, -0.8, 1.6, 0.5, -0.1};
  std::vector<double> values;
  for (std::size_t i = 0; i < 12; ++i) values.insert(values.end(), {first[i], second[i]});
  return std::make_shared<const Dataset>("twelve", std::move(features), RealTargets(2, values));
}

/// Two trees of nine nodes each on those inputs.
inline TreeSet two_trees() {
  std::vector<GrownTree> trees;
  TreeAssembly first;
  first.add_test({0, 0.4F});
  first.add_test({1, 0.52F});
  first.add_leaf();
  first.add_leaf();
  first.add_test({0, 0.7F});
  first.add_test({1, 0.25F});
  first.add_leaf();
  first.add_leaf();
  first.add_leaf();
  trees.push_back(first.finish());
  TreeAssembly second;
  second.add_test({1, 0.45F});
  second.add_test({0, 0.58F});
  second.add_leaf();
  second.add_leaf();
  second.add_test({1, 0.75F});
  second.add_leaf();
  second.add_test({0, 0.3F});
  second.add_leaf();
  second.add_leaf();
  trees.push_back(second.finish());
  return TreeSet(trees);
}

}  // namespace coppice::testing

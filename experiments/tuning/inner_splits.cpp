#include "experiments/tuning/inner_splits.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/data/splits/splits.h"
#include "core/data/splits/stratified.h"

namespace coppice {

namespace {

/// What must stay together, for every position of the part; empty where rows are on their own.
std::vector<std::uint32_t> groups_of(const Dataset& dataset, std::span<const std::uint32_t> train) {
  std::vector<std::uint32_t> groups;
  if (!dataset.groups().empty()) {
    for (const std::uint32_t row : train) groups.push_back(dataset.groups()[row]);
    return groups;
  }
  std::vector<std::uint32_t> sorted(train.begin(), train.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return groups;
  return {train.begin(), train.end()};
}

std::vector<Split> cut(const Selection& selection, const Dataset& dataset,
                       std::span<const std::uint32_t> train, const std::vector<std::uint32_t>& groups,
                       const Stream& stream) {
  const auto folds = static_cast<std::size_t>(selection.folds);
  if (selection.stratify) {
    if (!has_labels(dataset.task()))
      throw Error(ErrorKind::data, "select: stratify: real targets have no labels to stratify by");
    if (!groups.empty())
      throw Error(ErrorKind::data, "select: stratify: rows of a group cannot be kept together as well");
    const LabelSets labels = select_rows(dataset.labels(), train);
    return selection.kfold ? stratified_k_fold(labels, folds, stream)
                           : std::vector<Split>{stratified_holdout(labels, selection.fraction, stream)};
  }
  if (selection.kfold)
    return groups.empty() ? k_fold(train.size(), folds, stream) : group_k_fold(groups, folds, stream);
  return {groups.empty() ? holdout(train.size(), selection.fraction, stream)
                         : group_holdout(groups, selection.fraction, stream)};
}

}  // namespace

std::vector<Split> inner_splits(const Selection& selection, const Dataset& dataset,
                                std::span<const std::uint32_t> train, const Stream& stream) {
  const std::vector<std::uint32_t> groups = groups_of(dataset, train);
  std::vector<Split> splits;
  for (int repeat = 0; repeat < selection.repeats; ++repeat)
    for (const Split& positions :
         cut(selection, dataset, train, groups, stream.at("repeat", static_cast<std::uint64_t>(repeat))))
      splits.push_back(within(positions, train));
  return splits;
}

Stream selection_stream(std::uint64_t seed, int repeat, int fold, const Dataset& dataset) {
  return Stream(seed)
      .at("repeat", static_cast<std::uint64_t>(repeat))
      .at("fold", static_cast<std::uint64_t>(fold))
      .at("select")
      .at("dataset", dataset.fingerprint().low);
}

}  // namespace coppice

#include "experiments/plan/splits.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/data/splits/split_file.h"
#include "core/data/splits/splits.h"
#include "core/data/splits/stratified.h"

namespace coppice {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::data, reason);
}

const Split& given_split_of(const Dataset& dataset) {
  if (!dataset.given_split())
    refuse("it has no given split; use 'protocol: {test: {holdout: 0.33}}' or {kfold: 10}");
  return *dataset.given_split();
}

Split redraw(const Dataset& dataset, const Stream& stream) {
  const Split& given = given_split_of(dataset);
  if (!dataset.groups().empty())
    refuse("test: redrawn keeps the sizes of the given split, which whole groups cannot; use holdout");
  Rows rows = given.train;
  rows.insert(rows.end(), given.test.begin(), given.test.end());
  std::sort(rows.begin(), rows.end());
  return within(random_split(rows.size(), given.train.size(), given.test.size(), stream), rows);
}

void require_labels(const Dataset& dataset) {
  if (!has_labels(dataset.task())) refuse("stratify: real targets have no labels to stratify by");
  if (!dataset.groups().empty()) refuse("stratify: rows of a group cannot be kept together as well");
}

Split hold_out(const Protocol& protocol, const Dataset& dataset, const Stream& stream) {
  if (protocol.stratify) {
    require_labels(dataset);
    return stratified_holdout(dataset.labels(), protocol.test_fraction, stream);
  }
  return dataset.groups().empty() ? holdout(dataset.rows(), protocol.test_fraction, stream)
                                  : group_holdout(dataset.groups(), protocol.test_fraction, stream);
}

std::vector<Split> folds_of(const Protocol& protocol, const Dataset& dataset, const Stream& stream) {
  const auto folds = static_cast<std::size_t>(protocol.folds);
  if (protocol.stratify) {
    require_labels(dataset);
    return stratified_k_fold(dataset.labels(), folds, stream);
  }
  return dataset.groups().empty() ? k_fold(dataset.rows(), folds, stream)
                                  : group_k_fold(dataset.groups(), folds, stream);
}

/// The file that holds the splits of a dataset in a repeat.
std::filesystem::path split_file(const Protocol& protocol, const std::string& name, int repeat) {
  std::string file = protocol.file;
  for (const auto& [mark, value] :
       {std::pair<std::string, std::string>{"{dataset}", name}, {"{repeat}", std::to_string(repeat)}})
    for (std::size_t at = file.find(mark); at != std::string::npos; at = file.find(mark, at + value.size()))
      file.replace(at, mark.size(), value);
  return std::filesystem::path(protocol.location.file).parent_path() / file;
}

}  // namespace

Splits::Splits(const Protocol& protocol, const std::string& name, const Dataset& dataset, std::uint64_t seed,
               int repeat)
    : test_(protocol.test),
      stream_(Stream(seed)
                  .at("repeat", static_cast<std::uint64_t>(repeat))
                  .at("split")
                  .at("dataset", dataset.fingerprint().low)),
      rows_(dataset.rows()),
      groups_(dataset.groups()) {
  switch (test_) {
    case Protocol::Test::given:
      keep({given_split_of(dataset)});
      break;
    case Protocol::Test::redrawn:
      keep({redraw(dataset, stream_)});
      break;
    case Protocol::Test::holdout:
      keep({hold_out(protocol, dataset, stream_)});
      break;
    case Protocol::Test::kfold: {
      const auto splits = folds_of(protocol, dataset, stream_);
      part_of_row_.resize(rows_);
      for (std::uint32_t fold = 0; fold < splits.size(); ++fold)
        for (const std::uint32_t row : splits[fold].test) part_of_row_[row] = fold;
      count_ = splits.size();
      break;
    }
    case Protocol::Test::leave_one_out:
      count_ = groups_.empty() ? rows_ : group_count(groups_);
      break;
    case Protocol::Test::bootstrap:
      count_ = static_cast<std::size_t>(protocol.folds);
      break;
    case Protocol::Test::folds:
      keep(read_splits({split_file(protocol, name, repeat), std::nullopt}, rows_));
      break;
  }
}

void Splits::keep(std::vector<Split> splits) {
  splits_ = std::move(splits);
  count_ = splits_.size();
}

Split Splits::operator[](std::size_t index) const {
  switch (test_) {
    case Protocol::Test::kfold: {
      Split split;
      for (std::uint32_t row = 0; row < part_of_row_.size(); ++row)
        (part_of_row_[row] == index ? split.test : split.train).push_back(row);
      return split;
    }
    case Protocol::Test::leave_one_out:
      return groups_.empty() ? leave_one_out(rows_, index) : leave_one_group_out(groups_, index);
    case Protocol::Test::bootstrap: {
      const Stream stream = stream_.at("sample", index);
      return groups_.empty() ? bootstrap(rows_, stream) : group_bootstrap(groups_, stream);
    }
    case Protocol::Test::given:
    case Protocol::Test::redrawn:
    case Protocol::Test::holdout:
    case Protocol::Test::folds:
      break;
  }
  return splits_[index];
}

std::vector<Split> Splits::all() const {
  std::vector<Split> splits;
  for (std::size_t i = 0; i < count_; ++i) splits.push_back((*this)[i]);
  return splits;
}

std::shared_ptr<const Splits> SplitPool::get(const std::string& name, const Dataset& dataset, int repeat) {
  const std::scoped_lock lock(mutex_);
  for (const Kept& kept : kept_)
    if (kept.name == name && kept.repeat == repeat && kept.dataset == dataset.fingerprint())
      return kept.splits;
  auto splits = std::make_shared<const Splits>(protocol_, name, dataset, seed_, repeat);
  kept_.push_back({name, repeat, dataset.fingerprint(), splits});
  if (kept_.size() > most_kept) kept_.pop_front();
  return splits;
}

}  // namespace coppice

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "experiments/config/protocols.h"

namespace coppice {

/// The splits that a protocol makes of a dataset in one repeat. The same for all algorithms of an experiment:
/// drawn from the seed, the repeat and the content of the data, so that neither its name nor its place in a
/// list matters.
class Splits {
 public:
  /// `name` is what the dataset is called in the config. Throws Error(data) if the data cannot be split like
  /// that: no given split, too few rows, no labels to stratify by, a file of splits that is not one.
  Splits(const Protocol& protocol, const std::string& name, const Dataset& dataset, std::uint64_t seed,
         int repeat);

  std::size_t count() const { return count_; }
  Split operator[](std::size_t index) const;
  /// All of them; with leave-one-out that is as many as rows.
  std::vector<Split> all() const;

 private:
  void keep(std::vector<Split> splits);

  Protocol::Test test_;
  Stream stream_;
  std::size_t count_ = 0;
  std::size_t rows_;
  std::vector<std::uint32_t> groups_;       ///< of the dataset, or empty
  std::vector<std::uint32_t> part_of_row_;  ///< of cross-validation: the fold that tests on each row
  std::vector<Split> splits_;               ///< of what is not made when asked for
};

/// Splits are asked for once for every fit: the last ones are kept. Thread-safe.
class SplitPool {
 public:
  SplitPool(Protocol protocol, std::uint64_t seed) : protocol_(std::move(protocol)), seed_(seed) {}

  std::shared_ptr<const Splits> get(const std::string& name, const Dataset& dataset, int repeat);

 private:
  struct Kept {
    std::string name;
    int repeat;
    Fingerprint dataset;
    std::shared_ptr<const Splits> splits;
  };
  static constexpr std::size_t most_kept = 64;

  Protocol protocol_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::deque<Kept> kept_;
};

}  // namespace coppice

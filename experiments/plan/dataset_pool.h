#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "experiments/data/source.h"

namespace coppice {

/// The datasets of an experiment, each loaded once and shared by all trials. Data is dropped
/// when its last fit is over; it is loaded again when somebody asks.
class DatasetPool {
 public:
  DatasetPool(std::vector<std::unique_ptr<DatasetSource>> sources, std::uint64_t seed, int repeats);

  std::size_t dataset_count() const { return sources_.size(); }
  const DatasetSource& source(std::size_t dataset) const { return *sources_[dataset]; }
  /// The randomness of a dataset's data in a repeat.
  Stream stream(int repeat) const;
  /// Thread-safe. The same object for all repeats unless the source draws afresh.
  std::shared_ptr<const Dataset> get(std::size_t dataset, int repeat);
  /// The same with categorical columns one-hot encoded; the dataset itself if it has none.
  std::shared_ptr<const Dataset> get_encoded(std::size_t dataset, int repeat);
  /// Announces a fit that will ask for the data, and that it is over.
  void expect_use(std::size_t dataset, int repeat);
  void finish_use(std::size_t dataset, int repeat);

 private:
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const Dataset> data;
    std::shared_ptr<const Dataset> encoded;
    std::size_t uses = 0;
  };
  /// With the slot's mutex held.
  void load(Slot& place, std::size_t dataset, int repeat) const;
  Slot& slot(std::size_t dataset, int repeat) const;

  std::vector<std::unique_ptr<DatasetSource>> sources_;
  std::uint64_t seed_;
  std::vector<std::vector<std::unique_ptr<Slot>>> slots_;
};

}  // namespace coppice

#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "core/data/dataset.h"

namespace coppice {

/// What was derived from datasets: made on first use and kept as long as the dataset lives.
template <typename Value>
class DatasetCache {
 public:
  /// What make() gives, a shared pointer to a constant Value; others who ask meanwhile wait.
  template <typename Make>
  std::shared_ptr<const Value> get(const std::shared_ptr<const Dataset>& dataset, const Make& make) {
    const std::shared_ptr<Entry> entry = entry_of(dataset);
    std::call_once(entry->made, [&] { entry->value = make(); });
    return entry->value;
  }

 private:
  struct Entry {
    std::weak_ptr<const Dataset> dataset;
    std::once_flag made;
    std::shared_ptr<const Value> value;
  };

  std::shared_ptr<Entry> entry_of(const std::shared_ptr<const Dataset>& dataset) {
    const std::lock_guard lock(mutex_);
    entries_.remove_if([](const auto& entry) { return entry->dataset.expired(); });
    for (const auto& entry : entries_)
      if (entry->dataset.lock() == dataset) return entry;
    entries_.push_back(std::make_shared<Entry>());
    entries_.back()->dataset = dataset;
    return entries_.back();
  }

  std::mutex mutex_;
  std::list<std::shared_ptr<Entry>> entries_;
};

}  // namespace coppice

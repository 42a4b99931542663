#include "experiments/plan/dataset_pool.h"

#include "core/data/encode.h"

namespace coppice {

DatasetPool::DatasetPool(std::vector<std::unique_ptr<DatasetSource>> sources, std::uint64_t seed, int repeats)
    : sources_(std::move(sources)), seed_(seed), slots_(sources_.size()) {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    for (int repeat = 0; repeat < (sources_[i]->fresh_for_each_repeat() ? repeats : 1); ++repeat)
      slots_[i].push_back(std::make_unique<Slot>());
}

DatasetPool::Slot& DatasetPool::slot(std::size_t dataset, int repeat) const {
  const auto& of_dataset = slots_[dataset];
  return *of_dataset[of_dataset.size() == 1 ? 0 : static_cast<std::size_t>(repeat)];
}

void DatasetPool::load(Slot& place, std::size_t dataset, int repeat) const {
  if (place.data) return;
  place.data = sources_[dataset]->load(stream(repeat));
}

Stream DatasetPool::stream(int repeat) const {
  return Stream(seed_).at("repeat", static_cast<std::uint64_t>(repeat)).at("data");
}

std::shared_ptr<const Dataset> DatasetPool::get(std::size_t dataset, int repeat) {
  Slot& place = slot(dataset, repeat);
  const std::scoped_lock lock(place.mutex);
  load(place, dataset, repeat);
  return place.data;
}

std::shared_ptr<const Dataset> DatasetPool::get_encoded(std::size_t dataset, int repeat) {
  Slot& place = slot(dataset, repeat);
  const std::scoped_lock lock(place.mutex);
  load(place, dataset, repeat);
  if (!place.encoded)
    place.encoded = place.data->features().categorical_columns() == 0
                        ? place.data
                        : std::make_shared<const Dataset>(one_hot_encoded(*place.data));
  return place.encoded;
}

void DatasetPool::expect_use(std::size_t dataset, int repeat) {
  Slot& place = slot(dataset, repeat);
  const std::scoped_lock lock(place.mutex);
  ++place.uses;
}

void DatasetPool::finish_use(std::size_t dataset, int repeat) {
  Slot& place = slot(dataset, repeat);
  const std::scoped_lock lock(place.mutex);
  if (--place.uses > 0) return;
  place.data.reset();
  place.encoded.reset();
}

}  // namespace coppice

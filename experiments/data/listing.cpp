#include "experiments/data/listing.h"

#include <algorithm>

#include "core/data/generators/generator.h"
#include "experiments/data/catalogued.h"

namespace coppice {

namespace {

DatasetListing listing_of(const CatalogueEntry& entry, const DataPath& path) {
  DatasetListing listing;
  listing.name = entry.name;
  listing.task = entry.task;
  listing.domain = entry.domain;
  listing.shape = entry.shape;
  listing.present = listing.fetchable = !entry.files.empty();
  for (const auto& [part, file] : entry.files) {
    std::vector<std::filesystem::path> tried;
    listing.present = listing.present && locate_file(entry.name, file, path, tried).has_value();
    listing.fetchable = listing.fetchable && !file.address.empty();
  }
  return listing;
}

}  // namespace

std::vector<DatasetListing> list_datasets(const DataPath& path) {
  std::vector<DatasetListing> listings;
  for (const auto& generator : generators()) {
    const GeneratorDescription& description = generator->description();
    DatasetListing listing;
    listing.name = description.name;
    listing.generated = listing.present = true;
    listing.task = description.task;
    listing.domain = description.summary;
    listings.push_back(std::move(listing));
  }
  for (const std::string& name : catalogue_names())
    listings.push_back(listing_of(*find_in_catalogue(name), path));
  std::sort(listings.begin(), listings.end(),
            [](const DatasetListing& a, const DatasetListing& b) { return a.name < b.name; });
  return listings;
}

}  // namespace coppice

#include "experiments/data/files.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_name.h"
#include "experiments/data/cache.h"
#include "experiments/data/file_options.h"

namespace coppice {

namespace {

class ReadSource : public DatasetSource {
 public:
  explicit ReadSource(ReadOptions options) : options_(std::move(options)) {}

  const std::string& name() const override { return options_.name; }
  bool fresh_for_each_repeat() const override { return false; }

  std::shared_ptr<const Dataset> load(const Stream& /*repeat_stream*/) const override {
    const std::lock_guard lock(mutex_);
    if (auto held = dataset_.lock()) return held;
    ReadResult result = DatasetCache::standard().read(options_);
    notes_ = std::move(result.notes);
    auto dataset = std::make_shared<const Dataset>(std::move(result.dataset));
    dataset_ = dataset;
    return dataset;
  }

  std::vector<std::string> notes() const override {
    const std::lock_guard lock(mutex_);
    return notes_;
  }

 private:
  ReadOptions options_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const Dataset> dataset_;
  mutable std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<DatasetSource> make_read_source(ReadOptions options) {
  return std::make_unique<ReadSource>(std::move(options));
}

void require_known_options(const DatasetEntry& entry, const std::vector<std::string>& known,
                           Problems& problems) {
  for (const auto& [name, option] : entry.options)
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.add(option.location, fmt::format("dataset '{}' has no option '{}'{}", entry.name, name,
                                                did_you_mean(name, known)));
}

std::unique_ptr<DatasetSource> make_file_source(const DatasetEntry& entry, Problems& problems) {
  const std::size_t before = problems.count();
  std::vector<std::string> known = reading_options();
  known.insert(known.end(), file_options().begin(), file_options().end());
  std::sort(known.begin(), known.end());
  require_known_options(entry, known, problems);
  ReadOptions read;
  read.name = entry.name;
  apply_reading_options(entry.options, read, problems);
  apply_file_options(entry.options, std::filesystem::path(entry.location.file).parent_path(), read, problems);
  if (problems.count() > before) return nullptr;
  if (read.format.empty()) read.format = detect_format(read.train[0]);
  if (read.format.empty()) {
    problems.add(entry.options.at("file").location,
                 fmt::format("the format of '{}' cannot be told from its name; say 'format: …', one of {}",
                             read.train[0].path.string(), fmt::join(reader_formats(), ", ")));
    return nullptr;
  }
  return make_read_source(std::move(read));
}

}  // namespace coppice

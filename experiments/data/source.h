#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/data/prepare/prepare.h"
#include "experiments/config/problems.h"

namespace coppice {

/// An option of a dataset entry as written, with its place. Where a list was written `text` is empty and
/// `items` has its members.
struct DatasetOption {
  std::string text;
  Location location;
  std::vector<DatasetOption> items;
};

/// One item of the config's list of datasets: a catalogue name, a generator with its parameters, or a file.
/// With the option `generator: NAME` or `data: NAME` the entry's own name is free, so that one generator or
/// one dataset of the catalogue can serve several entries.
struct DatasetEntry {
  std::string name;
  Location location;
  std::map<std::string, DatasetOption> options;
};

/// Where data files are looked for, in this order.
struct DataPath {
  std::vector<std::filesystem::path> folders;

  /// `--data DIR` if given, then $COPPICE_DATA, then datasets/files in the project.
  static DataPath standard(const std::string& data_option);
};

/// A checked dataset entry that can be loaded.
class DatasetSource {
 public:
  virtual ~DatasetSource() = default;
  virtual const std::string& name() const = 0;
  /// Whether every repeat draws data of its own (a generator without a fixed seed).
  virtual bool fresh_for_each_repeat() const = 0;
  /// The dataset for a repeat; that of files is shared while somebody holds it. Throws Error(data).
  virtual std::shared_ptr<const Dataset> load(const Stream& repeat_stream) const = 0;
  /// The same rows with outputs free of noise, or null where nobody knows them.
  virtual std::shared_ptr<const Dataset> load_without_noise(const Stream& /*repeat_stream*/) const {
    return nullptr;
  }
  /// What the reader made up its mind about, worth telling the user; known once loaded.
  virtual std::vector<std::string> notes() const { return {}; }

  /// What the entry's `prepare` asks for, to be fitted on each training part (core/data/prepare).
  const std::vector<PrepareStep>& preparation() const { return preparation_; }
  void set_preparation(std::vector<PrepareStep> steps) { preparation_ = std::move(steps); }

  /// The name of the data where one dataset serves several entries: `data` of the entry, else its own name.
  const std::string& data_name() const { return data_name_; }
  void set_data_name(std::string name) { data_name_ = std::move(name); }

  /// How many rows the entry's `training_rows` leaves of a training part of this many; empty: all.
  std::optional<std::size_t> training_rows(std::size_t available) const;
  /// A number of rows, or below 1 a share of them.
  void set_training_rows(double amount) { training_rows_ = amount; }

 private:
  std::string data_name_;
  std::optional<double> training_rows_;
  std::vector<PrepareStep> preparation_;
};

/// What an entry takes its data from: a generator, a name of the catalogue, a file, or its own name.
std::string source_name(const DatasetEntry& entry);

/// An entry whose `training_rows` is a list as one entry for each of its values, `NAME training_rows=100` and
/// so on: the points of a learning curve.
std::vector<DatasetEntry> expand_training_rows(DatasetEntry entry);

/// Checks an entry without reading data; adds what is wrong to `problems` and returns null then. A missing
/// dataset names the paths tried and the nearest known names.
std::unique_ptr<DatasetSource> make_source(const DatasetEntry& entry, const DataPath& path,
                                           Problems& problems);

/// Whether an entry names a dataset of the catalogue that has no files on this machine.
bool is_absent(const DatasetEntry& entry, const DataPath& path);

/// Names that an entry may have without a file: catalogue and generators, sorted.
std::vector<std::string> known_dataset_names();

}  // namespace coppice

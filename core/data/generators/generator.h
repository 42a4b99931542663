#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/data/writers/writer.h"
#include "core/parameters/parameters.h"

namespace coppice {

/// What is known of a generator without running it.
struct GeneratorDescription {
  std::string name;
  std::string summary;    ///< one sentence
  std::string reference;  ///< paper and section
  Task task = Task::regression;
  /// Always with `train` and `test`, the sizes of its given split, and `seed`.
  std::vector<ParameterSpec> parameters;
};

/// Makes datasets out of random numbers.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual const GeneratorDescription& description() const = 0;

  /// What no single parameter's range can say (more labels asked per row than there are); throws
  /// Error(config).
  virtual void check(const Parameters& /*parameters*/) const {}

  /// The dataset has a given split: the first `train` rows and the `test` rows after them; no split where
  /// `test` is 0. The same stream gives the same data on every platform. Where `seed` is set the stream is
  /// not looked at.
  Dataset generate(const Parameters& parameters, const Stream& stream) const;
  /// Generates straight into files of that format; `extreme` does so row by row, so that its size is limited
  /// by the disk only. Throws Error(input_output), and Error(data) for what the format cannot hold.
  void generate_files(const Parameters& parameters, const Stream& stream, const WriteOptions& files) const;

 protected:
  virtual Dataset draw(const Parameters& parameters, const Stream& stream) const = 0;
  /// Writes without a dataset in memory; false if this generator or the format cannot.
  virtual bool stream_files(const Parameters& /*parameters*/, const Stream& /*stream*/,
                            const WriteOptions& /*files*/) const {
    return false;
  }

 private:
  Stream checked_stream(const Parameters& parameters, const Stream& stream) const;
};

/// All generators, sorted by name.
const std::vector<std::unique_ptr<Generator>>& generators();
/// Null if there is none of that name.
const Generator* find_generator(const std::string& name);

}  // namespace coppice

// Times the readers: readers_bench generate MEGABYTES FILE writes an extreme-text file of about that size;
// readers_bench read FORMAT FILE [LABELS.xml | TARGETS] reads one and prints CPU seconds, speed and peak
// memory as JSON. Files below 100 MB are read five times. Driven by readers.py beside this file, which
// compares with scikit-learn and scipy.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/data/generators/generator.h"
#include "core/data/readers/reader.h"
#include "experiments/data/cache.h"
#include "tests/bench/measure.h"

using namespace coppice;
using namespace coppice::bench;

namespace {

double matrix_bytes(const Dataset& dataset) {
  double bytes = 0.0;
  for (std::size_t j = 0; j < dataset.feature_count(); ++j) {
    const ColumnView column = dataset.features().column(j);
    bytes += static_cast<double>(column.values.size() * 4 + column.rows.size() * 4);
  }
  return bytes + 4.0 * static_cast<double>(dataset.labels().total()) +
         8.0 * static_cast<double>(dataset.rows()) +
         8.0 * static_cast<double>(dataset.targets().values().size());
}

void generate(double megabytes, const std::string& file) {
  const auto& description = find_generator("extreme")->description();
  // A row is about 1 kB of text.
  const RawParameters raw{{"train", fmt::format("{}", static_cast<long>(megabytes * 1000.0))},
                          {"test", "0"},
                          {"features", "200000"},
                          {"labels", "100000"}};
  find_generator("extreme")->generate_files(resolve(description.parameters, raw, description.task, {}),
                                            Stream(1), {"extreme-text", file, {}, {}});
}

ReadOptions options_for(const std::string& format, const std::string& file, const std::string& outputs) {
  ReadOptions options;
  options.name = "bench";
  options.format = format;
  options.train.push_back({file, std::nullopt});
  if (outputs.ends_with(".xml"))
    options.labels = InputFile{outputs, std::nullopt};
  else if (!outputs.empty())
    options.output_count = std::stoul(outputs);
  return options;
}

void read(const ReadOptions& options, int repeats) {
  // The best of several readings: the machine has other work. The peak is that of the first.
  double seconds = 1e300;
  double peak = 0.0;
  std::optional<ReadResult> result;
  for (int i = 0; i < repeats; ++i) {
    result.reset();
    const double start = cpu_seconds();
    result = read_dataset(options);
    seconds = std::min(seconds, cpu_seconds() - start);
    if (i == 0) peak = peak_bytes();
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(options.train[0].path));
  fmt::print(
      "{{\"cpu_seconds\": {:.4f}, \"megabytes_per_second\": {:.1f}, \"rows\": {}, \"peak_megabytes\": "
      "{:.1f}, "
      "\"matrix_megabytes\": {:.1f}, \"peak_over_matrix\": {:.3f}}}\n",
      seconds, bytes / seconds * 1e-6, result->dataset.rows(), peak * 1e-6,
      matrix_bytes(result->dataset) * 1e-6, peak / matrix_bytes(result->dataset));
}

/// Reads through the cache twice: what the second time costs, the fingerprint of the files included.
void read_cached(const ReadOptions& options) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("readers-bench-{}", getpid());
  const DatasetCache cache(folder);
  cache.read(options);
  double seconds = 1e300;
  for (int i = 0; i < 3; ++i) {
    const double start = cpu_seconds();
    cache.read(options);
    seconds = std::min(seconds, cpu_seconds() - start);
  }
  double bytes = static_cast<double>(std::filesystem::file_size(options.train[0].path));
  for (const auto& item : std::filesystem::directory_iterator(folder))
    bytes += static_cast<double>(item.file_size());
  std::filesystem::remove_all(folder);
  fmt::print("{{\"cached_cpu_seconds\": {:.4f}, \"megabytes_per_second\": {:.1f}}}\n", seconds,
             bytes / seconds * 1e-6);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  try {
    if (words.size() == 3 && words[0] == "generate") {
      generate(std::stod(words[1]), words[2]);
      return 0;
    }
    if ((words.size() == 3 || words.size() == 4) && (words[0] == "read" || words[0] == "cached")) {
      const ReadOptions options = options_for(words[1], words[2], words.size() == 4 ? words[3] : "");
      if (words[0] == "cached")
        read_cached(options);
      else
        read(options, std::filesystem::file_size(words[2]) < 100'000'000 ? 5 : 1);
      return 0;
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_code(error.kind());
  }
  fmt::print(
      stderr,
      "usage: readers_bench generate MEGABYTES FILE | read|cached FORMAT FILE [LABELS.xml | TARGETS]\n");
  return 2;
}

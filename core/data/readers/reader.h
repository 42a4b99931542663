#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/readers/line_reader.h"

namespace coppice {

/// A file to read, or text that stands for one.
struct InputFile {
  std::filesystem::path path;
  std::optional<std::string> text;  ///< for tests and fuzzing: the content itself

  LineReader open() const;
};

/// How much a file may ask for before it is taken for damaged.
struct ReadLimits {
  std::uint32_t columns = std::uint32_t{1} << 27;  ///< features
  std::uint32_t labels = std::uint32_t{1} << 27;
};

/// Everything that a config or the catalogue may say of files.
struct ReadOptions {
  std::string name;                         ///< of the dataset
  std::string format;                       ///< a name of reader_formats()
  std::vector<InputFile> train;             ///< one file at least; several are read one after the other
  std::vector<InputFile> test;              ///< if any, they make the given split
  std::optional<Task> task;                 ///< told by the outputs where absent
  std::optional<InputFile> labels;          ///< Mulan's XML file with the names of the label columns
  std::vector<std::string> outputs;         ///< names of the output columns
  std::optional<std::size_t> output_count;  ///< the last so many columns are outputs
  std::vector<std::string> drop;            ///< columns to leave out
  std::vector<std::string> categorical;  ///< columns (CSV) that are categorical though they look like numbers
  std::optional<std::uint32_t> base;     ///< the number of the first feature, 0 or 1 (LibSVM, Vowpal Wabbit)
  std::optional<char> separator;         ///< of the fields (CSV)
  std::optional<bool> header;            ///< whether the first line holds names (CSV)
  std::optional<bool> directed_graph;    ///< whether a Clus hierarchy lists edges; else paths of a tree
  std::string groups;  ///< the column (ARFF, CSV) whose values say which rows splits must not separate
  Propensity propensity;
  ReadLimits limits;
};

/// A dataset and what the reader made up its mind about: worth telling the user.
struct ReadResult {
  Dataset dataset;
  std::vector<std::string> notes;
};

/// Reads a dataset. Throws Error(data) with file, line and column for anything that is not as it should be.
ReadResult read_dataset(const ReadOptions& options);

/// The names of the formats that can be read.
const std::vector<std::string>& reader_formats();

/// The format of a file by its name (a suffix of compression does not count) and, for `.txt`, its first line;
/// empty if that does not tell.
std::string detect_format(const InputFile& file);

/// `path` without a suffix that names a compression.
std::filesystem::path without_compression(const std::filesystem::path& path);

}  // namespace coppice

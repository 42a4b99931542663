#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/data/writers/writer.h"
#include "experiments/config/protocols.h"
#include "tools/cli.h"

namespace coppice {

/// Each adds one verb below `data`; one file each.
void add_data_info(CLI::App& data);
void add_data_generate(CLI::App& data);
void add_data_convert(CLI::App& data);
void add_data_split(CLI::App& data);
void add_data_fetch(CLI::App& data);

/// The files that generate and convert write, as given on the command line.
struct OutputFiles {
  std::string out;
  std::string test;
  std::string labels;
  std::string format;

  void add_to(CLI::App& verb);
  /// The format is told by the name where none is given. Throws Error(usage).
  WriteOptions options() const;
};

/// The text of `--test` as `protocol.test` of a config. Throws Error(usage).
Protocol protocol_from_text(const std::string& text);

}  // namespace coppice

#include "tools/verbs/data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/data/readers/reader.h"

namespace coppice {

void OutputFiles::add_to(CLI::App& verb) {
  verb.add_option("--out,-o", out, "The file to write; compressed if it ends in .gz, .xz, .bz2 or .zst")
      ->required();
  verb.add_option("--test", test, "Write the test rows of the given split to this file, not to the other");
  verb.add_option("--labels", labels, "ARFF: also write the names of the labels to this XML file (Mulan)");
  verb.add_option(
      "--format", format,
      fmt::format("{}; told by the name of the file by default", fmt::join(writer_formats(), ", ")));
}

WriteOptions OutputFiles::options() const {
  WriteOptions options;
  options.format = format;
  options.file = out;
  if (!test.empty()) options.test = test;
  if (!labels.empty()) options.labels = labels;
  const auto& known = writer_formats();
  if (format.empty()) {
    const std::string suffix = without_compression(options.file).extension().string();
    // A text file that is to be written has no first line to tell by.
    options.format = suffix == ".txt" ? "extreme-text" : detect_format({options.file, std::nullopt});
  }
  if (std::find(known.begin(), known.end(), options.format) == known.end())
    throw Error(ErrorKind::usage,
                format.empty()
                    ? fmt::format("the format of '{}' cannot be told from its name; say --format {}", out,
                                  fmt::join(known, ", "))
                    : fmt::format("no format '{}' to write{}", format, did_you_mean(format, known)));
  if (options.labels && options.format != "arff")
    throw Error(ErrorKind::usage,
                fmt::format("--labels: only ARFF has an XML file with labels, not {}", options.format));
  return options;
}

Protocol protocol_from_text(const std::string& text) {
  Problems problems;
  const ConfigNode node = parse_config_text(text, "--test", problems);
  Protocol protocol;
  if (problems.empty()) parse_protocol_test(node, protocol, problems);
  problems.raise(ErrorKind::usage);
  protocol.location.file.clear();  // files are relative to the current folder
  return protocol;
}

void add_data(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("data", "Look at, make, convert, split or download a dataset");
  verb->require_subcommand(1);
  add_data_info(*verb);
  add_data_generate(*verb);
  add_data_convert(*verb);
  add_data_split(*verb);
  add_data_fetch(*verb);
}

}  // namespace coppice

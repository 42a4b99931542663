#include "core/data/readers/reader.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_name.h"
#include "core/data/readers/numbers.h"
#include "core/data/readers/parts.h"

namespace coppice {

namespace {

struct Format {
  const char* name;
  ReadResult (*read)(const ReadOptions&);
  std::vector<std::string> suffixes;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"arff", read_arff, {".arff"}},
      {"csv", read_csv, {".csv", ".tsv"}},
      {"extreme-text", read_extreme_text, {".xmc", ".extreme"}},
      {"libsvm", read_libsvm, {".svm", ".libsvm", ".svmlight"}},
      {"vowpal-wabbit", read_vowpal_wabbit, {".vw"}},
  };
  return all;
}

/// Whether the first line is `n p d`.
bool looks_like_extreme_text(const InputFile& file) {
  LineReader reader = file.open();
  std::string_view line;
  if (!reader.next(line)) return false;
  const char* at = line.data();
  for (int i = 0; i < 3; ++i) {
    std::uint32_t number = 0;
    at = parse_index(skip_blanks(at), number);
    if (at == nullptr) return false;
  }
  return skip_blanks(at) == line.data() + line.size();
}

}  // namespace

const std::vector<std::string>& reader_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Format& format : formats()) list.emplace_back(format.name);
    return list;
  }();
  return names;
}

std::filesystem::path without_compression(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 4> suffixes{".xz", ".gz", ".bz2", ".zst"};
  for (const std::string_view suffix : suffixes)
    if (path.extension() == suffix) return path.parent_path() / path.stem();
  return path;
}

std::string detect_format(const InputFile& file) {
  const std::string suffix = lower_case(without_compression(file.path).extension().string());
  for (const Format& format : formats())
    for (const std::string& known : format.suffixes)
      if (suffix == known) return format.name;
  if (suffix == ".txt" && looks_like_extreme_text(file)) return "extreme-text";
  return "";
}

ReadResult read_dataset(const ReadOptions& options) {
  if (options.train.empty())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' names no file", options.name));
  for (const Format& format : formats())
    if (options.format == format.name) return format.read(options);
  throw Error(ErrorKind::data, fmt::format("dataset '{}': no format '{}'{}", options.name, options.format,
                                           did_you_mean(options.format, reader_formats())));
}

}  // namespace coppice

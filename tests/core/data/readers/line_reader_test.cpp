#include "core/data/readers/line_reader.h"

#include <functional>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

std::vector<std::string> lines(LineReader reader) {
  std::vector<std::string> all;
  std::string_view line;
  while (reader.next(line)) all.emplace_back(line);
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  return lines(LineReader::of_text(text, "t"));
}

/// Writes `text` compressed.
void compress(const std::filesystem::path& file, const std::string& text,
              const std::function<void(archive*)>& add_filter) {
  archive* writer = archive_write_new();
  add_filter(writer);
  archive_write_set_format_raw(writer);
  REQUIRE(archive_write_open_filename(writer, file.c_str()) == ARCHIVE_OK);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_free(writer);
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("lines end with LF, CR LF or the end of the text") {
  CHECK(lines_of("a\nb\r\n\nc") == std::vector<std::string>{"a", "b", "", "c"});
  CHECK(lines_of("a\n") == std::vector<std::string>{"a"});
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n") == std::vector<std::string>{""});
  CHECK(lines_of("\xef\xbb\xbf"
                 "a") == std::vector<std::string>{"a"});
}

TEST_CASE("lines may be longer than the buffer, and many") {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 200; ++i) {
    expected.emplace_back(i * i * 37 % 500000, static_cast<char>('a' + i % 26));
    text += expected.back() + "\n";
  }
  CHECK(lines_of(text) == expected);
}

TEST_CASE("a NUL byte and an endless line are refused with their place") {
  using namespace std::string_literals;
  CHECK(failure([] { lines_of("ab\nc\0d\n"s); }) == "t:2:2: a NUL byte: this is not a text file");
  CHECK(failure([] { lines_of("short\n" + std::string(100'000'000, 'x')); }) ==
        "t:2:1: a line of more than 64 MiB; this does not look like a data file");
}

TEST_CASE("compressed files read like plain ones, and damaged ones are refused") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 50000; ++i) text += fmt::format("line {} {}\n", i, i * 7919 % 1009);
  const std::vector<std::string> expected = lines_of(text);
  const std::vector<std::pair<std::string, std::function<void(archive*)>>> filters{
      {"gz", archive_write_add_filter_gzip},
      {"xz", archive_write_add_filter_xz},
      {"bz2", archive_write_add_filter_bzip2},
      {"zst", archive_write_add_filter_zstd}};
  for (const auto& [suffix, add_filter] : filters) {
    CAPTURE(suffix);
    const auto file = folder.path() / ("data." + suffix);
    compress(file, text, add_filter);
    CHECK(lines(LineReader(file)) == expected);

    const auto size = std::filesystem::file_size(file);
    for (const auto kept : {size - 1, size / 2, std::uintmax_t{20}}) {
      std::filesystem::resize_file(file, kept);
      const std::string message = failure([&] { lines(LineReader(file)); });
      CHECK(message.find("the compressed file is damaged or cut short") != std::string::npos);
      CHECK(message.find(file.string() + ":") == 0);
    }
    compress(file, "", add_filter);
    CHECK(lines(LineReader(file)).empty());
  }
}

TEST_CASE("a file that cannot be opened says why") {
  const TemporaryFolder folder;
  CHECK(failure([] { LineReader("/absent/file.arff"); }) ==
        "/absent/file.arff: cannot be opened: No such file or directory");
  CHECK(failure([&] { LineReader reader(folder.path()); }) ==
        folder.path().string() + ": is a folder where a file is expected");
}

TEST_CASE("an excerpt is short and printable") {
  CHECK(excerpt("a\tb\x01") == "a.b.");
  CHECK(excerpt(std::string(100, 'x')) == std::string(40, 'x') + "…");
  CHECK(excerpt(std::string(39, 'x') + "é" + "zzz") == std::string(39, 'x') + "…");
}

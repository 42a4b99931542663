#include "experiments/data/fetch.h"

#include <doctest/doctest.h>

#include "core/data/writers/text_writer.h"
#include "tests/experiments/data/temporary.h"

using namespace coppice;

namespace {

CatalogueEntry entry_for(const std::filesystem::path& source, const std::string& path,
                         const std::string& sha256, const std::string& content = "") {
  CatalogueEntry entry;
  entry.name = "mine";
  entry.files["train"] = {path, sha256, content, "file://" + source.string()};
  return entry;
}

std::string failure(const CatalogueEntry& entry, const std::filesystem::path& folder) {
  try {
    fetch_dataset(entry, folder);
    return "fetched";
  } catch (const Error& error) {
    return error.what();
  }
}

const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

}  // namespace

TEST_CASE("a file is downloaded, checked and named; a second time it is only checked") {
  const TemporaryFolder folder;
  const auto source = folder.write("server/mine.arff", "abc");
  const CatalogueEntry entry = entry_for(source, "mine.arff.xz", std::string(64, '0'), abc);
  const auto files = fetch_dataset(entry, folder.path() / "files");
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == folder.path() / "files" / "mine" / "mine.arff");
  CHECK_FALSE(files[0].was_there);
  std::filesystem::remove(source);
  CHECK(fetch_dataset(entry, folder.path() / "files")[0].was_there);
}

TEST_CASE("a compressed file is unpacked") {
  const TemporaryFolder folder;
  const auto source = folder.path() / "mine.arff.gz";
  TextWriter out(source);
  out << "abc";
  out.close();
  const CatalogueEntry entry = entry_for(source, "mine.arff.gz", file_digests(source).file, abc);
  const auto files = fetch_dataset(entry, folder.path() / "files");
  CHECK(files[0].path == folder.path() / "files" / "mine" / "mine.arff");
  CHECK(std::filesystem::file_size(files[0].path) == 3);
  CHECK(fetch_dataset(entry, folder.path() / "files")[0].was_there);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path() / "files" / "mine"), {}) == 1);
}

TEST_CASE("a file with another checksum is refused and not kept") {
  const TemporaryFolder folder;
  const auto source = folder.write("server/mine.arff", "abd");
  const std::string message = failure(entry_for(source, "mine.arff", abc), folder.path() / "files");
  CHECK(message.find("is not the catalogued file: its SHA-256 is a52d159f") != std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path() / "files" / "mine"));
}

TEST_CASE("no address, no file at the address and no network are told in one line") {
  const TemporaryFolder folder;
  CatalogueEntry entry = entry_for("/absent/file.arff", "mine.arff", abc);
  CHECK(failure(entry, folder.path()).find("file:///absent/file.arff cannot be downloaded: ") == 0);
  entry.files["train"].address = "http://nowhere.invalid/mine.arff";
  CHECK(failure(entry, folder.path()).find("no connection to http://nowhere.invalid/mine.arff") == 0);
  entry.files["train"].address = "";
  entry.source = "a book";
  CHECK(failure(entry, folder.path()) ==
        "dataset 'mine': the catalogue has no address for its train file; see a book");
  entry.files.clear();
  CHECK(failure(entry, folder.path()) == "dataset 'mine' has no files in the catalogue");
}

TEST_CASE("digests see through compression") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.txt.gz";
  TextWriter out(path);
  out << "abc";
  out.close();
  const FileDigests digests = file_digests(path);
  CHECK(digests.content == abc);
  CHECK(digests.file != abc);
}

#include "experiments/data/fetch.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <curl/curl.h>
#include <fmt/format.h>

#include "core/data/readers/line_reader.h"
#include "core/data/readers/reader.h"
#include "core/data/sha256.h"
#include "core/data/temporary_name.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

/// One download into a file.
class Download {
 public:
  Download(const std::string& part, const std::string& address, const fs::path& path,
           const FetchProgress& progress)
      : part_(part),
        address_(address),
        progress_(progress),
        out_(path, std::ios::binary),
        handle_(curl_easy_init()) {
    if (!out_)
      throw Error(ErrorKind::input_output,
                  fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno)));
    if (handle_ == nullptr) throw Error(ErrorKind::input_output, "libcurl cannot be started");
  }
  ~Download() { curl_easy_cleanup(handle_); }
  Download(const Download&) = delete;
  Download& operator=(const Download&) = delete;

  void run() {
    curl_easy_setopt(handle_, CURLOPT_URL, address_.c_str());
    curl_easy_setopt(handle_, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle_, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT, 20L);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 100L);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &Download::write);
    curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle_, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle_, CURLOPT_XFERINFOFUNCTION, &Download::report);
    curl_easy_setopt(handle_, CURLOPT_XFERINFODATA, this);
    const CURLcode code = curl_easy_perform(handle_);
    out_.close();
    if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT)
      throw Error(ErrorKind::input_output, fmt::format("no connection to {} ({}): is this machine offline?",
                                                       address_, curl_easy_strerror(code)));
    if (code == CURLE_HTTP_RETURNED_ERROR) {
      long status = 0;
      curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
      throw Error(ErrorKind::input_output,
                  fmt::format("{} cannot be downloaded: the server answers {}{}", address_, status,
                              status == 404 ? " (there is no such file)" : ""));
    }
    if (code != CURLE_OK || !out_)
      throw Error(ErrorKind::input_output,
                  fmt::format("{} cannot be downloaded: {}", address_,
                              code != CURLE_OK ? curl_easy_strerror(code) : "the disk refused"));
  }

 private:
  static std::size_t write(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& out = static_cast<Download*>(self)->out_;
    out.write(bytes, static_cast<std::streamsize>(size * count));
    return out ? size * count : 0;
  }
  static int report(void* self, curl_off_t total, curl_off_t done, curl_off_t /*upload*/,
                    curl_off_t /*sent*/) {
    const auto& download = *static_cast<Download*>(self);
    if (download.progress_)
      download.progress_(download.part_, static_cast<std::uintmax_t>(done),
                         static_cast<std::uintmax_t>(total));
    return 0;
  }

  const std::string& part_;
  const std::string& address_;
  const FetchProgress& progress_;
  std::ofstream out_;
  CURL* handle_;
};

/// A file beside `path` that goes away unless it was given another name.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path) : path_(temporary_name(path)) {}
  ~TemporaryFile() {
    std::error_code error;
    fs::remove(path_, error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Calls `take` with what a file unpacks to, piece by piece.
template <typename Take>
void for_each_piece(const fs::path& path, const Take& take) {
  const auto source = open_bytes(path);
  std::vector<char> block(std::size_t{1} << 18);
  while (const std::size_t count = source->read(block.data(), block.size()))
    take(std::span<const char>(block).first(count));
}

void unpack(const fs::path& from, const fs::path& to) {
  std::ofstream out(to, std::ios::binary);
  for_each_piece(from, [&](std::span<const char> piece) {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  });
  out.close();
  if (!out)
    throw Error(ErrorKind::input_output,
                fmt::format("{} cannot be written: {}", to.string(), std::strerror(errno)));
}

/// Whether the file is the catalogued one, compressed in any way or not at all. Without a checksum any file
/// is.
bool matches(const fs::path& path, const CatalogueFile& file) {
  if (file.sha256.empty()) return true;
  const FileDigests digests = file_digests(path);
  const std::string& content = file.content_sha256.empty() ? file.sha256 : file.content_sha256;
  return digests.file == file.sha256 || digests.content == content;
}

FetchedFile fetch_file(const CatalogueEntry& entry, const std::string& part, const CatalogueFile& file,
                       const fs::path& folder, const FetchProgress& progress) {
  if (file.address.empty())
    throw Error(ErrorKind::data,
                fmt::format("dataset '{}': the catalogue has no address for its {} file{}", entry.name, part,
                            entry.source.empty() ? "" : "; see " + entry.source));
  const fs::path path = folder / entry.name / without_compression(file.path);
  std::error_code error;
  if (fs::is_regular_file(path, error) && matches(path, file)) return {part, path, true};
  fs::create_directories(path.parent_path(), error);
  if (error)
    throw Error(ErrorKind::input_output,
                fmt::format("{} cannot be made: {}", path.parent_path().string(), error.message()));
  const TemporaryFile download(path);
  Download(part, file.address, download.path(), progress).run();
  if (!matches(download.path(), file))
    throw Error(ErrorKind::data,
                fmt::format("{} is not the catalogued file: its SHA-256 is {} where {} is expected; "
                            "nothing was kept",
                            file.address, file_digests(download.path()).content,
                            file.content_sha256.empty() ? file.sha256 : file.content_sha256));
  const TemporaryFile unpacked(path);
  unpack(download.path(), unpacked.path());
  fs::rename(unpacked.path(), path, error);
  if (error)
    throw Error(ErrorKind::input_output,
                fmt::format("{} cannot be written: {}", path.string(), error.message()));
  return {part, path, false};
}

}  // namespace

FileDigests file_digests(const fs::path& path) {
  Sha256 sha;
  std::ifstream in(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 18);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    sha.add(std::as_bytes(std::span(block).first(static_cast<std::size_t>(in.gcount()))));
  Sha256 content;
  for_each_piece(path, [&](std::span<const char> piece) { content.add(std::as_bytes(piece)); });
  return {sha.text(), content.text()};
}

std::vector<FetchedFile> fetch_dataset(const CatalogueEntry& entry, const fs::path& folder,
                                       const FetchProgress& progress) {
  if (entry.files.empty())
    throw Error(ErrorKind::data, fmt::format("dataset '{}' has no files in the catalogue{}", entry.name,
                                             entry.note.empty() ? "" : "; " + entry.note));
  std::vector<FetchedFile> fetched;
  for (const auto& [part, file] : entry.files)
    fetched.push_back(fetch_file(entry, part, file, folder, progress));
  return fetched;
}

}  // namespace coppice

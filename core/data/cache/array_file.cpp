#include "core/data/cache/array_file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/base/error.h"
#include "core/data/temporary_name.h"

namespace coppice {

static_assert(std::endian::native == std::endian::little, "array files are little endian");

namespace {

constexpr std::string_view magic = "coppdata";
constexpr std::size_t alignment = 64;
constexpr std::size_t trailer = 16;  // length of the header, checksum

std::size_t padding(std::size_t offset) {
  return (alignment - offset % alignment) % alignment;
}

std::uint64_t number_at(std::string_view bytes, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

void ArrayFileWriter::ReleaseState::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

ArrayFileWriter::ArrayFileWriter(std::filesystem::path path, std::uint32_t version)
    : path_(std::move(path)),
      temporary_(temporary_name(path_)),
      file_(std::fopen(temporary_.c_str(), "wb")),
      state_(XXH3_createState()) {
  if (!file_) fail();
  XXH3_64bits_reset(state_.get());
  std::array<char, alignment> start{};
  std::memcpy(start.data(), magic.data(), magic.size());
  std::memcpy(start.data() + magic.size(), &version, sizeof version);
  write(start.data(), start.size());
}

ArrayFileWriter::~ArrayFileWriter() {
  if (!file_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void ArrayFileWriter::write(const void* bytes, std::size_t size) {
  if (size == 0) return;
  if (std::fwrite(bytes, 1, size, file_.get()) != size) fail();
  XXH3_64bits_update(state_.get(), bytes, size);
  written_ += size;
}

void ArrayFileWriter::begin(const std::string& name) {
  constexpr std::array<char, alignment> zeros{};
  write(zeros.data(), padding(written_));
  arrays_.push_back({name, written_, 0});
}

void ArrayFileWriter::append(std::span<const std::byte> bytes) {
  write(bytes.data(), bytes.size());
  arrays_.back().bytes += bytes.size();
}

void ArrayFileWriter::close(const nlohmann::json& header) {
  nlohmann::json whole{{"header", header}, {"arrays", nlohmann::json::array()}};
  for (const Array& array : arrays_) whole["arrays"].push_back({array.name, array.offset, array.bytes});
  const std::string text = whole.dump();
  const std::uint64_t length = text.size();
  write(text.data(), text.size());
  write(&length, sizeof length);
  const std::uint64_t checksum = XXH3_64bits_digest(state_.get());
  write(&checksum, sizeof checksum);
  if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0) fail();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  file_.reset();
}

void ArrayFileWriter::fail() const {
  throw Error(ErrorKind::input_output,
              fmt::format("{} cannot be written: {}", path_.string(), std::strerror(errno)));
}

ArrayFileReader::ArrayFileReader(const std::filesystem::path& path, std::uint32_t version) : path_(path) {
  map();
  try {
    check(version);
  } catch (...) {
    munmap(const_cast<char*>(content_.data()), content_.size());
    throw;
  }
}

ArrayFileReader::~ArrayFileReader() {
  munmap(const_cast<char*>(content_.data()), content_.size());
}

void ArrayFileReader::map() {
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* start = known && size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  ::close(descriptor);
  if (start == MAP_FAILED) fail("cannot be mapped into memory");
  content_ = std::string_view(static_cast<const char*>(start), size);
}

void ArrayFileReader::check(std::uint32_t version) {
  if (content_.size() < alignment + trailer || !content_.starts_with(magic)) fail("is no dataset file");
  std::uint32_t found = 0;
  std::memcpy(&found, content_.data() + magic.size(), sizeof found);
  if (found != version) fail(fmt::format("has version {} where {} is expected", found, version));
  const std::size_t end = content_.size() - sizeof(std::uint64_t);
  if (XXH3_64bits(content_.data(), end) != number_at(content_, end))
    fail("is damaged: its checksum is wrong");
  const std::uint64_t length = number_at(content_, end - sizeof(std::uint64_t));
  if (length > content_.size() - alignment - trailer) fail("has a header of an impossible length");
  const std::string_view text = content_.substr(content_.size() - trailer - length, length);
  try {
    const nlohmann::json whole = nlohmann::json::parse(text);
    for (const auto& item : whole.at("arrays")) {
      const auto offset = item.at(1).get<std::size_t>();
      const auto bytes = item.at(2).get<std::size_t>();
      if (offset % alignment != 0 || offset > content_.size() || bytes > content_.size() - offset)
        fail("lists an array that does not fit in it");
      arrays_[item.at(0).get<std::string>()] = content_.substr(offset, bytes);
    }
    header_ = whole.at("header");
  } catch (const nlohmann::json::exception& error) {
    fail(fmt::format("has a malformed header ({})", error.what()));
  }
}

std::string_view ArrayFileReader::find(const std::string& name, std::size_t item_size) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end() || found->second.size() % item_size != 0)
    fail(fmt::format("has no array '{}' of the expected type", name));
  return found->second;
}

void ArrayFileReader::fail(const std::string& why) const {
  throw Error(ErrorKind::data, fmt::format("the dataset file {} {}", path_.string(), why));
}

}  // namespace coppice

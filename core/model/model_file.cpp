#include "core/model/model_file.h"

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

namespace coppice {

static_assert(std::endian::native == std::endian::little, "model files are little endian");

namespace {

constexpr std::string_view magic{"coppice\0", 8};
constexpr std::size_t prologue = 16;  // magic, version, header length
constexpr std::size_t alignment = 64;
constexpr std::size_t trailer = 8;

std::size_t aligned(std::size_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

template <typename T>
T read_number(std::string_view bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
void append_number(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

void ModelWriter::put_bytes(const std::string& name, std::string_view type, std::size_t count,
                            std::string_view bytes) {
  sections_.push_back({name, std::string(type), count, std::string(bytes)});
}

std::string ModelWriter::bytes(const nlohmann::json& about) const {
  nlohmann::json header{{"about", about}, {"facts", facts_}, {"arrays", nlohmann::json::array()}};
  std::size_t offset = 0;  // relative to the first array, so that the header's own length does not matter
  for (const Section& section : sections_) {
    header["arrays"].push_back({{"name", section.name},
                                {"type", section.type},
                                {"offset", offset},
                                {"bytes", section.bytes.size()}});
    offset = aligned(offset + section.bytes.size());
  }
  const std::string text = header.dump();
  std::string file(magic);
  append_number(file, static_cast<std::uint32_t>(model_format_version));
  append_number(file, static_cast<std::uint32_t>(text.size()));
  file += text;
  for (const Section& section : sections_) {
    file.resize(aligned(file.size()), '\0');
    file += section.bytes;
  }
  append_number(file, static_cast<std::uint64_t>(XXH3_64bits(file.data(), file.size())));
  return file;
}

std::shared_ptr<const ModelReader> ModelReader::open(const std::filesystem::path& path) {
  std::shared_ptr<ModelReader> reader(new ModelReader());
  reader->name_ = path.string();
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw Error(ErrorKind::model,
                fmt::format("cannot open model file '{}': {}", path.string(), std::strerror(errno)));
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    throw Error(ErrorKind::model, fmt::format("'{}' is not a file", path.string()));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {
    void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapping != MAP_FAILED) {
      reader->mapping_ = mapping;
      reader->content_ = {static_cast<const char*>(mapping), size};
    }
  }
  close(descriptor);
  if (size > 0 && reader->mapping_ == nullptr)
    throw Error(ErrorKind::model, fmt::format("cannot map model file '{}' into memory", path.string()));
  reader->parse();
  return reader;
}

std::shared_ptr<const ModelReader> ModelReader::from_bytes(std::string bytes, const std::string& name) {
  std::shared_ptr<ModelReader> reader(new ModelReader());
  reader->name_ = name;
  reader->owned_ = std::move(bytes);
  reader->content_ = reader->owned_;
  reader->parse();
  return reader;
}

ModelReader::~ModelReader() {
  if (mapping_ != nullptr) munmap(mapping_, content_.size());
}

void ModelReader::fail(const std::string& why) const {
  throw Error(ErrorKind::model, fmt::format("model file '{}' {}", name_, why));
}

Task ModelReader::task() const {
  const auto name = facts_.find("task");
  const auto task =
      name != facts_.end() && name->is_string() ? parse_task(name->get<std::string>()) : std::nullopt;
  if (!task) fail("names no known task");
  return *task;
}

void ModelReader::parse() {
  if (content_.size() < prologue + trailer || content_.substr(0, magic.size()) != magic)
    fail("is not a coppice model; make one with 'coppice train'");
  const auto version = read_number<std::uint32_t>(content_, magic.size());
  if (version != static_cast<std::uint32_t>(model_format_version))
    fail(fmt::format(
        "has format version {}, this coppice reads version {}; train the model again or use the coppice that "
        "wrote it",
        version, model_format_version));
  const std::size_t body = content_.size() - trailer;
  if (read_number<std::uint64_t>(content_, body) != XXH3_64bits(content_.data(), body))
    fail("is truncated or damaged (its checksum does not match); copy it again or train the model again");
  const auto header_length = read_number<std::uint32_t>(content_, magic.size() + 4);
  if (prologue + header_length > body) fail("has a header longer than the file");
  const auto header = nlohmann::json::parse(content_.substr(prologue, header_length), nullptr, false);
  if (!header.is_object()) fail("has a header that is not JSON");
  const std::size_t base = aligned(prologue + header_length);
  try {
    about_ = header.at("about");
    facts_ = header.at("facts");
    for (const auto& entry : header.at("arrays")) {
      const Section section{entry.at("type"), base + entry.at("offset").get<std::size_t>(),
                            entry.at("bytes")};
      if (section.bytes > 0 && (section.offset > body || section.bytes > body - section.offset))
        fail("lists an array beyond its end");
      sections_.emplace(entry.at("name").get<std::string>(), section);
    }
  } catch (const nlohmann::json::exception& problem) {
    fail(fmt::format("has a malformed header: {}", problem.what()));
  }
}

std::span<const std::byte> ModelReader::find(const std::string& name, std::string_view type) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) fail(fmt::format("has no array '{}'", name));
  if (found->second.type != type)
    fail(fmt::format("has an array '{}' of type {} where {} is expected", name, found->second.type, type));
  return {reinterpret_cast<const std::byte*>(content_.data()) + found->second.offset, found->second.bytes};
}

}  // namespace coppice

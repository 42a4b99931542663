#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

struct XXH3_state_s;

namespace coppice {

/// Writes named arrays to a file as they come, without holding them. The list of arrays and the caller's
/// header stand at the end, before the checksum, since only then they are known.
///
/// The file: 8 bytes `coppdata`, 4 bytes version, 52 bytes 0; the arrays, each at a multiple of 64 bytes; a
/// JSON header; its length (8 bytes); XXH3 over all that precedes (8 bytes).
class ArrayFileWriter {
 public:
  /// Writes under a temporary name. Throws Error(input_output).
  ArrayFileWriter(std::filesystem::path path, std::uint32_t version);
  ~ArrayFileWriter();
  ArrayFileWriter(const ArrayFileWriter&) = delete;
  ArrayFileWriter& operator=(const ArrayFileWriter&) = delete;

  template <typename T>
  void put(const std::string& name, std::span<const T> values) {
    begin(name);
    append(std::as_bytes(values));
  }
  /// Begins an array whose bytes follow by append().
  void begin(const std::string& name);
  void append(std::span<const std::byte> bytes);

  /// Completes the file under its name. Throws Error(input_output).
  void close(const nlohmann::json& header);

 private:
  struct Array {
    std::string name;
    std::size_t offset;
    std::size_t bytes;
  };
  void write(const void* bytes, std::size_t size);
  [[noreturn]] void fail() const;

  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct ReleaseState {
    void operator()(XXH3_state_s* state) const;
  };
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::unique_ptr<XXH3_state_s, ReleaseState> state_;
  std::size_t written_ = 0;
  std::vector<Array> arrays_;
};

/// Such a file, mapped and checked: wrong magic, another version, a wrong length or checksum throw
/// Error(data).
class ArrayFileReader {
 public:
  ArrayFileReader(const std::filesystem::path& path, std::uint32_t version);
  ~ArrayFileReader();
  ArrayFileReader(const ArrayFileReader&) = delete;
  ArrayFileReader& operator=(const ArrayFileReader&) = delete;

  const nlohmann::json& header() const { return header_; }
  /// Valid while the reader lives. Throws Error(data) if there is no such array or it holds no whole number
  /// of T.
  template <typename T>
  std::span<const T> array(const std::string& name) const {
    const std::string_view bytes = find(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <typename T>
  std::vector<T> vector(const std::string& name) const {
    const auto values = array<T>(name);
    return {values.begin(), values.end()};
  }
  /// Error(data) that names the file.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  void map();
  void check(std::uint32_t version);
  std::string_view find(const std::string& name, std::size_t item_size) const;

  std::filesystem::path path_;
  std::string_view content_;
  nlohmann::json header_;
  std::map<std::string, std::string_view> arrays_;
};

}  // namespace coppice

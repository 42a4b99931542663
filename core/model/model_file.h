#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/model/model.h"

namespace coppice {

/// The version of the layout below. Raised when it changes; older versions stay readable.
inline constexpr int model_format_version = 1;

/// Collects what a model is made of: named arrays of numbers and a JSON value of small facts.
///
/// The file: 8 bytes `coppice\0`, the format version (4 bytes), the length of the header (4 bytes), a JSON
/// header that lists the arrays, the arrays themselves (little endian, each at a multiple of 64 bytes so that
/// the file can be memory-mapped), and 8 bytes of XXH3 over all that precedes.
class ModelWriter {
 public:
  /// Adds an array under a name of its own.
  template <typename T>
  void put(const std::string& name, std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    put_bytes(name, type_code<T>(), values.size(),
              std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  template <typename T>
  void put(const std::string& name, const std::vector<T>& values) {
    put(name, std::span<const T>(values));
  }
  /// Small facts of the model itself, free in form.
  nlohmann::json& facts() { return facts_; }

  /// The whole file as bytes. `about` is kept beside the facts: algorithm, parameters, schema, provenance.
  std::string bytes(const nlohmann::json& about) const;

  template <typename T>
  static constexpr std::string_view type_code() {
    if constexpr (std::is_same_v<T, float>) return "f32";
    if constexpr (std::is_same_v<T, double>) return "f64";
    if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return std::is_signed_v<T> ? "i8" : "u8";
    if constexpr (std::is_integral_v<T> && sizeof(T) == 2) return std::is_signed_v<T> ? "i16" : "u16";
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? "i32" : "u32";
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? "i64" : "u64";
  }

 private:
  struct Section {
    std::string name;
    std::string type;
    std::size_t count;
    std::string bytes;
  };
  void put_bytes(const std::string& name, std::string_view type, std::size_t count, std::string_view bytes);

  std::vector<Section> sections_;
  nlohmann::json facts_ = nlohmann::json::object();
};

/// A model file, memory-mapped and checked: wrong magic, another version, a wrong length or checksum throw
/// Error(model).
class ModelReader {
 public:
  static std::shared_ptr<const ModelReader> open(const std::filesystem::path& path);
  /// From bytes in memory; `name` stands for the file in messages.
  static std::shared_ptr<const ModelReader> from_bytes(std::string bytes, const std::string& name);
  ~ModelReader();
  ModelReader(const ModelReader&) = delete;
  ModelReader& operator=(const ModelReader&) = delete;

  /// The array of that name; valid while the reader lives. Throws Error(model) if absent or of another type.
  template <typename T>
  std::span<const T> array(const std::string& name) const {
    const std::span<const std::byte> found = find(name, ModelWriter::type_code<T>());
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }
  template <typename T>
  std::vector<T> vector(const std::string& name) const {
    const std::span<const T> values = array<T>(name);
    return {values.begin(), values.end()};
  }
  /// Whether there is an array of that name.
  bool has(const std::string& name) const { return sections_.contains(name); }
  const nlohmann::json& facts() const { return facts_; }
  /// The task among the facts; throws Error(model) if there is none or it is unknown.
  Task task() const;
  const nlohmann::json& about() const { return about_; }
  std::size_t size() const { return content_.size(); }
  /// For a model whose arrays contradict each other: Error(model) that names the file.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  struct Section {
    std::string type;
    std::size_t offset;
    std::size_t bytes;
  };
  ModelReader() = default;
  void parse();
  std::span<const std::byte> find(const std::string& name, std::string_view type) const;

  std::string name_;
  std::string owned_;
  void* mapping_ = nullptr;
  std::string_view content_;
  std::map<std::string, Section> sections_;
  nlohmann::json facts_;
  nlohmann::json about_;
};

}  // namespace coppice

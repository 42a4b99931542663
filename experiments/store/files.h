#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace coppice {

/// The whole content of a file; throws Error(input_output).
std::string read_text(const std::filesystem::path& path);

/// Writes all of it, however often it takes; returns 0 or the error.
int write_all(int descriptor, std::string_view content);

/// Replaces a file as a whole: a reader sees the old content or the new, and a full disk leaves the old in
/// place. Throws Error(input_output).
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// Makes sure that the names in a folder are on disk.
void sync_folder(const std::filesystem::path& folder);

/// Creates a folder and those above it; throws Error(input_output).
void make_folder(const std::filesystem::path& folder);

/// A lock on a results folder, held until destroyed or until the process ends, however it ends. Throws
/// Error(usage) if another process holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace coppice

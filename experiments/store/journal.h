#pragma once

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/process_fork.h"

namespace coppice {

/// How much of a record is read.
enum class RecordParts {
  all,
  /// Without parameters and details, which take most of the time to read; a tuned trial still has its
  /// details.
  scores,
};

/// What is known about one finished trial.
struct TrialRecord {
  enum class Outcome { done, failed };

  std::string trial;  ///< its hash
  Outcome outcome = Outcome::done;
  std::string error;  ///< of a failed trial
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  std::optional<double> stage;
  std::map<std::string, double> metrics;  ///< NaN where undefined
  nlohmann::json parameters = nlohmann::json::object();
  nlohmann::json details =
      nlohmann::json::object();  ///< seconds, dataset fingerprint, build: for explaining a number

  /// One line of JSON, closed by a checksum over all that precedes it.
  std::string line() const;
  /// Empty if the line is not a whole, undamaged record.
  static std::optional<TrialRecord> parse(std::string_view line, RecordParts parts = RecordParts::all);
};

/// What a journal on disk says: the last record of every trial, and what could not be read.
struct JournalContent {
  std::map<std::string, TrialRecord> records;
  std::vector<std::string> damaged;        ///< the lines themselves
  std::vector<std::size_t> damaged_lines;  ///< their numbers, from 1
};

/// Reads a journal; one that does not exist is empty.
JournalContent read_journal(const std::filesystem::path& path, RecordParts parts = RecordParts::all);

/// Appends records to a file such as `trials.jsonl`. A thread of its own writes and syncs everything that has
/// come in since its last sync, so that many small trials share one sync. A record is absent or whole: an
/// incomplete write is cut off again.
class Journal {
 public:
  /// Opens or creates. Damaged lines of an earlier run are moved to a file `.damaged` of the same name beside
  /// it.
  explicit Journal(const std::filesystem::path& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What was there when it was opened.
  const JournalContent& content() const { return content_; }
  /// Thread-safe; returns at once. Throws Error(input_output) if an earlier write failed.
  void append(const TrialRecord& record);
  /// Waits until everything appended is on disk; throws Error(input_output) if that failed.
  void flush();

 private:
  void repair();
  void write_loop(std::unique_lock<std::mutex>& lock);
  /// Empty, or why it failed.
  std::string write_batch(std::string_view batch);

  std::filesystem::path path_;
  JournalContent content_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string pending_;
  bool writing_ = false;
  bool closing_ = false;
  std::string failure_;
  std::optional<CompanionThread> writer_;
};

}  // namespace coppice

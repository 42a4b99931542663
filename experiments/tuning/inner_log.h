#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/store/journal.h"

namespace coppice {

/// Where scores on validation parts are kept, so that a search that was interrupted goes on in the middle.
/// Thread-safe.
class InnerLog {
 public:
  virtual ~InnerLog() = default;
  /// The record of an earlier run, or nothing.
  virtual const TrialRecord* find(const std::string& hash) const = 0;
  virtual void add(const TrialRecord& record) = 0;
};

/// In a journal of its own, `tuning.jsonl`.
class JournalledInnerLog : public InnerLog {
 public:
  explicit JournalledInnerLog(const std::filesystem::path& path) : journal_(path) {}

  const TrialRecord* find(const std::string& hash) const override;
  void add(const TrialRecord& record) override { journal_.append(record); }
  Journal& journal() { return journal_; }

 private:
  Journal journal_;
};

}  // namespace coppice

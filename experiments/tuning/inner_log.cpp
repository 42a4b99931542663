#include "experiments/tuning/inner_log.h"

namespace coppice {

const TrialRecord* JournalledInnerLog::find(const std::string& hash) const {
  const auto found = journal_.content().records.find(hash);
  return found == journal_.content().records.end() ? nullptr : &found->second;
}

}  // namespace coppice

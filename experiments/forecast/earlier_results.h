#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/store/journal.h"

namespace coppice {

/// What the fits of a plan took whose trials are in the journal.
class EarlierResults {
 public:
  EarlierResults(const Plan& plan, const JournalContent& journal);

  /// CPU seconds that a fit is expected to take, its search and its scoring included: those of fits with the
  /// same settings on the same data, or with others of the same entry by the ratio of their work. Nothing if
  /// there is none.
  std::optional<double> seconds(const Fit& fit) const;

 private:
  struct Known {
    double seconds = 0.0;
    double work = 1.0;
    std::string settings;
  };

  const Plan& plan_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Known>> known_;  ///< by entry and dataset
};

/// What a fit is apart from its stage.
std::string settings_text(const Plan& plan, const Fit& fit, const Parameters& parameters);

}  // namespace coppice

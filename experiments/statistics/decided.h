#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"
#include "experiments/tables/table.h"

namespace coppice {

/// How two algorithms stand while trials are still missing, by the sign test over datasets: what holds
/// whatever the missing trials bring.
struct DecidedPair {
  enum class Verdict {
    open,
    first_better,   ///< significant even if the second wins every dataset that is left
    second_better,  ///< likewise
    no_difference,  ///< not significant even if one of them wins every dataset that is left
  };

  std::size_t first = 0;  ///< into ResultSet::algorithms
  std::size_t second = 0;
  std::size_t first_wins = 0;  ///< datasets on which both have all their trials
  std::size_t second_wins = 0;
  std::size_t ties = 0;
  std::size_t left = 0;  ///< datasets on which one of them still lacks trials
  Verdict verdict = Verdict::open;
};

/// All pairs of algorithms on one metric, at the two-sided level alpha.
std::vector<DecidedPair> decided_pairs(const ResultSet& results, const Metric& metric, double alpha = 0.05);

/// Algorithms × algorithms: whether the row `beats` the column, `loses` to it, shows `no difference`, or the
/// pair is still `open`.
Table decided_table(const ResultSet& results, const std::vector<DecidedPair>& pairs);

}  // namespace coppice

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "experiments/config/tuning.h"
#include "experiments/tuning/search_space.h"

namespace coppice {

/// A setting to be tried, and how much is spent on it.
struct Proposal {
  Parameters parameters;
  double rows = 1.0;            ///< share of the inner training rows
  std::optional<double> stage;  ///< the last stage to fit, where that is less than all

  bool is_full() const { return rows == 1.0 && !stage; }
};

/// How a proposal did: larger is better, -infinity where it failed everywhere.
struct ProposalScore {
  Proposal proposal;
  double score = 0.0;
};

/// A way to find settings: asked for proposals, told their scores, asked again. What it proposes depends on
/// the space, its stream and the scores alone, so that a search can be replayed.
class Search {
 public:
  virtual ~Search() = default;
  /// What to try next, in any order; empty at the end. `so_far` has all proposals, in their order.
  virtual std::vector<Proposal> next(std::span<const ProposalScore> so_far) = 0;
};

std::unique_ptr<Search> make_search(const SearchSetting& setting, const SearchSpace& space,
                                    const Stream& stream);

/// How many proposals a search makes, and the fits they come to if a full fit counts as one.
struct SearchCost {
  std::size_t proposals = 0;
  double full_fits = 0.0;
};
SearchCost search_cost(const SearchSetting& setting, const SearchSpace& space);

// The searches themselves.
std::unique_ptr<Search> make_halving(const SearchSetting& setting, const SearchSpace& space,
                                     const Stream& stream);
std::unique_ptr<Search> make_tree_parzen(int trials, const SearchSpace& space, const Stream& stream);

}  // namespace coppice

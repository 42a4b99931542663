#include "experiments/tuning/search.h"

namespace coppice {

namespace {

/// Settings that are known from the start: a grid, or drawn at random.
class ListedSearch : public Search {
 public:
  explicit ListedSearch(std::vector<Parameters> settings) : settings_(std::move(settings)) {}

  std::vector<Proposal> next(std::span<const ProposalScore> so_far) override {
    std::vector<Proposal> proposals;
    if (so_far.empty())
      for (const Parameters& parameters : settings_) proposals.push_back({parameters, 1.0, std::nullopt});
    return proposals;
  }

 private:
  std::vector<Parameters> settings_;
};

std::vector<Parameters> drawn(int trials, const SearchSpace& space, const Stream& stream) {
  std::vector<Parameters> settings;
  for (int i = 0; i < trials; ++i)
    settings.push_back(space.sample(stream.at("setting", static_cast<std::uint64_t>(i))));
  return settings;
}

}  // namespace

std::unique_ptr<Search> make_search(const SearchSetting& setting, const SearchSpace& space,
                                    const Stream& stream) {
  switch (setting.kind) {
    case SearchSetting::Kind::grid:
      return std::make_unique<ListedSearch>(space.grid());
    case SearchSetting::Kind::random:
      return std::make_unique<ListedSearch>(drawn(setting.trials, space, stream));
    case SearchSetting::Kind::bayes:
      return make_tree_parzen(setting.trials, space, stream);
    case SearchSetting::Kind::halving:
    case SearchSetting::Kind::hyperband:
      break;
  }
  return make_halving(setting, space, stream);
}

SearchCost search_cost(const SearchSetting& setting, const SearchSpace& space) {
  SearchCost cost;
  if (!setting.halves()) {
    cost.proposals = setting.kind == SearchSetting::Kind::grid ? space.grid_size()
                                                               : static_cast<std::size_t>(setting.trials);
    cost.full_fits = static_cast<double>(cost.proposals);
    return cost;
  }
  // How many go on does not depend on the scores: play it through.
  const auto search = make_halving(setting, space, Stream(0));
  std::vector<ProposalScore> scores;
  while (true) {
    const std::vector<Proposal> proposals = search->next(scores);
    if (proposals.empty()) return cost;
    for (const Proposal& proposal : proposals) {
      ++cost.proposals;
      cost.full_fits += proposal.rows * (proposal.stage ? *proposal.stage / space.last_stage() : 1.0);
      scores.push_back({proposal, 0.0});
    }
  }
}

}  // namespace coppice

#include <algorithm>
#include <cmath>

#include "experiments/tuning/search.h"

namespace coppice {

namespace {

/// Settings that start together; after each round the better ones go on with more of the resource.
struct Bracket {
  std::vector<Parameters> settings;
  std::size_t rounds = 1;  ///< the last one has the whole resource
};

/// Successive halving (Jamieson and Talwalkar 2016), and Hyperband (Li et al. 2018): several brackets that
/// start with many settings and little of the resource, or few and much.
class HalvingSearch : public Search {
 public:
  HalvingSearch(const SearchSetting& setting, const SearchSpace& space, const Stream& stream)
      : factor_(setting.factor),
        by_stage_(!space.staged.empty() && setting.resource != "rows"),
        last_stage_(space.last_stage()) {
    const double least = by_stage_ ? setting.least / last_stage_ : setting.least;
    if (setting.kind == SearchSetting::Kind::halving) {
      const std::vector<Parameters> settings =
          setting.trials == 0 ? space.grid() : drawn(static_cast<std::size_t>(setting.trials), space, stream);
      std::size_t rounds = 1;
      for (double left = static_cast<double>(settings.size()); left >= factor_; left /= factor_) ++rounds;
      brackets_.push_back({settings, std::min(rounds, rounds_until(least))});
      return;
    }
    const std::size_t most = least > 0.0 ? rounds_until(least) : default_rounds;
    for (std::size_t rounds = most; rounds >= 1; --rounds) {
      double settings = static_cast<double>(most) / static_cast<double>(rounds);
      for (std::size_t i = 1; i < rounds; ++i) settings *= factor_;
      brackets_.push_back(
          {drawn(static_cast<std::size_t>(std::ceil(settings)), space, stream.at("bracket", rounds)),
           rounds});
    }
  }

  std::vector<Proposal> next(std::span<const ProposalScore> so_far) override {
    if (!so_far.empty()) {
      keep_best(so_far.subspan(so_far.size() - going_.size()));
      if (++round_ == brackets_[bracket_].rounds) {
        ++bracket_;
        round_ = 0;
      }
    }
    if (bracket_ == brackets_.size()) return {};
    const Bracket& bracket = brackets_[bracket_];
    if (round_ == 0) going_ = bracket.settings;
    std::vector<Proposal> proposals;
    double share = 1.0;
    for (std::size_t i = round_ + 1; i < bracket.rounds; ++i) share /= factor_;
    for (const Parameters& parameters : going_) proposals.push_back(proposal(parameters, share));
    return proposals;
  }

 private:
  static constexpr std::size_t default_rounds = 4;

  static std::vector<Parameters> drawn(std::size_t count, const SearchSpace& space, const Stream& stream) {
    std::vector<Parameters> settings;
    for (std::size_t i = 0; i < count; ++i) settings.push_back(space.sample(stream.at("setting", i)));
    return settings;
  }

  /// How many rounds there are if the first must have at least this share of the resource.
  std::size_t rounds_until(double least) const {
    const double smallest = least > 0.0 ? least : by_stage_ ? 1.0 / last_stage_ : 1e-6;
    std::size_t rounds = 1;
    for (double share = 1.0 / factor_; share >= smallest * (1.0 - 1e-9); share /= factor_) ++rounds;
    return rounds;
  }

  Proposal proposal(const Parameters& parameters, double share) const {
    if (share == 1.0) return {parameters, 1.0, std::nullopt};
    if (!by_stage_) return {parameters, share, std::nullopt};
    return {parameters, 1.0, std::max(1.0, std::floor(last_stage_ * share))};
  }

  /// Of the settings of the last round, the better ones, in the order in which they were proposed.
  void keep_best(std::span<const ProposalScore> scores) {
    std::vector<std::size_t> order(scores.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a].score > scores[b].score; });
    const auto kept = static_cast<std::size_t>(static_cast<double>(order.size()) / factor_);
    order.resize(std::max<std::size_t>(1, kept));
    std::sort(order.begin(), order.end());
    std::vector<Parameters> best;
    for (const std::size_t i : order) best.push_back(going_[i]);
    going_ = std::move(best);
  }

  double factor_;
  bool by_stage_;
  double last_stage_;
  std::vector<Bracket> brackets_;
  std::size_t bracket_ = 0;
  std::size_t round_ = 0;
  std::vector<Parameters> going_;
};

}  // namespace

std::unique_ptr<Search> make_halving(const SearchSetting& setting, const SearchSpace& space,
                                     const Stream& stream) {
  return std::make_unique<HalvingSearch>(setting, space, stream);
}

}  // namespace coppice

#include "experiments/tuning/search.h"

#include <cmath>
#include <set>

#include <doctest/doctest.h>

using namespace coppice;

namespace {

SpaceAxis number_axis(const std::string& name, ValueAxis::Kind kind, double low, double high) {
  return {name, kind, {}, low, high};
}

/// Two real numbers, one of them on a logarithmic scale, and a word.
SearchSpace continuous_space() {
  SearchSpace space;
  space.fixed.set("rate", 0.1);
  space.fixed.set("share", 0.5);
  space.fixed.set("word", std::string("a"));
  space.axes = {
      number_axis("rate", ValueAxis::Kind::log_uniform, 0.001, 1.0),
      number_axis("share", ValueAxis::Kind::uniform, 0.0, 1.0),
      {"word", ValueAxis::Kind::list, {std::string("a"), std::string("b"), std::string("c")}, 0, 0}};
  return space;
}

/// Best at rate 0.03, share 0.7 and the word b.
double hidden_score(const Parameters& parameters) {
  const double rate = std::log10(parameters.real("rate")) + 1.523;
  const double share = parameters.real("share") - 0.7;
  return -rate * rate - 4.0 * share * share - (parameters.word("word") == "b" ? 0.0 : 0.5);
}

std::vector<ProposalScore> play(Search& search) {
  std::vector<ProposalScore> scores;
  while (true) {
    const std::vector<Proposal> proposals = search.next(scores);
    if (proposals.empty()) return scores;
    for (const Proposal& proposal : proposals)
      scores.push_back({proposal, hidden_score(proposal.parameters)});
  }
}

double best_of(const std::vector<ProposalScore>& scores) {
  double best = -1e300;
  for (const ProposalScore& score : scores)
    if (score.proposal.is_full()) best = std::max(best, score.score);
  return best;
}

SearchSetting setting_of(SearchSetting::Kind kind, int trials) {
  SearchSetting setting;
  setting.kind = kind;
  setting.trials = trials;
  return setting;
}

}  // namespace

TEST_CASE("a random search stays inside its space, and its seed decides what it finds") {
  const SearchSpace space = continuous_space();
  const auto scores = play(*make_search(setting_of(SearchSetting::Kind::random, 300), space, Stream(1)));
  CHECK(scores.size() == 300);
  std::size_t small = 0;
  std::set<std::string> words;
  for (const ProposalScore& score : scores) {
    const double rate = score.proposal.parameters.real("rate");
    CHECK((rate >= 0.001 && rate <= 1.0));
    small += rate < 0.0316 ? 1 : 0;  // the middle of the logarithmic scale
    words.insert(score.proposal.parameters.word("word"));
  }
  CHECK((small > 120 && small < 180));
  CHECK(words.size() == 3);
  const auto again = play(*make_search(setting_of(SearchSetting::Kind::random, 300), space, Stream(1)));
  const auto other = play(*make_search(setting_of(SearchSetting::Kind::random, 300), space, Stream(2)));
  CHECK(again[299].score == scores[299].score);
  CHECK(other[299].score != scores[299].score);
}

TEST_CASE("whole numbers are drawn with both ends") {
  SearchSpace space;
  space.fixed.set("k", std::int64_t{1});
  space.axes = {number_axis("k", ValueAxis::Kind::integer, 1.0, 3.0)};
  std::set<std::int64_t> seen;
  for (const auto& score :
       make_search(setting_of(SearchSetting::Kind::random, 60), space, Stream(1))->next({}))
    seen.insert(score.parameters.integer("k"));
  CHECK(seen == std::set<std::int64_t>{1, 2, 3});
  space.axes[0].kind = ValueAxis::Kind::log_integer;
  space.axes[0].high = 1000.0;
  std::size_t below_32 = 0;
  for (const auto& score :
       make_search(setting_of(SearchSetting::Kind::random, 400), space, Stream(1))->next({})) {
    CHECK((score.parameters.integer("k") >= 1 && score.parameters.integer("k") <= 1000));
    below_32 += score.parameters.integer("k") < 32 ? 1 : 0;
  }
  CHECK((below_32 > 180 && below_32 < 270));
}

TEST_CASE("the Bayesian search finds more than a random one with as many trials") {
  const SearchSpace space = continuous_space();
  int wins = 0;
  double by_model = 0.0;
  double at_random = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const double bayes =
        best_of(play(*make_search(setting_of(SearchSetting::Kind::bayes, 40), space, Stream(seed))));
    const double random =
        best_of(play(*make_search(setting_of(SearchSetting::Kind::random, 40), space, Stream(seed + 100))));
    wins += bayes > random ? 1 : 0;
    by_model += bayes / 20.0;
    at_random += random / 20.0;
  }
  CHECK(wins >= 14);
  CHECK(by_model > 0.6 * at_random);  // scores are negative: clearly nearer to 0
  const auto once = play(*make_search(setting_of(SearchSetting::Kind::bayes, 30), space, Stream(5)));
  const auto twice = play(*make_search(setting_of(SearchSetting::Kind::bayes, 30), space, Stream(5)));
  REQUIRE(once.size() == 30);
  for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i].score == twice[i].score);
}

TEST_CASE("successive halving gives the better third three times the rows") {
  const SearchSpace space = continuous_space();
  SearchSetting setting = setting_of(SearchSetting::Kind::halving, 27);
  const auto scores = play(*make_search(setting, space, Stream(1)));
  CHECK(scores.size() == 27 + 9 + 3 + 1);
  CHECK(scores[0].proposal.rows == doctest::Approx(1.0 / 27.0));
  CHECK(scores[27].proposal.rows == doctest::Approx(1.0 / 9.0));
  CHECK(scores.back().proposal.is_full());
  double best = -1e300;
  for (std::size_t i = 0; i < 27; ++i) best = std::max(best, scores[i].score);
  CHECK(scores.back().score == best);
  const SearchCost cost = search_cost(setting, space);
  CHECK(cost.proposals == 40);
  CHECK(cost.full_fits == doctest::Approx(4.0));
  setting.least = 0.3;
  CHECK(search_cost(setting, space).proposals == 27 + 9);
}

TEST_CASE("halving over a staged parameter fits fewer stages first, and Hyperband hedges") {
  SearchSpace space = continuous_space();
  space.fixed.set("trees", std::int64_t{81});
  space.staged = "trees";
  const auto scores = play(*make_search(setting_of(SearchSetting::Kind::halving, 9), space, Stream(1)));
  CHECK(scores[0].proposal.stage == 9.0);
  CHECK(scores[9].proposal.stage == 27.0);
  CHECK(scores.back().proposal.is_full());
  const auto hedged = play(*make_search(setting_of(SearchSetting::Kind::hyperband, 0), space, Stream(1)));
  std::size_t full = 0;
  for (const ProposalScore& score : hedged) full += score.proposal.is_full() ? 1 : 0;
  CHECK(full >= 4);  // every bracket ends with the whole resource
  CHECK(hedged[0].proposal.stage == 3.0);
  CHECK(hedged.back().proposal.is_full());
}

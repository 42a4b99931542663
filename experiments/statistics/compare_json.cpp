#include <cmath>

#include "experiments/statistics/compare.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinities: null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json t_test_json(const PairedTTest& test) {
  return {{"pairs", test.pairs},
          {"mean_difference", number(test.mean_difference)},
          {"t", number(test.t)},
          {"p", test.p},
          {"cohen_d", number(test.cohen_d)}};
}

Json friedman_json(const FriedmanTest& friedman) {
  return {{"datasets", friedman.datasets},     {"algorithms", friedman.algorithms},
          {"chi_square", friedman.chi_square}, {"chi_square_p", friedman.chi_square_p},
          {"f", number(friedman.f)},           {"f_p", friedman.f_p},
          {"kendall_w", friedman.kendall_w}};
}

Json nemenyi_json(const Comparison& comparison) {
  const NemenyiTest& nemenyi = *comparison.nemenyi;
  Json bars = Json::array();
  for (const RankBar& bar : nemenyi.bars) {
    Json names = Json::array();
    for (std::size_t place = bar.first; place <= bar.last; ++place)
      names.push_back(comparison.algorithms[nemenyi.order[place]]);
    bars.push_back(std::move(names));
  }
  return {{"alpha", nemenyi.alpha},
          {"critical_difference", nemenyi.critical_difference},
          {"not_told_apart", std::move(bars)}};
}

Json bayesian_json(const BayesianSignedRank& test) {
  return {{"rope", test.rope},
          {"first_better", test.first_better},
          {"equal", test.equal},
          {"second_better", test.second_better}};
}

Json pair_json(const Comparison& comparison, const PairComparison& pair) {
  return {{"first", comparison.algorithms[pair.first]},
          {"second", comparison.algorithms[pair.second]},
          {"first_wins", pair.first_wins},
          {"ties", pair.ties},
          {"second_wins", pair.second_wins},
          {"wilcoxon",
           {{"pairs", pair.wilcoxon.pairs},
            {"zeros", pair.wilcoxon.zeros},
            {"positive_ranks", pair.wilcoxon.positive_ranks},
            {"negative_ranks", pair.wilcoxon.negative_ranks},
            {"exact", pair.wilcoxon.exact},
            {"p", pair.wilcoxon.p},
            {"holm_p", pair.holm},
            {"rank_biserial", pair.wilcoxon.rank_biserial},
            {"median_difference", number(pair.wilcoxon.median_difference)}}},
          {"nemenyi_p", pair.nemenyi_p ? Json(*pair.nemenyi_p) : Json()},
          {"student_t", pair.student.pairs > 1 ? t_test_json(pair.student) : Json()},
          {"bayesian_signed_rank", pair.bayesian ? bayesian_json(*pair.bayesian) : Json()}};
}

}  // namespace

Json Comparison::json() const {
  Json object{{"metric", metric},         {"higher_is_better", higher_is_better},
              {"alpha", options.alpha},   {"zeros", zero_handling_text(options.zeros)},
              {"algorithms", algorithms}, {"datasets", datasets},
              {"scores", scores}};
  object["average_ranks"] = friedman ? Json(friedman->average_ranks) : Json();
  object["friedman"] = friedman ? friedman_json(*friedman) : Json();
  object["nemenyi"] = nemenyi ? nemenyi_json(*this) : Json();
  object["pairs"] = Json::array();
  for (const PairComparison& pair : pairs) object["pairs"].push_back(pair_json(*this, pair));
  object["on_datasets"] = Json::array();
  for (const DatasetComparison& each : on_datasets)
    object["on_datasets"].push_back(
        {{"dataset", datasets[each.dataset]},
         {"first", algorithms[each.first]},
         {"second", algorithms[each.second]},
         {"student_t", t_test_json(each.test.student)},
         {"corrected_t", each.test.corrected ? t_test_json(*each.test.corrected) : Json()}});
  object["warnings"] = warnings;
  return object;
}

}  // namespace coppice

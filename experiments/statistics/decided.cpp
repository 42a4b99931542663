#include "experiments/statistics/decided.h"

#include "experiments/statistics/distributions.h"
#include "experiments/tables/score_grid.h"

namespace coppice {

namespace {

using Verdict = DecidedPair::Verdict;

Verdict judge(const DecidedPair& pair, double alpha) {
  const auto wins_for_certain = [&](std::size_t wins, std::size_t losses) {
    return wins > losses + pair.left && sign_test_p(wins, losses + pair.left) <= alpha;
  };
  const auto may_win = [&](std::size_t wins, std::size_t losses) {
    return wins + pair.left > losses && sign_test_p(wins + pair.left, losses) <= alpha;
  };
  if (wins_for_certain(pair.first_wins, pair.second_wins)) return Verdict::first_better;
  if (wins_for_certain(pair.second_wins, pair.first_wins)) return Verdict::second_better;
  const bool may = may_win(pair.first_wins, pair.second_wins) || may_win(pair.second_wins, pair.first_wins);
  return may ? Verdict::open : Verdict::no_difference;
}

bool finished(const GridCell& cell) {
  return cell.has_value() && !cell.has_holes();
}

}  // namespace

Table decided_table(const ResultSet& results, const std::vector<DecidedPair>& pairs) {
  Table table;
  table.row_kind = table.column_kind = "algorithm";
  for (const std::string& name : results.algorithms) {
    table.rows.push_back({name});
    table.columns.push_back({name});
  }
  table.cells.assign(table.rows.size(), std::vector<TableCell>(table.columns.size()));
  for (const DecidedPair& pair : pairs) {
    TableCell& first = table.cells[pair.first][pair.second];
    TableCell& second = table.cells[pair.second][pair.first];
    switch (pair.verdict) {
      case Verdict::open:
        first.text = second.text = "open";
        break;
      case Verdict::no_difference:
        first.text = second.text = "no difference";
        break;
      case Verdict::first_better:
        first = {"beats", Emphasis::best};
        second.text = "loses";
        break;
      case Verdict::second_better:
        first.text = "loses";
        second = {"beats", Emphasis::best};
        break;
    }
  }
  return table;
}

std::vector<DecidedPair> decided_pairs(const ResultSet& results, const Metric& metric, double alpha) {
  const ScoreGrid grid(results, metric);
  std::vector<DecidedPair> pairs;
  for (std::size_t first = 0; first < results.algorithms.size(); ++first) {
    for (std::size_t second = first + 1; second < results.algorithms.size(); ++second) {
      DecidedPair pair{first, second};
      for (std::size_t dataset = 0; dataset < grid.datasets(); ++dataset) {
        if (grid.inapplicable(dataset)) continue;
        const GridCell& one = grid.cell(dataset, first);
        const GridCell& other = grid.cell(dataset, second);
        if (!finished(one) || !finished(other)) {
          ++pair.left;
        } else if (one.summary.mean == other.summary.mean) {
          ++pair.ties;
        } else {
          const bool first_higher = one.summary.mean > other.summary.mean;
          ++(first_higher == metric.description->higher_is_better ? pair.first_wins : pair.second_wins);
        }
      }
      pair.verdict = judge(pair, alpha);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace coppice

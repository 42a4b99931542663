#pragma once

#include <string>
#include <vector>

#include "experiments/statistics/compare.h"
#include "experiments/tables/table.h"

namespace coppice {

/// A sentence for each test over all datasets: Friedman, Iman-Davenport, the critical difference.
std::vector<std::string> overall_findings(const Comparison& comparison);

/// Algorithms by average rank, with letters for those that the critical difference does not tell apart.
Table rank_summary_table(const Comparison& comparison);

/// Algorithms × algorithms: Wilcoxon's p and which one is better, as Tables 6.7 and 6.9 of the thesis.
Table wilcoxon_table(const Comparison& comparison);

/// A row for each pair: wins, effect sizes, every test.
Table pair_table(const Comparison& comparison);

/// Datasets × pairs: the paired t-test on each dataset.
Table dataset_test_table(const Comparison& comparison);

/// The tables of these names: ranks, wilcoxon, pairs, datasets. None named: those that have something to say
/// and stay readable. Throws Error(usage) for a name that there is not, and for tests over datasets where
/// there is one dataset only.
std::vector<Table> comparison_tables(const Comparison& comparison,
                                     const std::vector<std::string>& names = {});

/// Everything as one text in a format: findings, tables (see comparison_tables), warnings. For latex the
/// prose is comments; for csv it is left out and tables are separated by an empty line.
std::string render_comparison(const Comparison& comparison, TableFormat format, const TextLayout& layout = {},
                              const std::vector<std::string>& names = {});

}  // namespace coppice

#pragma once

#include <vector>

#include "experiments/report/figure.h"
#include "experiments/results/result_set.h"

namespace coppice {

/// Score against fit time and against model size on every dataset, for every score and each cost that was
/// measured.
std::vector<Figure> cost_figures(const ResultSet& results);

/// Score over each swept parameter on every dataset.
std::vector<Figure> curve_figures(const ResultSet& results);

/// Score over the number of training rows, where datasets of several sizes come from one generator.
std::vector<Figure> learning_figures(const ResultSet& results);

/// Score over each pair of parameters that an algorithm sweeps together, one for each combination of its
/// other swept values.
std::vector<Figure> heat_figures(const ResultSet& results);

/// The scores of all trials, where a dataset has three or more of an algorithm.
std::vector<Figure> box_figures(const ResultSet& results);

/// All of these.
std::vector<Figure> all_figures(const ResultSet& results);

}  // namespace coppice

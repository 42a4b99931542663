#pragma once

#include <string>

#include "algorithms/algorithm.h"

namespace coppice {

/// What the usual parameters of trees say about one of them, roughly.
struct TreeShape {
  double leaves = 2.0;
  double levels = 1.0;
  double considered = 1.0;  ///< share of the features that a node looks at

  /// A tree on rows of which `different` have something to tell apart; none of the parameters need be there.
  static TreeShape of(const Parameters& parameters, const ProblemSize& size, double different);
};

/// What a tree takes however small it is.
inline constexpr double bytes_of_tree = 600.0;

/// The number that a parameter has, or `fallback` where it is absent, `none` or a word.
double number_or(const Parameters& parameters, const std::string& name, double fallback);

/// Whether a parameter is there and has this word.
bool is_word(const Parameters& parameters, const std::string& name, const std::string& word);

}  // namespace coppice

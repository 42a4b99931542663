#include "core/tree/sorted_columns.h"

#include <algorithm>
#include <cstring>

#include "core/base/wide_vectors.h"
#include "core/tree/prefix_sums.h"

namespace coppice {

namespace {

std::uint32_t code_of_key(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}
std::uint32_t row_of_key(std::uint64_t key) {
  return static_cast<std::uint32_t>(key);
}

/// Rows times columns times numbers above which several threads search a node.
constexpr std::size_t work_of_a_thread = std::size_t{1} << 15;

std::size_t columns_at_once(std::size_t work_of_a_column) {
  return std::max<std::size_t>(1, work_of_a_thread / std::max<std::size_t>(1, work_of_a_column));
}

constexpr std::size_t lanes_at_once = 8;
using Scores = double __attribute__((vector_size(lanes_at_once * sizeof(double))));
using Keys = std::uint64_t __attribute__((vector_size(lanes_at_once * sizeof(std::uint64_t))));
/// Boundaries whose best score is kept.
constexpr std::size_t boundaries_together = 4 * lanes_at_once;

/// The largest product of a square and its factor at which the code of a key is not that of the next, of each
/// so many boundaries; there is a key after the last of them.
COPPICE_WIDEST_VECTORS
void top_scores(const std::uint64_t* keys, const double* squares, const double* factors, std::size_t count,
                double* tops) {
  for (std::size_t begin = 0; begin < count; begin += boundaries_together, ++tops) {
    Scores top = {};
    const std::size_t last = std::min(begin + boundaries_together, count);
    std::size_t i = begin;
    for (; i + lanes_at_once <= last; i += lanes_at_once) {
      Keys these;
      Keys next;
      Scores score;
      Scores factor;
      std::memcpy(&these, keys + i, sizeof these);
      std::memcpy(&next, keys + i + 1, sizeof next);
      std::memcpy(&score, squares + i, sizeof score);
      std::memcpy(&factor, factors + i, sizeof factor);
      score *= factor;
      score = ((these ^ next) >> 32) != 0 ? score : Scores{};
      top = score > top ? score : top;
    }
    double largest = 0.0;
    for (std::size_t l = 0; l < lanes_at_once; ++l) largest = std::max(largest, top[l]);
    for (; i < last; ++i)
      if (code_of_key(keys[i]) != code_of_key(keys[i + 1]))
        largest = std::max(largest, squares[i] * factors[i]);
    *tops = largest;
  }
}

}  // namespace

SortedColumns::SortedColumns(const CodedInputs& inputs, std::span<const std::uint32_t> rows)
    : column_of_(inputs.columns(), none) {
  std::vector<std::uint32_t> place(inputs.rows(), none);
  for (std::uint32_t i = 0; i < rows.size(); ++i) place[rows[i]] = i;
  for (std::uint32_t feature = 0; feature < inputs.columns(); ++feature) {
    const CodedColumn& coded = inputs.column(feature);
    if (coded.constant || (!coded.dense && coded.two_valued())) continue;
    Column column{feature, coded.dense, coded.default_code, keys_.size(), 0};
    const auto code_at = [&](std::size_t i) {
      return std::uint64_t{coded.narrow() ? coded.narrow_codes[i] : coded.wide_codes[i]} << 32;
    };
    if (coded.dense)
      for (std::uint32_t i = 0; i < rows.size(); ++i) keys_.push_back(code_at(rows[i]) | i);
    else
      for (std::size_t e = 0; e < coded.rows.size(); ++e)
        if (place[coded.rows[e]] != none) keys_.push_back(code_at(e) | place[coded.rows[e]]);
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(column.begin);
    std::sort(first, keys_.end());
    column.count = static_cast<std::uint32_t>(keys_.end() - first);
    const bool others = column.count < rows.size();
    if (column.count == 0 || (!others && code_of_key(*first) == code_of_key(keys_.back()))) {
      keys_.resize(column.begin);
      continue;
    }
    column_of_[feature] = static_cast<std::uint32_t>(columns_.size());
    columns_.push_back(column);
  }
}

SortedColumns::Parts SortedColumns::begin(std::span<const std::uint32_t> weights,
                                          std::vector<std::uint64_t>& order) const {
  Parts parts(columns_.size());
  order.resize(keys_.size());
  std::uint64_t written = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto keys = std::span(keys_).subspan(columns_[c].begin, columns_[c].count);
    parts[c].begin = written;
    if (weights.empty()) {
      std::copy(keys.begin(), keys.end(), order.begin() + static_cast<std::ptrdiff_t>(written));
      written += keys.size();
    } else {
      for (const std::uint64_t key : keys)
        if (weights[row_of_key(key)] > 0) order[written++] = key;
    }
    parts[c].count = static_cast<std::uint32_t>(written - parts[c].begin);
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(parts[c].begin);
    parts[c].below =
        columns_[c].dense
            ? parts[c].count
            : static_cast<std::uint32_t>(std::lower_bound(first, first + parts[c].count,
                                                          std::uint64_t{columns_[c].default_code} << 32) -
                                         first);
  }
  return parts;
}

/// Finds the best split of one column after another in a node.
class SortedColumns::Sweep {
 public:
  Sweep(const BlockedTargets& targets, const std::vector<double>& centred,
        std::span<const std::uint32_t> weights, const NodeSums& node, std::uint64_t min_samples_leaf)
      : targets_(&targets),
        centred_(centred.data()),
        weights_(weights),
        node_(&node),
        least_(std::max<std::uint64_t>(1, min_samples_leaf)),
        ids_(node.rows.size()),
        squares_(node.rows.size()),
        block_squares_(node.rows.size()),
        reversed_(node.rows.size()),
        factors_(node.rows.size(), 0.0),
        tops_(node.rows.size() / boundaries_together + 1) {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const double weight = static_cast<double>(i) + 1.0;
      if (allowed(i + 1, factors_.size())) factors_[i] = node.weight / (weight * (node.weight - weight));
    }
  }

  ColumnSplit best(const Column& column, const Part& part, const std::uint64_t* keys) {
    best_ = {};
    best_.feature = column.feature;
    bar_ = 0.0;
    const bool others = part.count < node_->rows.size();
    const std::uint32_t below = others ? part.below : part.count;
    if (below > 0) {
      const std::uint32_t last = code_of_key(keys[below - 1]);
      sweep_with_sums<false>(keys, below, others ? column.default_code : last);
    }
    if (below < part.count) sweep_with_sums<true>(keys + below, part.count - below, column.default_code);
    return best_;
  }

 private:
  bool allowed(std::uint64_t side, std::uint64_t rows) const {
    return side >= least_ && rows - side >= least_;
  }

  /// Adds keys to a side one by one, from the lowest up or from the highest down. After the last of them come
  /// rows with the code `end`.
  template <bool down>
  void sweep_with_sums(const std::uint64_t* keys, std::uint32_t count, std::uint32_t end) {
    if constexpr (down) {
      std::reverse_copy(keys, keys + count, reversed_.begin());
      keys = reversed_.data();
    }
    follow(keys, count);
    if (weights_.empty())
      sweep_alike<down>(keys, count, end);
    else
      sweep_weighted<down>(keys, count, end);
  }

  /// squares_[i] becomes |S|² of the first i + 1 keys.
  void follow(const std::uint64_t* keys, std::uint32_t count) {
    const std::size_t lanes = targets_->lanes();
    if (targets_->width() == 1) {
      prefix_squares_single(
          centred_, [keys](std::size_t i) { return row_of_key(keys[i]); }, count, node_->start[0],
          squares_.data());
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) ids_[i] = row_of_key(keys[i]);
    prefix_squares(centred_, lanes, ids_.data(), count, node_->start.data(), squares_.data());
    for (std::size_t block = 1; block < targets_->blocks(); ++block) {
      prefix_squares(centred_ + block * targets_->rows() * lanes, lanes, ids_.data(), count,
                     node_->start.data() + block * lanes, block_squares_.data());
      for (std::uint32_t i = 0; i < count; ++i) squares_[i] += block_squares_[i];
    }
  }

  /// Scores every boundary between two codes. Rows weigh 1, so how much a side weighs is known: all
  /// boundaries are scored roughly, many at a time, and those near the best exactly.
  template <bool down>
  void sweep_alike(const std::uint64_t* keys, std::uint32_t count, std::uint32_t end) {
    top_scores(keys, squares_.data(), factors_.data(), count - 1, tops_.data());
    const std::size_t parts = (count - 1 + boundaries_together - 1) / boundaries_together;
    double top = squares_[count - 1] * factors_[count - 1];
    if (code_of_key(keys[count - 1]) == end) top = 0.0;
    for (std::size_t p = 0; p < parts; ++p) top = std::max(top, tops_[p]);
    if (!(top > 0.0)) return;
    const double near = top * (1.0 - 0x1.0p-40);
    bool mine = false;
    for (std::size_t p = 0; p < parts; ++p) {
      if (tops_[p] < near) continue;
      const auto first = static_cast<std::uint32_t>(p * boundaries_together);
      const auto last = std::min<std::uint32_t>(first + boundaries_together, count - 1);
      for (std::uint32_t i = first; i < last; ++i)
        if (squares_[i] * factors_[i] >= near)
          consider<down>(code_of_key(keys[i]), code_of_key(keys[i + 1]), i, i + 1.0, mine);
    }
    consider<down>(code_of_key(keys[count - 1]), end, count - 1, count, mine);
  }
  /// The same for rows that weigh something each.
  template <bool down>
  void sweep_weighted(const std::uint64_t* keys, std::uint32_t count, std::uint32_t end) {
    double weight = 0.0;
    bool mine = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      weight += weights_[row_of_key(keys[i])];
      consider<down>(code_of_key(keys[i]), i + 1 < count ? code_of_key(keys[i + 1]) : end, i, weight, mine);
    }
  }

  /// The split between two codes, after so many keys that weigh so much. `mine` says whether the best split
  /// comes from this sweep.
  template <bool down>
  void consider(std::uint32_t code, std::uint32_t next, std::uint32_t i, double weight, bool& mine) {
    if (code == next || !allowed(i + 1, node_->rows.size())) return;
    const double numerator = squares_[i] * node_->weight;
    const double denominator = weight * (node_->weight - weight);
    if (numerator < bar_ * denominator) return;
    // Of equal ones on the way down the last has the lowest threshold.
    const bool equal = down && mine && numerator / denominator == best_.score();
    if (!better(numerator, denominator) && !equal) return;
    best_.last_left = down ? next : code;
    best_.first_right = down ? code : next;
    mine = true;
  }

  /// Whether a split is better than the best so far; if so it is the best.
  bool better(double numerator, double denominator) {
    const double score = numerator / denominator;
    if (!(score > 0.0) || (best_.found && !(score > best_.score()))) return false;
    best_.found = true;
    best_.numerator = numerator;
    best_.denominator = denominator;
    // A little less: divides only where a multiplication cannot tell.
    bar_ = score * (1.0 - 0x1.0p-40);
    return true;
  }

  const BlockedTargets* targets_;
  const double* centred_;
  std::span<const std::uint32_t> weights_;
  const NodeSums* node_;
  std::uint64_t least_;
  std::vector<std::uint32_t> ids_;
  std::vector<double> squares_;
  std::vector<double> block_squares_;
  std::vector<std::uint64_t> reversed_;
  std::vector<double> factors_;  ///< what |S|² of so many rows is multiplied by; 0 where that is no split
  std::vector<double> tops_;     ///< the best score of so many boundaries together
  ColumnSplit best_;
  double bar_ = 0.0;
};

std::vector<ColumnSplit> SortedColumns::search(const BlockedTargets& targets,
                                               std::span<const std::uint32_t> weights, const NodeSums& node,
                                               const Parts& parts, const std::vector<std::uint64_t>& order,
                                               std::uint64_t min_samples_leaf, std::vector<double>& centred,
                                               const Context& context) const {
  const std::size_t lanes = targets.lanes();
  centred.resize(targets.rows() * targets.width());
  const std::size_t blocks_at_once = columns_at_once(node.rows.size() * lanes);
  parallel_blocks(context, targets.blocks(), blocks_at_once, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      const double* from = targets.block(block);
      const double* centre = node.centre.data() + block * lanes;
      double* to = centred.data() + block * targets.rows() * lanes;
      for (const std::uint32_t row : node.rows) {
        const double weight = weights.empty() ? 1.0 : weights[row];
        for (std::size_t j = 0; j < lanes; ++j)
          to[row * lanes + j] = from[row * lanes + j] - weight * centre[j];
      }
    }
  });
  std::vector<ColumnSplit> found(columns_.size());
  parallel_blocks(context, columns_.size(), columns_at_once(node.rows.size() * targets.width()),
                  [&](std::size_t first, std::size_t last) {
                    Sweep sweep(targets, centred, weights, node, min_samples_leaf);
                    for (std::size_t c = first; c < last; ++c)
                      found[c] = sweep.best(columns_[c], parts[c], order.data() + parts[c].begin);
                  });
  return found;
}

void SortedColumns::mark(const ColumnSplit& split, const Parts& parts,
                         const std::vector<std::uint64_t>& order, const NodeSums& node,
                         std::vector<std::uint8_t>& left) const {
  const std::uint32_t c = column_of_[split.feature];
  const std::uint8_t others = columns_[c].default_code <= split.last_left ? 1 : 0;
  if (!columns_[c].dense)
    for (const std::uint32_t row : node.rows) left[row] = others;
  for (std::uint64_t k = parts[c].begin; k < parts[c].begin + parts[c].count; ++k)
    left[row_of_key(order[k])] = code_of_key(order[k]) <= split.last_left ? 1 : 0;
}

void SortedColumns::divide(const Parts& parts, const std::vector<std::uint8_t>& left,
                           std::vector<std::uint64_t>& order, Parts& left_parts, Parts& right_parts,
                           const Context& context) const {
  left_parts.resize(parts.size());
  right_parts.resize(parts.size());
  const std::size_t rows = parts.empty() ? 0 : parts[0].count;
  parallel_blocks(context, parts.size(), columns_at_once(rows), [&](std::size_t first, std::size_t last) {
    std::vector<std::uint64_t> right;
    for (std::size_t c = first; c < last; ++c) {
      const Part& part = parts[c];
      std::uint64_t* keys = order.data() + part.begin;
      right.resize(part.count);
      std::uint32_t lefts = 0;
      std::uint32_t rights = 0;
      std::uint32_t lefts_below = 0;
      for (std::uint32_t i = 0; i < part.count; ++i) {
        if (i == part.below) lefts_below = lefts;
        const std::uint64_t key = keys[i];
        const std::uint32_t goes_left = left[row_of_key(key)];
        keys[lefts] = key;
        right[rights] = key;
        lefts += goes_left;
        rights += 1 - goes_left;
      }
      if (part.below == part.count) lefts_below = lefts;
      std::copy_n(right.begin(), rights, keys + lefts);
      left_parts[c] = {part.begin, lefts, lefts_below};
      right_parts[c] = {part.begin + lefts, rights, part.below - lefts_below};
    }
  });
}

}  // namespace coppice

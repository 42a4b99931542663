#include "core/tree/sorted_columns.h"

#include <algorithm>

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
        block_squares_(node.rows.size()) {}

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
    if (targets_->width() == 1) {
      double sum = node_->start[0];
      sweep<down>(keys, count, end, [&](std::uint32_t /*i*/, std::uint32_t row) {
        sum += centred_[row];
        return sum * sum;
      });
      return;
    }
    follow(keys, count, down);
    sweep<down>(keys, count, end, [&](std::uint32_t i, std::uint32_t /*row*/) { return squares_[i]; });
  }

  /// Scores every boundary between two codes; `squares` gives |S|² of the side so far.
  template <bool down, typename Squares>
  void sweep(const std::uint64_t* keys, std::uint32_t count, std::uint32_t end, const Squares& squares) {
    const std::uint64_t rows = node_->rows.size();
    const bool weighted = !weights_.empty();
    double weight = 0.0;
    bool mine = false;
    std::uint64_t key = keys[down ? count - 1 : 0];
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t row = row_of_key(key);
      const std::uint32_t code = code_of_key(key);
      weight += weighted ? weights_[row] : 1.0;
      const double square = squares(i, row);
      std::uint32_t next = end;
      if (i + 1 < count) {
        key = keys[down ? count - 2 - i : i + 1];
        next = code_of_key(key);
      }
      if (code == next || !allowed(i + 1, rows)) continue;
      const double numerator = square * node_->weight;
      const double denominator = weight * (node_->weight - weight);
      if (numerator < bar_ * denominator) continue;
      // Of equal ones on the way down the last has the lowest threshold.
      const bool equal = down && mine && numerator / denominator == best_.score();
      if (better(numerator, denominator) || equal) {
        best_.last_left = down ? next : code;
        best_.first_right = down ? code : next;
        mine = true;
      }
    }
  }

  /// squares_[i] becomes |S|² of the first i + 1 keys, or of the last ones.
  void follow(const std::uint64_t* keys, std::uint32_t count, bool down) {
    for (std::uint32_t i = 0; i < count; ++i) ids_[i] = row_of_key(keys[down ? count - 1 - i : i]);
    const std::size_t lanes = targets_->lanes();
    prefix_squares(centred_, lanes, ids_.data(), count, node_->start.data(), squares_.data());
    for (std::size_t block = 1; block < targets_->blocks(); ++block) {
      prefix_squares(centred_ + block * targets_->rows() * lanes, lanes, ids_.data(), count,
                     node_->start.data() + block * lanes, block_squares_.data());
      for (std::uint32_t i = 0; i < count; ++i) squares_[i] += block_squares_[i];
    }
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

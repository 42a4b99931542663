#include "algorithms/craftml/label_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/craftml/lanes.h"

namespace coppice::craftml {

namespace {

/// Rows nearer than this to a seed are the same but for rounding.
constexpr float least_distance = 1e-5F;

/// Renumbers clusters by size, the largest first, and forgets empty ones.
std::size_t order_by_size(std::span<std::uint8_t> codes, std::size_t clusters) {
  std::vector<std::size_t> sizes(clusters, 0);
  for (const std::uint8_t code : codes) ++sizes[code];
  std::vector<std::size_t> order(clusters);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sizes[a] > sizes[b]; });
  std::vector<std::uint8_t> number(clusters);
  for (std::size_t i = 0; i < clusters; ++i) number[order[i]] = static_cast<std::uint8_t>(i);
  for (std::uint8_t& code : codes) code = number[code];
  return clusters - static_cast<std::size_t>(std::count(sizes.begin(), sizes.end(), std::size_t{0}));
}

}  // namespace

LabelClusters::LabelClusters(const Options& options, const LabelSets& labels, std::span<const float> weights)
    : kind_(options.projection),
      per_node_(options.labels_per_node),
      balanced_(options.balanced),
      dimension_(options.label_dimension),
      branches_(options.branches),
      rows_per_branch_(options.rows_per_branch),
      iterations_(options.iterations),
      lanes_(lanes_for(options.branches)),
      labels_(&labels),
      weights_(weights),
      scores_(lanes_) {
  // One slot more: the direction of rows without labels.
  local_of_.assign((kind_ == ProjectionKind::hashing ? dimension_ : labels.label_count()) + 1, 0);
}

void LabelClusters::start_tree(std::uint64_t seed) {
  tree_seed_ = seed;
  hashing_ = {seed, dimension_};
}

void LabelClusters::start_node(std::uint32_t node) {
  if (per_node_) hashing_.seed = coppice::mix(tree_seed_ ^ coppice::mix(node + 1));
}

std::uint32_t LabelClusters::local(std::uint32_t slot) {
  if (local_of_[slot] == 0) {
    slots_.push_back(slot);
    place_.push_back(0);
    local_of_[slot] = static_cast<std::uint32_t>(slots_.size());
  }
  return local_of_[slot] - 1;
}

void LabelClusters::add_entry(std::uint32_t slot, float value) {
  const std::uint32_t column = local(slot);
  if (place_[column] > begin_.back()) {
    values_[place_[column] - 1] += value;
    return;
  }
  columns_.push_back(column);
  values_.push_back(value);
  place_[column] = static_cast<std::uint32_t>(columns_.size());
}

/// Of the projected row that begins at entry `first`.
double LabelClusters::squared_length(std::size_t first) {
  double squares = 0.0;
  if (kind_ == ProjectionKind::hashing) {
    for (std::size_t e = first; e < values_.size(); ++e) squares += double{values_[e]} * double{values_[e]};
    return squares;
  }
  std::vector<std::uint32_t> ids;
  for (std::size_t e = first; e < columns_.size(); ++e) ids.push_back(slots_[columns_[e]]);
  GaussianProjection(hashing_.seed, dimension_)
      .project(ids, std::span(values_).subspan(first), 1, projected_);
  for (const float value : projected_) squares += double{value} * double{value};
  return squares;
}

void LabelClusters::end_row() {
  const std::size_t first = begin_.back();
  const double squares = squared_length(first);
  if (squares > 0.0) {
    const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
    for (std::size_t e = first; e < values_.size(); ++e) values_[e] *= scale;
  } else {
    columns_.resize(first);
    values_.resize(first);
    columns_.push_back(0);
    values_.push_back(1.0F);
  }
  begin_.push_back(columns_.size());
}

void LabelClusters::read_rows(std::span<const std::uint32_t> rows) {
  for (const std::uint32_t slot : slots_) local_of_[slot] = 0;
  slots_.clear();
  place_.clear();
  columns_.clear();
  values_.clear();
  begin_.assign(1, 0);
  local(static_cast<std::uint32_t>(local_of_.size() - 1));
  for (const std::uint32_t row : rows) {
    for (const std::uint32_t label : (*labels_)[row]) {
      const float weight = weights_.empty() ? 1.0F : weights_[label];
      if (kind_ == ProjectionKind::gaussian) {
        add_entry(label, weight);
        continue;
      }
      const std::uint32_t code = hashing_.code(label);
      add_entry(code >> 1, (code & 1) != 0 ? -weight : weight);
    }
    end_row();
  }
}

/// M becomes PP'M; the direction of rows without labels stays as it is.
void LabelClusters::mix(std::span<float> matrix, std::size_t lanes) {
  GaussianProjection(hashing_.seed, dimension_)
      .gram(std::span(slots_).subspan(1), matrix.subspan(lanes), lanes, projected_);
}

/// Lists the rows of each coordinate: a seed is then compared with those rows only that share labels with it.
void LabelClusters::index_columns() {
  column_begin_.assign(slots_.size() + 1, 0);
  for (const std::uint32_t column : columns_) ++column_begin_[column + 1];
  for (std::size_t s = 0; s < slots_.size(); ++s) column_begin_[s + 1] += column_begin_[s];
  column_rows_.resize(columns_.size());
  column_values_.resize(columns_.size());
  std::vector<std::uint64_t> end(column_begin_.begin(), column_begin_.end() - 1);
  for (std::uint32_t i = 0; i < row_count(); ++i)
    for (std::uint64_t e = begin_[i]; e < begin_[i + 1]; ++e) {
      column_rows_[end[columns_[e]]] = i;
      column_values_[end[columns_[e]]++] = values_[e];
    }
}

/// The cosine of every row with row `seed`, in similarity_.
void LabelClusters::seed_similarities(std::size_t seed) {
  seed_.assign(slots_.size(), 0.0F);
  for (std::uint64_t e = begin_[seed]; e < begin_[seed + 1]; ++e) seed_[columns_[e]] = values_[e];
  if (kind_ == ProjectionKind::gaussian) mix(seed_, 1);
  similarity_.assign(row_count(), 0.0F);
  for (std::size_t s = 0; s < seed_.size(); ++s) {
    if (seed_[s] == 0.0F) continue;
    for (std::uint64_t e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
      similarity_[column_rows_[e]] += seed_[s] * column_values_[e];
  }
}

/// A row drawn with a probability proportional to its squared distance to the nearest seed, which is
/// 2 - 2·cosine; none if no row is away from all seeds.
std::optional<std::size_t> LabelClusters::draw_seed(Stream& stream) const {
  double total = 0.0;
  for (const float cosine : nearest_)
    if (1.0F - cosine > least_distance) total += double{1.0F - cosine};
  if (total <= 0.0) return std::nullopt;
  double target = stream.uniform() * total;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    const float distance = 1.0F - nearest_[i];
    if (distance <= least_distance) continue;
    chosen = i;
    target -= double{distance};
    if (target < 0.0) break;
  }
  return chosen;
}

/// k-means++ (Arthur and Vassilvitskii 2007); `codes` says the nearest seed of each row. Returns the number
/// of seeds.
std::size_t LabelClusters::start_clusters(Stream& stream, std::span<std::uint8_t> codes) {
  nearest_.assign(row_count(), -std::numeric_limits<float>::infinity());
  const std::size_t wanted = std::clamp<std::size_t>(row_count() / rows_per_branch_, 2, branches_);
  std::optional<std::size_t> seed = stream.below(row_count());
  std::size_t seeds = 0;
  while (seed && seeds < wanted) {
    seed_similarities(*seed);
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      if (similarity_[i] <= nearest_[i]) continue;
      nearest_[i] = similarity_[i];
      codes[i] = static_cast<std::uint8_t>(seeds);
    }
    ++seeds;
    if (seeds < wanted) seed = draw_seed(stream);
  }
  return seeds;
}

/// Centroids of the clusters that `codes` says.
void LabelClusters::update_centroids(std::span<const std::uint8_t> codes, std::size_t clusters) {
  centroids_.assign(slots_.size() * lanes_, 0.0F);
  for (std::size_t i = 0; i < codes.size(); ++i)
    for (std::uint64_t e = begin_[i]; e < begin_[i + 1]; ++e)
      centroids_[columns_[e] * lanes_ + codes[i]] += values_[e];
  const bool mixed_by_gaussian = kind_ == ProjectionKind::gaussian;
  if (mixed_by_gaussian) {
    gathered_ = centroids_;
    mix(centroids_, lanes_);
  }
  const std::vector<float>& before = mixed_by_gaussian ? gathered_ : centroids_;
  std::vector<double> squares(lanes_);
  sum_products(
      lanes_, slots_.size(),
      [&](std::size_t s) {
        return std::pair{before.data() + s * lanes_, std::as_const(centroids_).data() + s * lanes_};
      },
      squares);
  scale_.assign(clusters, 0.0F);
  for (std::size_t c = 0; c < clusters; ++c)
    if (squares[c] > 0.0) scale_[c] = static_cast<float>(1.0 / std::sqrt(squares[c]));
}

void LabelClusters::score_row(std::size_t row) {
  const std::uint64_t first = begin_[row];
  weighted_sum(
      centroids_, lanes_, begin_[row + 1] - first,
      [&](std::size_t e) {
        return Term{columns_[first + e], values_[first + e]};
      },
      scores_);
}

void LabelClusters::assign(std::span<std::uint8_t> codes, std::size_t clusters) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    score_row(i);
    codes[i] = static_cast<std::uint8_t>(best_scaled(scores_, std::span(scale_).first(clusters)));
  }
}

/// No cluster gets more than its share: rows choose in the order of their largest cosine.
void LabelClusters::assign_balanced(std::span<std::uint8_t> codes, std::size_t clusters) {
  const std::size_t rows = codes.size();
  std::vector<float> cosines(rows * clusters);
  std::vector<float> best(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    score_row(i);
    for (std::size_t c = 0; c < clusters; ++c) cosines[i * clusters + c] = scores_[c] * scale_[c];
    best[i] = *std::max_element(cosines.begin() + static_cast<std::ptrdiff_t>(i * clusters),
                                cosines.begin() + static_cast<std::ptrdiff_t>((i + 1) * clusters));
  }
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return best[a] > best[b]; });
  std::vector<std::size_t> room(clusters, (rows + clusters - 1) / clusters);
  for (const std::size_t i : order) {
    std::size_t chosen = clusters;
    for (std::size_t c = 0; c < clusters; ++c) {
      if (room[c] == 0) continue;
      if (chosen == clusters || cosines[i * clusters + c] > cosines[i * clusters + chosen]) chosen = c;
    }
    --room[chosen];
    codes[i] = static_cast<std::uint8_t>(chosen);
  }
}

std::size_t LabelClusters::run(std::span<const std::uint32_t> rows, Stream stream,
                               std::span<std::uint8_t> codes) {
  read_rows(rows);
  index_columns();
  const std::size_t clusters = start_clusters(stream, codes);
  if (clusters == 1) return 1;
  for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
    update_centroids(codes, clusters);
    if (balanced_ && iteration + 1 == iterations_)
      assign_balanced(codes, clusters);
    else
      assign(codes, clusters);
  }
  return order_by_size(codes, clusters);
}

}  // namespace coppice::craftml

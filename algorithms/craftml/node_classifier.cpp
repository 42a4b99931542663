#include "algorithms/craftml/node_classifier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace coppice::craftml {

namespace {

/// An input that goes where a hash code says, with the sign that its last bit says.
Entry hashed(std::uint32_t code, float value) {
  return {code >> 1, std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ (code << 31))};
}

/// The codes of a projection that a whole tree shares.
struct TableCoder {
  const std::uint32_t* codes;
  Entry operator()(const SparseRow& row, std::size_t e) const {
    return hashed(codes[row.columns[e]], row.values[e]);
  }
};

/// Codes that rows have instead of features.
struct GivenCoder {
  Entry operator()(const SparseRow& row, std::size_t e) const {
    return hashed(row.columns[e], row.values[e]);
  }
};

/// The same where every feature has one value: those of the rows need not even be read.
struct ConstantCoder {
  const Entry* entries;
  Entry operator()(const SparseRow& row, std::size_t e) const { return entries[row.columns[e]]; }
};

/// Codes that are computed each time: for projections that last one node only.
struct HashCoder {
  HashProjection hashing;
  Entry operator()(const SparseRow& row, std::size_t e) const {
    return hashed(hashing.code(row.columns[e]), row.values[e]);
  }
};

/// Every feature is a slot of its own.
struct PlainCoder {
  Entry operator()(const SparseRow& row, std::size_t e) const { return {row.columns[e], row.values[e]}; }
};

/// How far ahead rows are fetched into the cache: those of a node may lie anywhere in memory.
constexpr std::size_t rows_ahead = 4;

void fetch_ahead(const SparseRowsView& rows, std::span<const std::uint32_t> ids, std::size_t i) {
  if (i + rows_ahead < ids.size()) rows.prefetch(ids[i + rows_ahead]);
}

}  // namespace

NodeClassifier::NodeClassifier(const Options& options, std::size_t features, std::size_t typical_entries,
                               FeatureValues values)
    : kind_(options.projection),
      per_node_(options.features_per_node),
      dimension_(options.feature_dimension),
      entries_(options.centroid_entries),
      lanes_(lanes_for(options.branches)),
      typical_entries_(typical_entries),
      values_(std::move(values)) {
  const std::size_t slots = kind_ == ProjectionKind::hashing ? dimension_ : features;
  centroids_.assign(slots * lanes_, 0.0F);
  is_active_.assign(slots, 0);
  active_slots_.assign(slots + 1, 0);
  if (kind_ == ProjectionKind::gaussian) return;
  every_slot_.resize(slots);
  std::iota(every_slot_.begin(), every_slot_.end(), 0U);
  if (per_node_) return;
  if (values_.constant())
    constant_entries_.resize(features);
  else
    codes_.resize(features);
}

void NodeClassifier::start_tree(std::uint64_t seed) {
  tree_seed_ = seed;
  hashing_ = {seed, dimension_};
  for (std::uint32_t j = 0; j < codes_.size(); ++j) codes_[j] = hashing_.code(j);
  for (std::uint32_t j = 0; j < constant_entries_.size(); ++j)
    constant_entries_[j] = hashed(hashing_.code(j), values_[j]);
}

void NodeClassifier::start_node(std::uint32_t node) {
  if (per_node_) hashing_.seed = coppice::mix(tree_seed_ ^ coppice::mix(node + 1));
}

template <typename Body>
void NodeClassifier::with_coder(bool coded, const Body& body) const {
  if (coded)
    body(GivenCoder{});
  else if (kind_ == ProjectionKind::gaussian)
    body(PlainCoder{});
  else if (per_node_)
    body(HashCoder{hashing_});
  else if (values_.constant())
    body(ConstantCoder{constant_entries_.data()});
  else
    body(TableCoder{codes_.data()});
}

/// Slots are listed in order to be measured, pruned or mixed; to clear them it is enough to have the rows.
NodeClassifier::Met NodeClassifier::meeting(std::size_t count, Lengths lengths) const {
  const std::size_t entries = typical_entries_ * count;
  const bool listed = lengths == Lengths::unknown || entries_ || kind_ == ProjectionKind::gaussian;
  if (kind_ == ProjectionKind::hashing && (listed ? entries / 2 : entries * 2) >= every_slot_.size())
    return Met::all;
  return listed ? Met::listed : Met::unlisted;
}

bool NodeClassifier::coding_pays() const {
  constexpr std::size_t small_table = 8192;
  return kind_ == ProjectionKind::hashing && !per_node_ &&
         std::max(codes_.size(), constant_entries_.size()) > small_table;
}

void NodeClassifier::add(const ClassifierRows& rows, std::span<const std::uint32_t> ids,
                         std::span<const std::uint8_t> codes, Lengths lengths) {
  met_ = meeting(ids.size(), lengths);
  with_coder(rows.coded, [&](const auto& coder) {
    if (met_ == Met::listed)
      add_coded<true>(rows.rows, ids, codes, coder);
    else
      add_coded<false>(rows.rows, ids, codes, coder);
  });
}

template <bool listed, typename Coder>
void NodeClassifier::add_coded(const SparseRowsView& rows, std::span<const std::uint32_t> ids,
                               std::span<const std::uint8_t> codes, const Coder& coder) {
  // Copies, because the compiler must otherwise suppose that writing a byte changes the members.
  float* const centroids = centroids_.data();
  std::uint8_t* const is_active = is_active_.data();
  std::uint32_t* const slots = active_slots_.data();
  const std::size_t lanes = lanes_;
  std::size_t count = active_count_;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    fetch_ahead(rows, ids, i);
    if (codes[i] == no_cluster) continue;
    const SparseRow row = rows[ids[i]];
    float* const cluster = centroids + codes[i];
    for (std::size_t e = 0; e < row.size(); ++e) {
      const Entry entry = coder(row, e);
      if constexpr (listed) {
        // Without a branch: whether a row brings a new coordinate is a coin toss in small nodes.
        slots[count] = entry.slot;
        count += is_active[entry.slot] == 0 ? 1 : 0;
        is_active[entry.slot] = 1;
      }
      cluster[entry.slot * lanes] += entry.value;
    }
  }
  active_count_ = count;
}

void NodeClassifier::end_node(const ClassifierRows& rows, std::span<const std::uint32_t> ids) {
  if (met_ == Met::all) {
    std::fill(centroids_.begin(), centroids_.end(), 0.0F);
  } else if (met_ == Met::listed) {
    for (const std::uint32_t slot : active()) {
      clear_row(centroids_.data() + slot * lanes_, lanes_);
      is_active_[slot] = 0;
    }
  } else {
    with_coder(rows.coded, [&](const auto& coder) {
      for (const std::uint32_t id : ids) {
        const SparseRow row = rows.rows[id];
        for (std::size_t e = 0; e < row.size(); ++e)
          clear_row(centroids_.data() + coder(row, e).slot * lanes_, lanes_);
      }
    });
  }
  active_count_ = 0;
}

void NodeClassifier::shape_centroids() {
  if (entries_) prune();
  if (kind_ != ProjectionKind::gaussian) return;
  gathered_.clear();
  for (const std::uint32_t slot : active()) {
    const auto row = centroid_row(slot);
    gathered_.insert(gathered_.end(), row.begin(), row.end());
  }
  mix_gaussian();
}

void NodeClassifier::finish(std::span<const float> scale) {
  shape_centroids();
  scale_.assign(scale.begin(), scale.end());
}

void NodeClassifier::finish(std::size_t clusters) {
  shape_centroids();
  // Of a Gaussian projection P the length of c·P is wanted, and c·P·P' is what centroids_ has now.
  const bool mixed = kind_ == ProjectionKind::gaussian;
  std::vector<double> squares(lanes_);
  const auto slots = active();
  sum_products(
      lanes_, slots.size(),
      [&](std::size_t i) {
        const float* row = centroids_.data() + slots[i] * lanes_;
        return std::pair{mixed ? gathered_.data() + i * lanes_ : row, row};
      },
      squares);
  scale_.assign(clusters, 0.0F);
  for (std::size_t c = 0; c < clusters; ++c)
    if (squares[c] > 0.0) scale_[c] = static_cast<float>(1.0 / std::sqrt(squares[c]));
}

void NodeClassifier::mix_gaussian() {
  const GaussianProjection gaussian(hashing_.seed, dimension_);
  gaussian.project(active(), gathered_, lanes_, projected_);
  for (const std::uint32_t slot : active()) gaussian.back(slot, projected_, centroid_row(slot));
}

void NodeClassifier::mix_missing(const SparseRow& row) {
  const GaussianProjection gaussian(hashing_.seed, dimension_);
  for (const std::uint32_t feature : row.columns) {
    if (is_active_[feature] != 0) continue;
    is_active_[feature] = 1;
    active_slots_[active_count_++] = feature;
    gaussian.back(feature, projected_, centroid_row(feature));
  }
}

void NodeClassifier::prune() {
  std::vector<std::pair<float, std::uint32_t>> entries;
  for (std::size_t c = 0; c < lanes_; ++c) {
    entries.clear();
    for (const std::uint32_t slot : active()) {
      const float value = centroids_[slot * lanes_ + c];
      if (value != 0.0F) entries.emplace_back(-std::abs(value), slot);
    }
    if (entries.size() <= *entries_) continue;
    const auto kept = entries.begin() + *entries_;
    std::nth_element(entries.begin(), kept, entries.end());
    for (auto entry = kept; entry != entries.end(); ++entry) centroids_[entry->second * lanes_ + c] = 0.0F;
  }
}

/// Calls choose(i, cosines times the row's length) for each row.
template <typename Choose>
void NodeClassifier::score(const ClassifierRows& rows, std::span<const std::uint32_t> ids,
                           const Choose& choose) {
  if (kind_ == ProjectionKind::gaussian)
    for (const std::uint32_t id : ids) mix_missing(rows.rows[id]);
  std::vector<float> scores(lanes_);
  with_coder(rows.coded, [&](const auto& coder) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      fetch_ahead(rows.rows, ids, i);
      const SparseRow row = rows.rows[ids[i]];
      weighted_sum(
          centroids_, lanes_, row.size(),
          [&](std::size_t e) {
            const Entry entry = coder(row, e);
            return Term{entry.slot, entry.value};
          },
          scores);
      for (std::size_t c = 0; c < scale_.size(); ++c) scores[c] *= scale_[c];
      choose(i, std::span<const float>(scores));
    }
  });
}

/// The open cluster of the highest score but for one; no_cluster if no score is a number.
std::uint8_t NodeClassifier::best_open(std::span<const float> scores, std::uint8_t excluded) const {
  float highest = -std::numeric_limits<float>::infinity();
  std::uint8_t best = no_cluster;
  for (std::size_t c = 0; c < scale_.size(); ++c)
    if (scores[c] > highest && c != excluded) {
      highest = scores[c];
      best = static_cast<std::uint8_t>(c);
    }
  return best;
}

void NodeClassifier::route(const ClassifierRows& rows, std::span<const std::uint32_t> ids,
                           std::span<std::uint8_t> codes, const SecondRoutes& seconds) {
  const auto first_open = static_cast<std::uint8_t>(
      std::find_if(scale_.begin(), scale_.end(), [](float scale) { return !std::isnan(scale); }) -
      scale_.begin());
  score(rows, ids, [&](std::size_t i, std::span<const float> scores) {
    // Scores of absurdly large inputs may not be numbers: such a row goes where one without features would.
    const std::uint8_t best = best_open(scores, no_cluster);
    codes[i] = best == no_cluster ? first_open : best;
    if (seconds.codes.empty()) return;
    const std::uint8_t second = best_open(scores, codes[i]);
    const float highest = scores[codes[i]];
    const bool near = second != no_cluster && highest - scores[second] < seconds.margin * highest;
    seconds.codes[i] = near ? second : no_cluster;
  });
}

}  // namespace coppice::craftml

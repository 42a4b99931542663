#include "core/tree/score_scan.h"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/tree/packed_label_space.h"

using namespace coppice;

namespace {

/// Whether two scores are the same to the last bit.
bool same(const SplitScore& a, const SplitScore& b) {
  return a.numerator == b.numerator && a.denominator == b.denominator;
}

}  // namespace

TEST_CASE("packed labels score the same splits with any vectors, weighted rows and the last few among them") {
  if (!has_widest_vectors()) return;
  Stream stream(3);
  constexpr std::uint32_t rows = 60;
  for (const std::uint32_t label_count : {1U, 6U, 16U}) {
    LabelSets labels(label_count);
    Sample sample;
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::vector<std::uint32_t> present;
      for (std::uint32_t label = 0; label < label_count; ++label)
        if (stream.below(3) == 0) present.push_back(label);
      labels.add_row(present);
      sample.rows.push_back(row);
      sample.weights.push_back(static_cast<std::uint32_t>(1 + stream.below(100)));
      sample.total += sample.weights.back();
    }
    for (const std::size_t size : {2U, 7U, 8U, 9U, 41U, 60U}) {
      std::vector<std::uint32_t> ids = sample.rows;
      for (std::size_t i = 0; i + 1 < ids.size(); ++i)
        std::swap(ids[i], ids[i + stream.below(ids.size() - i)]);
      ids.resize(size);
      std::vector<std::vector<SplitScore>> scores;
      for (const bool widest : {false, true}) {
        PackedLabelSpace space(labels, sample, nullptr, widest);
        PackedLabelSpace::Local local;
        PackedLabelSpace::Totals totals;
        space.localise(sample.rows, local);
        PackedLabelSpace::clear(local, totals);
        for (const std::uint32_t id : ids) PackedLabelSpace::add(local, id, totals);
        space.enter(local, totals, ids, true);
        PackedLabelSpace::Side side(space);
        auto& found = scores.emplace_back(size + 1);
        found[size] = {7.0, 11.0};  // not to be written
        side.prefixes(ids, nullptr, found.data());
        CHECK(same(found[size], {7.0, 11.0}));
      }
      bool all_same = true;
      for (std::size_t i = 0; i < size; ++i) all_same = all_same && same(scores[0][i], scores[1][i]);
      CHECK(all_same);
    }
  }
}

#if COPPICE_WRITES_WIDEST

TEST_CASE("the next score that reaches a bar is found with vectors as without") {
  if (!has_widest_vectors()) return;
  Stream stream(4);
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 50U}) {
    std::vector<SplitScore> scores(count);
    for (SplitScore& score : scores) score = {stream.uniform(), 0.5 + stream.uniform()};
    // The whole last row weighs as much as the node: 0 / 0 is below no bar.
    if (count > 0) scores.back() = {0.0, 0.0};
    for (const double bar : {-std::numeric_limits<double>::infinity(), 0.0, 0.9, 1.3, 5.0})
      for (std::size_t from = 0; from <= count; ++from)
        CHECK(next_not_below_widest(scores.data(), from, count, bar) ==
              next_not_below(scores.data(), from, count, bar));
  }
}

TEST_CASE("splits of real targets score the same with vectors as one by one") {
  if (!has_widest_vectors()) return;
  Stream stream(5);
  for (const std::size_t count : {1U, 3U, 4U, 5U, 8U, 61U}) {
    std::vector<double> weights(count);
    std::vector<double> squares(count);
    double total = 2.0;
    for (std::size_t i = 0; i < count; ++i) {
      weights[i] = static_cast<double>(1 + stream.below(1000));
      squares[i] = stream.uniform();
      total += weights[i];
    }
    std::vector<SplitScore> scores(count + 1);
    scores[count] = {7.0, 11.0};  // not to be written
    prefix_scores_widest(weights.data(), squares.data(), count, total, scores.data());
    double weight = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      weight += weights[i];
      CHECK(same(scores[i], {squares[i] * total, weight * (total - weight)}));
    }
    CHECK(same(scores[count], {7.0, 11.0}));
  }
}

#endif

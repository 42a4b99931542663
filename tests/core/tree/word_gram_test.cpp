#include "core/tree/word_gram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/tree/label_lanes.h"
#include "core/tree/label_space.h"
#include "core/tree/word_sums.h"

using namespace coppice;

namespace {

/// Rows with about four labels each and weights up to `heaviest`.
struct RandomLabels {
  RandomLabels(std::uint32_t rows, std::uint32_t label_count, std::uint32_t heaviest, Stream stream)
      : sets(label_count), all(rows) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::vector<std::uint32_t> labels;
      for (std::uint32_t label = 0; label < label_count; ++label)
        if (stream.below(label_count) < 4) labels.push_back(label);
      // Some rows are copies.
      if (row % 5 == 4) {
        const auto other = sets[row - 1];
        labels.assign(other.begin(), other.end());
      }
      sets.add_row(labels);
      sample.weights.push_back(1 + static_cast<std::uint32_t>(stream.below(heaviest)));
      sample.rows.push_back(row);
      sample.total += sample.weights.back();
    }
    std::iota(all.begin(), all.end(), 0U);
  }

  LabelSets sets;
  Sample sample;
  std::vector<std::uint32_t> all;
};

/// The same numbers by adding up every label.
struct AddedUp {
  AddedUp(const RandomLabels& data, std::uint64_t node, std::uint64_t side)
      : of_node(data.sets.label_count(), 0), of_side(data.sets.label_count(), 0) {
    for (const std::uint32_t row : data.all) {
      const std::int64_t row_weight = data.sample.weights[row];
      if (((node >> row) & 1U) == 0) continue;
      const bool in_side = ((side >> row) & 1U) != 0;
      weight += row_weight;
      side_weight += in_side ? row_weight : 0;
      for (const std::uint32_t label : data.sets[row]) {
        of_node[label] += row_weight;
        of_side[label] += in_side ? row_weight : 0;
      }
    }
  }
  double score() const {
    double left = 0.0;
    double right = 0.0;
    for (std::size_t label = 0; label < of_node.size(); ++label) {
      const auto there = static_cast<double>(of_side[label]);
      const auto rest = static_cast<double>(of_node[label] - of_side[label]);
      left += there * there;
      right += rest * rest;
    }
    return left / static_cast<double>(side_weight) + right / static_cast<double>(weight - side_weight);
  }

  std::int64_t weight = 0;
  std::int64_t side_weight = 0;
  std::vector<std::int64_t> of_node;
  std::vector<std::int64_t> of_side;
};

std::vector<std::uint32_t> ids_of(std::uint64_t rows) {
  std::vector<std::uint32_t> ids;
  for (; rows != 0; rows &= rows - 1) ids.push_back(static_cast<std::uint32_t>(std::countr_zero(rows)));
  return ids;
}

}  // namespace

TEST_CASE("splits of up to 64 rows score by products of label sets what adding up gives") {
  Stream stream = Stream(3).at("labels");
  for (const std::uint32_t rows : {3U, 17U, 40U, 64U})
    for (const std::uint32_t label_count : {3U, 20U, 100U, 300U})
      for (const auto& [heaviest, widest] :
           std::vector<std::pair<std::uint32_t, bool>>{{1, false},
                                                       {5, false},
                                                       {1U << 18, false},
                                                       {1, has_bit_vectors()},
                                                       {5, has_bit_vectors()},
                                                       {1U << 18, has_bit_vectors()}}) {
        CAPTURE(rows);
        CAPTURE(label_count);
        CAPTURE(heaviest);
        CAPTURE(widest);
        const RandomLabels data(rows, label_count, heaviest, stream.at("data", rows + label_count));
        const LabelBits bits(data.sets);
        LabelSpace space(data.sets, data.sample, stream.below(2) == 0 ? &bits : nullptr);
        WordGram gram = space.gram();
        WordSums<LabelSpace> sums(space);
        gram.build(data.all, widest);
        sums.build(data.all);
        WordGram::Totals totals;
        LabelSpace::Totals plain_totals;
        std::uint64_t node = ~std::uint64_t{0} >> (64 - rows);
        gram.learn(node, totals);
        sums.learn(node, plain_totals);
        for (int i = 0; i < 20; ++i) {
          gram.enter(node, totals);
          sums.enter(node, plain_totals);
          CHECK(gram.base_score() == sums.base_score());
          CHECK(gram.identical(node) == sums.identical(node));
          const std::uint64_t side = node & stream.next();
          const auto ids = ids_of(side);
          if (ids.size() >= 2 && side != node) {
            const AddedUp expected(data, node, side);
            CHECK(gram.part(side).value() == doctest::Approx(expected.score()));
            CHECK(gram.part(side).value() == sums.part(side).value());
            CHECK(gram.alone(ids[0]).value() == sums.alone(ids[0]).value());
            CHECK(gram.pair_gain(ids[0], ids[1]) == doctest::Approx(sums.pair_gain(ids[0], ids[1])));
            std::vector<SplitScore> scores(ids.size());
            gram.prefixes(ids, nullptr, scores.data());
            CHECK(scores.front().value() == gram.alone(ids[0]).value());
            CHECK(scores.back().value() == gram.part(side).value());
          }
          for (const std::size_t some : {2, 3, 4}) {
            if (ids.size() < some) continue;
            double highest = 0.0;
            std::uint64_t among = 0;
            for (std::size_t id = 0; id < some; ++id) among |= std::uint64_t{1} << ids[id];
            if (among == node) continue;
            for (std::uint64_t part = among; part != 0; part = (part - 1) & among) {
              const double score = std::popcount(part) == 1 ? sums.alone(std::countr_zero(part)).value()
                                                            : sums.part(part).value();
              highest = std::max(highest, score);
            }
            const auto above = [&](double least) {
              return gram.any_part(among, [&](const SplitScore& score) { return score.value() >= least; });
            };
            CHECK(above(highest));
            CHECK(above(std::nextafter(highest, 1e300)) == (some > 3));
          }
          std::vector<std::uint64_t> columns;
          std::vector<std::uint32_t> places;
          for (std::uint32_t place = 0; place < 30; ++place) {
            columns.push_back(stream.next() & (place % 3 == 0 ? stream.next() & stream.next() : ~0ULL));
            const auto count = std::popcount(columns.back() & node);
            if (count > 1 && count + 1 < std::popcount(node)) places.push_back(place);
          }
          for (const std::size_t least : {1, 3, 40}) {
            double best = -std::numeric_limits<double>::infinity();
            std::size_t index = 0;
            for (std::size_t p = 0; p < places.size(); ++p) {
              const std::uint64_t there = columns[places[p]] & node;
              const auto count = static_cast<std::size_t>(std::popcount(there));
              if (count < least || static_cast<std::size_t>(std::popcount(node)) - count < least) continue;
              const double score = sums.part(there).value();
              if (score > best) index = p;
              best = std::max(best, score);
            }
            const auto found = gram.best_part({columns.data(), places.data(), places.size()}, node, least);
            CHECK(found.score == best);
            CHECK(found.index == index);
          }
          // On with a part of the rows, as growing does.
          const std::uint64_t gone = node & stream.next() & stream.next() & stream.next();
          if (std::popcount(node ^ gone) < 3) break;
          node ^= gone;
          gram.remove(gone, node, totals);
          sums.remove(gone, node, plain_totals);
        }
      }
}

TEST_CASE("no split that parts some of a node's rows scores more than the most that is said of them") {
  Stream stream = Stream(5).at("most");
  for (const std::uint32_t label_count : {8U, 20U, 300U})
    for (const std::uint32_t heaviest : {1U, 5U}) {
      CAPTURE(label_count);
      CAPTURE(heaviest);
      const RandomLabels data(60, label_count, heaviest, stream.at("data", label_count + heaviest));
      LabelSpace space(data.sets, data.sample);
      LabelSpace::Local local;
      space.localise(data.all, local);
      LabelSpace::Side side(space);
      double closest = 0.0;
      for (int i = 0; i < 200; ++i) {
        const std::uint64_t node = stream.next() >> 4;
        const auto ids = ids_of(node);
        auto listed = ids_of(node & stream.next() & stream.next());
        if (i % 4 == 0 && !listed.empty()) listed.resize(1);
        if (ids.size() < 3 || listed.empty() || listed.size() == ids.size()) continue;
        LabelSpace::Totals totals;
        LabelSpace::clear(local, totals);
        for (const std::uint32_t id : ids) LabelSpace::add(local, id, totals);
        space.enter(local, totals, ids, i % 2 == 0);
        space.spread(ids);
        const double most = side.most(listed, [](std::uint32_t id) { return id; });
        std::vector<SplitScore> scores(listed.size());
        side.prefixes(listed, nullptr, scores.data());
        for (const SplitScore& score : scores) {
          CHECK(score.value() <= most);
          closest = std::max(closest, (score.value() - space.base_score()) / (most - space.base_score()));
        }
      }
      // One row alone reaches it.
      CHECK(closest > 0.99);
    }
}

TEST_CASE("labels in bytes add up to what labels one by one do, in any number of rows") {
  Stream stream = Stream(4).at("lanes");
  for (const std::uint32_t label_count : {5U, 33U, 128U})
    for (const std::uint32_t heaviest : {1U, 7U, 255U}) {
      const RandomLabels data(64, label_count, heaviest, stream.at("data", label_count + heaviest));
      const std::size_t at_once = LabelLanes::rows_at_once(label_count, data.sample);
      REQUIRE(at_once >= 1);
      const LabelBits bits(data.sets);
      LabelSpace::Local local;
      LabelLocaliser(data.sets, data.sample, &bits).localise(data.all, local);
      // Once from lists of labels, then from their bits.
      local.lanes.build(local, data.all, nullptr);
      for (int i = 0; i < 40; ++i) {
        if (i == 20) local.lanes.build(local, data.all, &bits);
        const std::uint64_t side = stream.next() & stream.next();
        if (side == 0) continue;
        const AddedUp expected(data, ~std::uint64_t{0}, side);
        std::vector<std::int32_t> sums(expected.of_node.begin(), expected.of_node.end());
        std::vector<std::int16_t> wide;
        local.lanes.widen(sums, wide);
        const auto ids = ids_of(side);
        std::int64_t squares = 0;
        std::int64_t product = 0;
        for (std::size_t label = 0; label < label_count; ++label) {
          squares += expected.of_side[label] * expected.of_side[label];
          product += expected.of_side[label] * expected.of_node[label];
        }
        for (const bool widest : {false, has_widest_vectors()}) {
          const LabelLanes::Part part = local.lanes.part(ids, at_once, wide.data(), widest);
          CHECK(part.squares == squares);
          CHECK(part.product == product);
        }
        if (!LabelLanes::has_prefixes()) continue;
        std::vector<LabelLanes::Part> parts(ids.size());
        local.lanes.prefixes(ids, wide.data(), parts.data());
        for (std::size_t count = 1; count <= ids.size(); ++count) {
          const LabelLanes::Part part =
              local.lanes.part(std::span(ids).first(count), at_once, wide.data(), false);
          CHECK(parts[count - 1].squares == part.squares);
          CHECK(parts[count - 1].product == part.product);
        }
      }
    }
}

TEST_CASE("rows that are added or taken away together leave the totals of one after the other") {
  Stream stream(6);
  for (const std::uint32_t label_count : {5U, 40U, 128U, 300U}) {
    const RandomLabels data(64, label_count, 7, stream.at("data", label_count));
    LabelSpace space(data.sets, data.sample);
    LabelSpace::Local local;
    space.localise(data.all, local);
    LabelSpace::Totals together;
    LabelSpace::Totals one_by_one;
    space.clear(local, together);
    space.clear(local, one_by_one);
    const auto check = [&] {
      CHECK(together.weight == one_by_one.weight);
      CHECK(together.squares == one_by_one.squares);
      CHECK(together.sums == one_by_one.sums);
    };
    space.add(local, data.all, together);
    for (const std::uint32_t id : data.all) space.add(local, id, one_by_one);
    check();
    const auto gone = ids_of(stream.next() & stream.next());
    space.remove(local, gone, together);
    for (const std::uint32_t id : gone) space.remove(local, id, one_by_one);
    check();
  }
}

TEST_CASE("labels are not put in bytes where sums would not fit") {
  const RandomLabels data(20, 10, 3, Stream(5));
  CHECK(LabelLanes::rows_at_once(10, data.sample) == 255 / 3);
  CHECK(LabelLanes::rows_at_once(129, data.sample) == 0);
  RandomLabels heavy(20, 10, 3, Stream(5));
  heavy.sample.weights[3] = 256;
  CHECK(LabelLanes::rows_at_once(10, heavy.sample) == 0);
  RandomLabels many(20, 10, 3, Stream(5));
  many.sample.total = 32768;
  CHECK(LabelLanes::rows_at_once(10, many.sample) == 0);
}

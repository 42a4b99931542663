#include "core/tree/word_search.h"

#include <cmath>
#include <map>
#include <numeric>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/tree/bit_list.h"
#include "core/tree/grower.h"
#include "core/tree/label_space.h"
#include "core/tree/list_keys.h"
#include "core/tree/top_draws.h"
#include "core/tree/word_gram.h"

using namespace coppice;

namespace {

std::vector<bool> vectors() {
  return has_widest_vectors() ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

/// So many columns at once as functions of word columns can look at on this processor.
std::vector<std::size_t> numbers_at_once() {
  std::vector<std::size_t> numbers{1};
  if (has_widest_vectors()) numbers.push_back(4);
  if (has_bit_vectors()) numbers.push_back(8);
  return numbers;
}

/// Columns of all kinds; many have entries in few of the rows `among`, or in all.
WordColumns random_columns(std::size_t count, std::uint64_t among, Stream& stream) {
  WordColumns columns;
  columns.make_room(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t rows = stream.next() & stream.next();
    if (stream.below(4) == 0) rows |= among;
    if (stream.below(4) == 0) rows &= ~among;
    if (stream.below(3) == 0) rows = (rows & ~among) | (among & (0 - among));
    if (stream.below(5) == 0) rows = (rows | among) & ~(among & (0 - among));
    const std::uint32_t entries = stream.below(3) == 0   ? 7
                                  : stream.below(2) == 0 ? WordColumn::one_entry
                                                         : WordColumn::two_valued;
    columns.rows[i] = rows;
    columns.names[i] = WordColumns::name(static_cast<std::uint32_t>(i), entries);
  }
  return columns;
}

/// How probable it is that none of `some` columns is among k drawn of `all`.
double none_drawn(std::size_t all, std::size_t some, std::size_t k) {
  double probability = 1.0;
  for (std::size_t i = 0; i < k; ++i)
    probability *= all - i > some ? static_cast<double>(all - some - i) / static_cast<double>(all - i) : 0.0;
  return probability;
}

}  // namespace

TEST_CASE("lists of columns are filtered and sorted out alike with any vectors") {
  Stream stream(7);
  for (const std::size_t count : {0, 1, 7, 8, 9, 40, 131}) {
    const std::uint64_t among = stream.next() & stream.next();
    const WordColumns columns = random_columns(count, among, stream);
    for (const std::size_t at_once : numbers_at_once()) {
      WordColumns kept = columns;
      const std::size_t place = stream.below(2) == 0 ? 0 : count;
      std::vector<std::uint64_t> marks((count + 63) / 64, 1);
      mark_varying(columns, 0, count, among, marks.data(), at_once);
      const std::size_t left = keep_varying(kept, 0, count, among, place, at_once);
      std::size_t next = place;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t here = columns.rows[i] & among;
        const bool varies = here != 0 && (here != among || columns[i].has_entries());
        CHECK(((marks[i / 64] >> (i % 64)) & 1U) == (varies ? 1U : 0U));
        if (!varies) continue;
        REQUIRE(next < place + left);
        CHECK(kept.rows[next] == columns.rows[i]);
        CHECK(kept.names[next] == columns.names[i]);
        ++next;
      }
      CHECK(next == place + left);

      SortedOut sorted;
      sort_out(kept, place, left, among, sorted, at_once);
      std::size_t alone = 0;
      std::size_t several = 0;
      std::uint64_t alone_rows = 0;
      for (std::size_t i = 0; i < left; ++i) {
        const WordColumn column = kept[place + i];
        const std::uint64_t here = column.rows & among;
        const bool all_but_one = column.entries == WordColumn::two_valued && std::popcount(among ^ here) == 1;
        if (std::popcount(here) != 1 && !all_but_one) {
          CHECK(sorted.several_place[several++] == i);
          continue;
        }
        CHECK(sorted.alone_place[alone] == i);
        CHECK(sorted.alone_row[alone++] == (std::popcount(here) == 1 ? here : among ^ here));
        alone_rows |= std::popcount(here) == 1 ? here : among ^ here;
      }
      CHECK(sorted.alone == alone);
      CHECK(sorted.several == several);
      CHECK(sorted.alone_rows == alone_rows);
    }
  }
}

TEST_CASE("bits of two bitmaps are listed alike with any vectors") {
  Stream stream(9);
  for (const std::size_t count : {1, 7, 8, 21}) {
    const auto drawn = [&] {
      std::vector<std::uint64_t> words(count);
      // None, few and most bits of a word.
      for (std::uint64_t& word : words)
        word = stream.below(3) == 0   ? 0
               : stream.below(2) == 0 ? stream.next() & stream.next()
                                      : ~stream.below(9);
      return words;
    };
    const std::vector<std::uint64_t> words = drawn();
    const std::vector<std::uint64_t> others = drawn();
    std::vector<std::uint32_t> expected;
    for (std::uint32_t bit = 0; bit < 64 * count; ++bit)
      if (((words[bit / 64] & others[bit / 64]) >> (bit % 64) & 1U) != 0) expected.push_back(bit);
    for (const bool widest : {false, has_bit_vectors()}) {
      std::vector<std::uint32_t> listed(64 * count + 64);
      listed.resize(list_common_bits(words.data(), others.data(), count, listed.data(), widest));
      CHECK(listed == expected);
    }
  }
}

TEST_CASE("columns are collected from words alike with any vectors") {
  Stream stream(8);
  for (const std::size_t count : {1, 8, 21, 64}) {
    const std::uint64_t all = 0xfff;
    std::vector<std::uint64_t> words(count);
    for (std::uint64_t& word : words) word = stream.below(3) == 0 ? stream.below(2) * all : stream.below(all);
    for (const std::size_t at_once : numbers_at_once()) {
      std::vector<std::uint64_t> taken = words;
      WordColumns columns;
      const std::size_t found = collect_columns(taken.data(), count, all, columns, at_once);
      std::size_t next = 0;
      for (std::uint32_t feature = 0; feature < count; ++feature) {
        if (words[feature] == 0 || words[feature] == all) continue;
        CHECK(columns.rows[next] == words[feature]);
        CHECK(columns.names[next++] == WordColumns::name(feature, WordColumn::two_valued));
      }
      CHECK(found == next);
      CHECK(taken == std::vector<std::uint64_t>(count, 0));
    }
  }
}

TEST_CASE("keys are sorted and filtered alike with any vectors") {
  Stream stream(10);
  for (const std::size_t count : {0, 1, 2, 3, 4, 5, 8, 9, 17, 64, 65, 200}) {
    std::vector<ListKey> keys;
    for (std::uint32_t id = 0; id < count; ++id)
      keys.push_back(list_key(static_cast<std::uint32_t>(stream.below(count + 1)), id));
    std::vector<ListKey> ascending = keys;
    std::sort(ascending.begin(), ascending.end());
    std::vector<std::uint64_t> bits(count / 64 + 1);
    for (std::uint64_t& word : bits) word = stream.next();
    std::vector<ListKey> chosen;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(chosen),
                 [&](ListKey key) { return (bits[key_id(key) / 64] >> (key_id(key) % 64) & 1U) != 0; });
    for (const bool widest : vectors()) {
      std::vector<ListKey> sorted = keys;
      sort_keys(sorted.data(), count, widest);
      CHECK(sorted == ascending);
      std::vector<ListKey> found(count + keys_beyond);
      found.resize(keys_among(keys.data(), count, bits.data(), found.data(), widest));
      CHECK(found == chosen);
      if (count > 64) continue;
      found.resize(count + keys_beyond);
      found.resize(keys_among(keys.data(), count, bits[0], found.data(), widest));
      CHECK(found == chosen);
    }
  }
}

TEST_CASE("many places are drawn by the same numbers as one after the other") {
  ColumnDraws one(Stream(9));
  ColumnDraws many(Stream(9));
  for (const std::size_t size : {3, 50, 70000}) {
    const std::size_t end = std::min<std::size_t>(size, 29);
    std::vector<std::uint32_t> drawn(end - 2);
    many.places(2, end, size, drawn.data());
    for (std::size_t place = 2; place < end; ++place)
      CHECK(drawn[place - 2] == place + one.below(size - place));
  }
}

TEST_CASE("columns are drawn until one scores more alike with any vectors") {
  Stream stream(12);
  LabelSets labels(9);
  for (std::uint32_t row = 0; row < 5; ++row) labels.add_row(std::vector<std::uint32_t>{row, 5 + row / 2, 8});
  Sample sample;
  for (std::uint32_t row = 0; row < 5; ++row) {
    sample.rows.push_back(row);
    sample.weights.push_back(1 + row % 3);
    sample.total += sample.weights.back();
  }
  LabelSpace space(labels, sample);
  WordGram gram = space.gram();
  gram.build(sample.rows);
  const std::uint64_t node = 0b11111;
  WordGram::Totals totals;
  gram.learn(node, totals);
  gram.enter(node, totals);
  PartitionScores partitions;
  partitions.learn(gram, node, 1);
  for (int round = 0; round < 50; ++round) {
    const WordColumns columns = random_columns(60, node, stream);
    const std::size_t wanted = 1 + stream.below(40);
    for (const bool widest : vectors()) {
      WordColumns one = columns;
      WordColumns many = columns;
      ColumnDraws one_draws(Stream(static_cast<std::uint64_t>(round)));
      ColumnDraws many_draws = one_draws;
      DrawnColumns drawn{many.rows.data(), many.names.data(), 60, wanted};
      double best = PartitionScores::none;
      std::size_t varied = 0;
      for (std::size_t place = 0; place < 60 && varied < wanted; ++place) {
        const std::size_t next = place + one_draws.below(60 - place);
        std::swap(one.rows[place], one.rows[next]);
        std::swap(one.names[place], one.names[next]);
        const std::uint64_t here = one.rows[place] & node;
        const bool parts = here != 0 && here != node;
        const double score = !parts                     ? PartitionScores::none
                             : std::popcount(here) == 1 ? gram.alone(std::countr_zero(here)).value()
                                                        : gram.part(here).value();
        if (score > best || (one[place].has_entries() && std::popcount(here) > 1)) {
          REQUIRE(draw_above(drawn, many_draws, partitions, node, best, widest));
          CHECK(drawn.place == place);
          CHECK(drawn.looked_at == varied);
          CHECK(many[place].feature == one[place].feature);
          best = std::max(best, score);
          ++drawn.place;
          drawn.looked_at += parts ? 1 : 0;
        }
        varied += parts ? 1 : 0;
      }
      CHECK(!draw_above(drawn, many_draws, partitions, node, best, widest));
      CHECK(many.rows == one.rows);
      CHECK(many.names == one.names);
    }
  }
}

TEST_CASE("nodes that stop at the highest score find splits by the same law as k columns of all") {
  // Four rows; each way to part them, by its bits, has so many columns, in that order.
  const std::vector<std::pair<unsigned, std::size_t>> parts{{0b0001, 9}, {0b0011, 2}, {0b0101, 12},
                                                            {0b1000, 7}, {0b0110, 1}, {0b0010, 11}};
  const std::size_t constant = 20;
  LabelSets labels(12);
  labels.add_row({{0, 1, 2, 3}});
  labels.add_row({{0, 1, 4}});
  labels.add_row({{4, 5, 6}});
  labels.add_row({{5, 7, 8, 9, 10, 11}});
  const auto score = [&](unsigned side) {
    double total = 0.0;
    for (const unsigned rows : {side, ~side & 15U}) {
      std::map<std::uint32_t, double> sums;
      for (std::uint32_t row = 0; row < 4; ++row)
        if (((rows >> row) & 1U) != 0)
          for (const std::uint32_t label : labels[row]) sums[label] += 1.0;
      for (const auto& [label, sum] : sums) total += sum * sum / std::popcount(rows);
    }
    return total;
  };
  const auto sorted = [&] {
    std::vector<std::pair<double, std::size_t>> scored;
    for (std::size_t p = 0; p < parts.size(); ++p) scored.emplace_back(-score(parts[p].first), p);
    std::sort(scored.begin(), scored.end());
    return scored;
  }();
  for (std::size_t p = 1; p < sorted.size(); ++p) REQUIRE(sorted[p - 1].first < sorted[p].first);

  Features features(4);
  std::vector<unsigned> part_of;
  for (const auto& [part, count] : parts)
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> column;
      // Which value is the common one, and its sign, must not matter.
      for (unsigned row = 0; row < 4; ++row) {
        const bool in = ((part >> row) & 1U) != 0;
        column.push_back(i % 2 == 0 ? (in ? 1.0F : 0.0F) : (in ? 0.0F : -2.0F));
      }
      features.add_dense("", column);
      part_of.push_back(part);
    }
  for (std::size_t i = 0; i < constant; ++i)
    features.add_dense("", std::vector<float>(4, i % 2 == 0 ? 0.0F : 1.0F));
  const std::size_t varying = part_of.size();
  const auto data =
      std::make_shared<const Dataset>("parts", Task::multilabel, std::move(features), std::move(labels));
  const auto inputs = CodedInputs::of(data, DenseUse::sweeps, Context{});
  const Sample sample = Sample::of(DatasetView(data));
  GrowthOptions options;
  options.max_depth = 1;
  for (const std::uint32_t k : {14U, 20U, 41U}) {
    REQUIRE(PartitionScores::pays(4, k));
    options.features = k;
    constexpr std::size_t trees = 20000;
    std::vector<std::size_t> chosen(varying, 0);
    for (std::uint64_t seed = 0; seed < trees; ++seed) {
      const GrownTree tree = grow_tree(*inputs, LabelTargets{&data->labels()}, sample, options,
                                       Stream(seed).at("tree"), Context{});
      REQUIRE(tree.feature[0] >= 0);
      REQUIRE(static_cast<std::size_t>(tree.feature[0]) < varying);
      ++chosen[static_cast<std::size_t>(tree.feature[0])];
    }
    // The best partition that one of k columns has; columns with the same partition are equally probable.
    std::size_t better = 0;
    for (const auto& [negative_score, p] : sorted) {
      const auto [part, count] = parts[p];
      const double expected = (none_drawn(varying, better, k) - none_drawn(varying, better + count, k)) /
                              static_cast<double>(count) * static_cast<double>(trees);
      better += count;
      for (std::size_t feature = 0; feature < varying; ++feature)
        if (part_of[feature] == part)
          CHECK(std::abs(static_cast<double>(chosen[feature]) - expected) < 5.0 * std::sqrt(expected) + 2.0);
    }
  }
}

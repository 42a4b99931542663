#include "core/tree/coded_inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/data/dataset_cache.h"
#include "core/tree/bit_rows.h"
#include "core/tree/dense_rows.h"
#include "core/tree/frame.h"

namespace coppice {

namespace {

/// A value and the row that has it, in one number that sorts by value.
using ValueKey = std::uint64_t;

ValueKey value_key(float value, std::uint32_t row) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  bits = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  return (ValueKey{bits} << 32) | row;
}
float value_of(ValueKey key) {
  const auto bits = static_cast<std::uint32_t>(key >> 32);
  return std::bit_cast<float>((bits & 0x80000000U) != 0 ? bits & 0x7fffffffU : ~bits);
}
std::uint32_t row_of(ValueKey key) {
  return static_cast<std::uint32_t>(key);
}

/// Sorts by value, keeping rows with the same value in order: three rounds of 11 bits.
void sort_by_value(std::vector<ValueKey>& keys) {
  if (keys.size() < 256) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  constexpr unsigned bits = 11;
  constexpr unsigned rounds = 3;
  constexpr std::size_t cells = 1U << bits;
  const auto cell = [](ValueKey key, unsigned round) { return (key >> (32 + bits * round)) & (cells - 1); };
  std::vector<std::uint32_t> places(cells * rounds, 0);
  for (const ValueKey key : keys)
    for (unsigned round = 0; round < rounds; ++round) ++places[round * cells + cell(key, round)];
  std::vector<ValueKey> scratch(keys.size());
  for (unsigned round = 0; round < rounds; ++round) {
    std::uint32_t* begin = places.data() + round * cells;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < cells; ++i) sum += std::exchange(begin[i], sum);
    for (const ValueKey key : keys) scratch[begin[cell(key, round)]++] = key;
    keys.swap(scratch);
  }
}

/// The non-zero values of a column; -0 is 0, and all missing values are one that sorts last.
std::vector<ValueKey> non_zero(const ColumnView& view) {
  std::vector<ValueKey> keys;
  keys.reserve(view.values.size());
  for (std::size_t i = 0; i < view.values.size(); ++i) {
    if (view.values[i] == 0.0F) continue;
    const float value = std::isnan(view.values[i]) ? std::numeric_limits<float>::quiet_NaN() : view.values[i];
    keys.push_back(value_key(value, view.dense ? static_cast<std::uint32_t>(i) : view.rows[i]));
  }
  return keys;
}

/// Codes for the values of a column.
struct Coding {
  std::vector<float> values;         ///< of each code, ascending
  std::vector<std::uint32_t> codes;  ///< of each of the sorted keys
  std::uint32_t zero = 0;            ///< the code of zero, if there are zeros
  std::uint32_t most_frequent = 0;   ///< the code that most rows have, the lowest of equal ones
  std::size_t most = 0;              ///< how many rows that are
};

/// Numbers the values of sorted non-zero keys and of so many zeros.
Coding number_values(std::span<const ValueKey> keys, std::size_t zeros) {
  Coding coding;
  coding.codes.resize(keys.size());
  std::size_t run = 0;
  const auto close_run = [&](std::size_t length) {
    if (length <= coding.most) return;
    coding.most = length;
    coding.most_frequent = static_cast<std::uint32_t>(coding.values.size()) - 1;
  };
  const auto add_zeros = [&] {
    coding.zero = static_cast<std::uint32_t>(coding.values.size());
    coding.values.push_back(0.0F);
    close_run(zeros);
  };
  constexpr ValueKey first_positive = ValueKey{0x80000000U} << 32;
  bool zeros_added = zeros == 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32) {
      if (i > 0) close_run(i - run);
      if (!zeros_added && keys[i] >= first_positive) {
        add_zeros();
        zeros_added = true;
      }
      run = i;
      coding.values.push_back(value_of(keys[i]));
    }
    coding.codes[i] = static_cast<std::uint32_t>(coding.values.size()) - 1;
  }
  if (!keys.empty()) close_run(keys.size() - run);
  if (!zeros_added) add_zeros();
  return coding;
}

/// The code of every row of a column.
std::vector<std::uint32_t> code_rows(std::span<const ValueKey> keys, const Coding& coding,
                                     std::size_t row_count) {
  std::vector<std::uint32_t> codes(row_count, coding.zero);
  for (std::size_t i = 0; i < keys.size(); ++i) codes[row_of(keys[i])] = coding.codes[i];
  return codes;
}

/// Of the codes of all rows keeps those that are not the default, and notes their rows.
void keep_others(std::vector<std::uint32_t>& codes, std::uint32_t default_code,
                 std::vector<std::uint32_t>& rows) {
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < codes.size(); ++row) {
    if (codes[row] == default_code) continue;
    rows.push_back(row);
    codes[count++] = codes[row];
  }
  codes.resize(count);
}

/// The codes of the non-zero rows only, for columns of mostly zeros, and their rows.
std::vector<std::uint32_t> list_entries(std::span<const ValueKey> keys, const Coding& coding,
                                        std::vector<std::uint32_t>& rows) {
  std::vector<std::uint64_t> entries(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    entries[i] = (std::uint64_t{row_of(keys[i])} << 32) | coding.codes[i];
  std::sort(entries.begin(), entries.end());
  std::vector<std::uint32_t> codes(entries.size());
  rows.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    rows[i] = static_cast<std::uint32_t>(entries[i] >> 32);
    codes[i] = static_cast<std::uint32_t>(entries[i]);
  }
  return codes;
}

/// The code of a row, or of a listed row, by where it is stored.
std::uint32_t stored_code(const CodedColumn& column, std::size_t place) {
  if (!column.narrow_codes.empty()) return column.narrow_codes[place];
  return column.wide_codes.empty() ? 1 - column.default_code : column.wide_codes[place];
}

/// Whether a column surely is dense: it has at least three values, and not nearly all rows are zero.
bool surely_dense(const ColumnView& view, double listed) {
  if (!view.dense || view.values.empty() || view.kind == FeatureKind::categorical) return false;
  if (std::any_of(view.values.begin(), view.values.end(), [](float x) { return std::isnan(x); }))
    return false;
  const auto zeros = std::count(view.values.begin(), view.values.end(), 0.0F);
  if (static_cast<double>(zeros) >= (1.0 - listed) * static_cast<double>(view.row_count)) return false;
  const float first = view.values[0];
  const auto second =
      std::find_if(view.values.begin(), view.values.end(), [&](float x) { return x != first; });
  return std::any_of(second, view.values.end(), [&](float x) { return x != first && x != *second; });
}

}  // namespace

std::shared_ptr<const CodedInputs> CodedInputs::of(const std::shared_ptr<const Dataset>& dataset,
                                                   DenseUse use, const Context& context) {
  static DatasetCache<CodedInputs> sweeps;
  static DatasetCache<CodedInputs> cuts;
  return (use == DenseUse::sweeps ? sweeps : cuts).get(dataset, [&] {
    return std::make_shared<const CodedInputs>(dataset->features(), use, context);
  });
}

CodedInputs::CodedInputs(const Features& features, DenseUse use, const Context& context, double listed)
    : rows_(features.rows()), columns_(features.columns()) {
  parallel_blocks(context, columns_.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      context.check_stop();
      columns_[j] = code(features.column(j), features.categories(j).size(), use, listed);
    }
  });
  make_views(features);
  index_rows(context);
}

CodedInputs::~CodedInputs() = default;

const Frame& CodedInputs::whole_frame(bool values) const {
  std::unique_ptr<const Frame>& whole = whole_[values ? 1 : 0];
  std::call_once(whole_made_[values ? 1 : 0], [&] {
    std::vector<std::uint32_t> all(rows_);
    std::iota(all.begin(), all.end(), 0U);
    FrameScratch scratch(listed_columns());
    auto frame = std::make_unique<Frame>();
    frame->build(*this, all, scratch, values);
    if (!values) frame->sort_lists();
    whole = std::move(frame);
  });
  return *whole;
}

const DenseRows& CodedInputs::dense_rows() const {
  std::call_once(dense_rows_made_, [&] { dense_rows_ = std::make_unique<const DenseRows>(*this); });
  return *dense_rows_;
}

const BitRows& CodedInputs::bit_rows() const {
  std::call_once(bit_rows_made_, [&] { bit_rows_ = std::make_unique<const BitRows>(*this); });
  return *bit_rows_;
}

CodedInputs::Column CodedInputs::code(const ColumnView& view, std::size_t categories, DenseUse use,
                                      double listed) {
  if (use == DenseUse::cuts && surely_dense(view, listed)) {
    Column column;
    column.constant = false;
    return column;
  }
  std::vector<ValueKey> keys = non_zero(view);
  sort_by_value(keys);
  Coding coding = number_values(keys, view.row_count - keys.size());
  Column column;
  column.values = std::move(coding.values);
  const std::size_t distinct = column.values.size();
  const auto rows = static_cast<double>(view.row_count);
  const double others = rows - static_cast<double>(coding.most);
  column.missing = !column.values.empty() && std::isnan(column.values.back());
  // A column of two categories is a column of two values.
  column.categories = categories > 2 ? static_cast<std::uint32_t>(categories) : 0;
  column.dense =
      listed == 0.0 || column.missing || column.categories > 0 || (others > listed * rows && distinct != 2);
  column.constant = distinct < 2;
  if (column.constant) return column;
  column.default_code = coding.most_frequent;

  std::vector<std::uint32_t> codes;
  const bool mostly_zero = keys.size() + coding.most == view.row_count;
  if (!column.dense && mostly_zero && others * 8.0 < rows) {
    codes = list_entries(keys, coding, column.rows);
  } else {
    codes = code_rows(keys, coding, view.row_count);
    if (!column.dense) keep_others(codes, column.default_code, column.rows);
  }
  if (!column.dense && distinct == 2) return column;
  if (column.dense && !view.dense) {
    column.spread_values.resize(view.row_count);
    for (std::size_t row = 0; row < view.row_count; ++row)
      column.spread_values[row] = column.values[codes[row]];
  }
  if (distinct <= 65536)
    column.narrow_codes.assign(codes.begin(), codes.end());
  else
    column.wide_codes = std::move(codes);
  return column;
}

void CodedInputs::make_views(const Features& features) {
  views_.resize(columns_.size());
  for (std::uint32_t j = 0; j < columns_.size(); ++j) {
    const Column& column = columns_[j];
    CodedColumn& view = views_[j];
    view.dense = column.dense;
    view.constant = column.constant;
    view.default_code = column.default_code;
    view.values = column.values;
    view.rows = column.rows;
    view.narrow_codes = column.narrow_codes;
    view.wide_codes = column.wide_codes;
    view.missing = column.missing;
    view.categories = column.categories;
    if (!view.dense || view.constant) continue;
    const ColumnView stored = features.column(j);
    view.dense_values = stored.dense ? stored.values : std::span<const float>(column.spread_values);
    view.dense_index = static_cast<std::uint32_t>(dense_columns_.size());
    dense_columns_.push_back(j);
    all_narrow_ = all_narrow_ && view.narrow();
    has_special_ = has_special_ || view.special();
  }
}

float CodedInputs::value(std::size_t column, std::uint32_t row) const {
  const CodedColumn& view = views_[column];
  if (view.constant) return view.values.empty() ? 0.0F : view.values[0];
  if (view.dense) return view.dense_values[row];
  const auto found = std::lower_bound(view.rows.begin(), view.rows.end(), row);
  if (found == view.rows.end() || *found != row) return view.values[view.default_code];
  return view.values[stored_code(view, static_cast<std::size_t>(found - view.rows.begin()))];
}

/// Gives the listed columns their places.
void CodedInputs::place_columns() {
  for (std::uint32_t j = 0; j < views_.size(); ++j)
    if (!views_[j].rows.empty()) feature_at_.push_back(j);
  std::stable_sort(feature_at_.begin(), feature_at_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return views_[a].rows.size() > views_[b].rows.size();
  });
  place_of_.assign(views_.size(), 0);
  two_valued_at_.resize(feature_at_.size());
  for (std::uint32_t place = 0; place < feature_at_.size(); ++place) {
    place_of_[feature_at_[place]] = place;
    two_valued_at_[place] = views_[feature_at_[place]].two_valued() ? 1 : 0;
  }
}

void CodedInputs::index_rows(const Context& context) {
  place_columns();
  // Some rows at a time, by several threads; few enough times that finding them in all columns costs little.
  const std::size_t rows_at_once = std::max<std::size_t>(8192, rows_ / 16);
  const auto visit_listed = [&](const auto& body) {
    parallel_blocks(context, rows_, rows_at_once, [&](std::size_t begin, std::size_t end) {
      for (std::uint32_t place = 0; place < feature_at_.size(); ++place) {
        const CodedColumn& view = views_[feature_at_[place]];
        const auto first = std::ranges::lower_bound(view.rows, begin);
        for (auto e = static_cast<std::size_t>(first - view.rows.begin());
             e < view.rows.size() && view.rows[e] < end; ++e)
          body(place, view, e);
      }
    });
  };
  entry_begin_.assign(rows_ + 1, 0);
  visit_listed([&](std::uint32_t /*place*/, const CodedColumn& view, std::size_t e) {
    ++entry_begin_[view.rows[e] + 1];
  });
  for (std::size_t row = 0; row < rows_; ++row) entry_begin_[row + 1] += entry_begin_[row];
  entry_place_.resize(entry_begin_.back());
  entry_code_.resize(entry_begin_.back());
  entry_value_.resize(entry_begin_.back());
  std::vector<std::uint64_t> end(entry_begin_.begin(), entry_begin_.end() - 1);
  visit_listed([&](std::uint32_t place, const CodedColumn& view, std::size_t e) {
    const std::uint64_t entry = end[view.rows[e]]++;
    entry_place_[entry] = place;
    entry_code_[entry] = stored_code(view, e);
    entry_value_[entry] = view.values[entry_code_[entry]];
  });
  two_valued_.resize(views_.size());
  defaults_.resize(views_.size());
  for (std::uint32_t j = 0; j < views_.size(); ++j) {
    const CodedColumn& view = views_[j];
    two_valued_[j] = view.two_valued() && !view.dense ? 1 : 0;
    all_two_valued_ = all_two_valued_ && (view.constant || (view.two_valued() && !view.dense));
    if (!view.dense && !view.constant)
      defaults_[j] = {view.default_code, view.values[view.default_code],
                      view.two_valued() ? view.values[1 - view.default_code] : 0.0F};
  }
}

}  // namespace coppice

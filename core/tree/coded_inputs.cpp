#include "core/tree/coded_inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <list>
#include <mutex>
#include <utility>

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
void sort_by_value(std::vector<ValueKey>& keys, std::vector<ValueKey>& scratch) {
  if (keys.size() < 256) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  constexpr unsigned bits = 11;
  constexpr std::size_t cells = 1U << bits;
  scratch.resize(keys.size());
  std::array<std::uint32_t, cells> begin;
  for (unsigned shift = 32; shift < 64; shift += bits) {
    begin.fill(0);
    for (const ValueKey key : keys) ++begin[(key >> shift) & (cells - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& cell : begin) sum += std::exchange(cell, sum);
    for (const ValueKey key : keys) scratch[begin[(key >> shift) & (cells - 1)]++] = key;
    keys.swap(scratch);
  }
}

/// The non-zero values of a column; -0 is 0.
std::vector<ValueKey> non_zero(const ColumnView& view) {
  std::vector<ValueKey> keys;
  keys.reserve(view.values.size());
  for (std::size_t i = 0; i < view.values.size(); ++i)
    if (view.values[i] != 0.0F)
      keys.push_back(value_key(view.values[i], view.dense ? static_cast<std::uint32_t>(i) : view.rows[i]));
  return keys;
}

/// A run of rows with the same value among sorted keys.
struct Run {
  float value = 0.0F;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t rows = 0;
};

/// The runs of a column in the order of values; zeros form a run without keys.
std::vector<Run> find_runs(std::span<const ValueKey> keys, std::size_t zeros) {
  std::vector<Run> runs;
  const auto add_zeros = [&](std::size_t at) {
    if (zeros > 0) runs.push_back({0.0F, at, at, zeros});
  };
  bool zeros_added = false;
  for (std::size_t i = 0; i < keys.size();) {
    const float value = value_of(keys[i]);
    if (value > 0.0F && !zeros_added) {
      add_zeros(i);
      zeros_added = true;
    }
    std::size_t end = i + 1;
    while (end < keys.size() && keys[end] >> 32 == keys[i] >> 32) ++end;
    runs.push_back({value, i, end, end - i});
    i = end;
  }
  if (!zeros_added) add_zeros(keys.size());
  return runs;
}

/// The code of every row of a column.
std::vector<std::uint32_t> code_rows(std::span<const ValueKey> keys, std::span<const Run> runs,
                                     std::size_t row_count) {
  std::vector<std::uint32_t> codes(row_count, 0);
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    if (runs[r].begin == runs[r].end) std::fill(codes.begin(), codes.end(), r);
  }
  for (std::uint32_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i) codes[row_of(keys[i])] = r;
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
std::vector<std::uint32_t> list_entries(std::span<const ValueKey> keys, std::span<const Run> runs,
                                        std::vector<std::uint32_t>& rows) {
  std::vector<std::uint64_t> entries;
  for (std::uint32_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
      entries.push_back((std::uint64_t{row_of(keys[i])} << 32) | r);
  std::sort(entries.begin(), entries.end());
  std::vector<std::uint32_t> codes;
  for (const std::uint64_t entry : entries) {
    rows.push_back(static_cast<std::uint32_t>(entry >> 32));
    codes.push_back(static_cast<std::uint32_t>(entry));
  }
  return codes;
}

/// The code of a row, or of a listed row, by where it is stored.
std::uint32_t stored_code(const CodedColumn& column, std::size_t place) {
  if (!column.narrow_codes.empty()) return column.narrow_codes[place];
  return column.wide_codes.empty() ? 1 - column.default_code : column.wide_codes[place];
}

/// What is remembered about a dataset: its codes, once they are made.
struct CacheEntry {
  std::weak_ptr<const Dataset> dataset;
  std::once_flag made;
  std::shared_ptr<const CodedInputs> codes;
};

std::shared_ptr<CacheEntry> cache_entry(const std::shared_ptr<const Dataset>& dataset) {
  static std::mutex mutex;
  static std::list<std::shared_ptr<CacheEntry>> entries;
  const std::lock_guard lock(mutex);
  entries.remove_if([](const auto& entry) { return entry->dataset.expired(); });
  for (const auto& entry : entries)
    if (entry->dataset.lock() == dataset) return entry;
  entries.push_back(std::make_shared<CacheEntry>());
  entries.back()->dataset = dataset;
  return entries.back();
}

}  // namespace

std::shared_ptr<const CodedInputs> CodedInputs::of(const std::shared_ptr<const Dataset>& dataset,
                                                   const Context& context) {
  const std::shared_ptr<CacheEntry> entry = cache_entry(dataset);
  std::call_once(entry->made,
                 [&] { entry->codes = std::make_shared<const CodedInputs>(dataset->features(), context); });
  return entry->codes;
}

CodedInputs::CodedInputs(const Features& features, const Context& context, double listed)
    : rows_(features.rows()), columns_(features.columns()) {
  parallel_blocks(context, columns_.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      context.check_stop();
      columns_[j] = code(features.column(j), listed);
    }
  });
  make_views(features);
  index_rows();
}

CodedInputs::Column CodedInputs::code(const ColumnView& view, double listed) {
  std::vector<ValueKey> keys = non_zero(view);
  std::vector<ValueKey> scratch;
  sort_by_value(keys, scratch);
  std::vector<Run> runs = find_runs(keys, view.row_count - keys.size());
  if (runs.empty()) return {};

  Column column;
  column.values.reserve(runs.size());
  for (const Run& run : runs) column.values.push_back(run.value);
  const auto most =
      std::max_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.rows < b.rows; });
  const auto others = static_cast<double>(view.row_count - most->rows);
  column.dense = listed == 0.0 || (others > listed * static_cast<double>(view.row_count) && runs.size() != 2);
  if (runs.size() == 1) return column;
  column.default_code = static_cast<std::uint32_t>(most - runs.begin());

  std::vector<std::uint32_t> codes;
  const bool from_zeros = most->begin == most->end;
  if (!column.dense && from_zeros && others * 8.0 < static_cast<double>(view.row_count))
    codes = list_entries(keys, runs, column.rows);
  else
    codes = code_rows(keys, runs, view.row_count);
  if (!column.dense && codes.size() > column.rows.size())
    keep_others(codes, column.default_code, column.rows);
  if (!column.dense && runs.size() == 2) return column;
  if (column.dense && !view.dense) {
    column.spread_values.resize(view.row_count);
    for (std::size_t row = 0; row < view.row_count; ++row)
      column.spread_values[row] = column.values[codes[row]];
  }
  if (runs.size() <= 65536)
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
    view.default_code = column.default_code;
    view.values = column.values;
    view.rows = column.rows;
    view.narrow_codes = column.narrow_codes;
    view.wide_codes = column.wide_codes;
    if (!view.dense || view.constant()) continue;
    const ColumnView stored = features.column(j);
    view.dense_values = stored.dense ? stored.values : std::span<const float>(column.spread_values);
    view.dense_index = static_cast<std::uint32_t>(dense_columns_.size());
    dense_columns_.push_back(j);
    all_narrow_ = all_narrow_ && view.narrow();
  }
}

std::uint32_t CodedInputs::code(std::size_t column, std::uint32_t row) const {
  const CodedColumn& view = views_[column];
  std::size_t place = row;
  if (!view.dense) {
    const auto found = std::lower_bound(view.rows.begin(), view.rows.end(), row);
    if (found == view.rows.end() || *found != row) return view.default_code;
    place = static_cast<std::size_t>(found - view.rows.begin());
  }
  return stored_code(view, place);
}

void CodedInputs::index_rows() {
  entry_begin_.assign(rows_ + 1, 0);
  for (const CodedColumn& view : views_)
    for (const std::uint32_t row : view.rows) ++entry_begin_[row + 1];
  for (std::size_t row = 0; row < rows_; ++row) entry_begin_[row + 1] += entry_begin_[row];
  entry_column_.resize(entry_begin_.back());
  entry_code_.resize(entry_begin_.back());
  std::vector<std::uint64_t> end(entry_begin_.begin(), entry_begin_.end() - 1);
  for (std::uint32_t j = 0; j < views_.size(); ++j) {
    const CodedColumn& view = views_[j];
    for (std::size_t e = 0; e < view.rows.size(); ++e) {
      const std::uint64_t place = end[view.rows[e]]++;
      entry_column_[place] = j;
      entry_code_[place] = stored_code(view, e);
    }
  }
}

}  // namespace coppice

#include "core/tree/coded_inputs.h"

#include <algorithm>
#include <list>
#include <mutex>

namespace coppice {

namespace {

/// The non-zero values of a column.
struct Entries {
  std::vector<std::uint32_t> rows;
  std::vector<float> values;
};

Entries non_zero(const ColumnView& view) {
  Entries entries;
  for (std::size_t i = 0; i < view.values.size(); ++i) {
    if (view.values[i] == 0.0F) continue;
    entries.rows.push_back(view.dense ? static_cast<std::uint32_t>(i) : view.rows[i]);
    entries.values.push_back(view.values[i]);
  }
  return entries;
}

std::vector<float> distinct(std::span<const float> values, bool with_zero) {
  std::vector<float> sorted(values.begin(), values.end());
  if (with_zero) sorted.push_back(0.0F);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

std::uint32_t rank_of(const std::vector<float>& values, float value) {
  return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
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

CodedInputs::CodedInputs(const Features& features, const Context& context, double sparse_density)
    : rows_(features.rows()), columns_(features.columns()) {
  parallel_blocks(context, columns_.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      context.check_stop();
      columns_[j] = code(features.column(j), sparse_density);
    }
  });
  for (const Column& column : columns_) has_sparse_ = has_sparse_ || !column.dense;
}

CodedInputs::Column CodedInputs::code(const ColumnView& view, double sparse_density) {
  Column column;
  const Entries entries = non_zero(view);
  const bool with_zero = entries.rows.size() < view.row_count;
  column.values = distinct(entries.values, with_zero);
  column.zero_code = with_zero ? rank_of(column.values, 0.0F) : 0;
  column.dense =
      static_cast<double>(entries.rows.size()) > sparse_density * static_cast<double>(view.row_count);
  const bool narrow = column.values.size() <= 65536;
  if (column.dense) {
    column.narrow_codes.assign(narrow ? view.row_count : 0, static_cast<std::uint16_t>(column.zero_code));
    column.wide_codes.assign(narrow ? 0 : view.row_count, column.zero_code);
  } else {
    column.rows = entries.rows;
    if (column.values.size() <= 2) return column;
    column.narrow_codes.resize(narrow ? entries.rows.size() : 0);
    column.wide_codes.resize(narrow ? 0 : entries.rows.size());
  }
  for (std::size_t i = 0; i < entries.rows.size(); ++i) {
    const std::uint32_t rank = rank_of(column.values, entries.values[i]);
    const std::size_t place = column.dense ? entries.rows[i] : i;
    if (narrow)
      column.narrow_codes[place] = static_cast<std::uint16_t>(rank);
    else
      column.wide_codes[place] = rank;
  }
  return column;
}

CodedColumn CodedInputs::column(std::size_t index) const {
  const Column& column = columns_[index];
  CodedColumn view;
  view.dense = column.dense;
  view.narrow = column.wide_codes.empty();
  view.zero_code = column.zero_code;
  view.values = column.values;
  view.rows = column.rows;
  view.narrow_codes = column.narrow_codes;
  view.wide_codes = column.wide_codes;
  return view;
}

}  // namespace coppice

#include "core/data/sparse_rows.h"

#include "core/data/dataset_cache.h"

namespace coppice {

namespace {

/// Where in a view each row of its dataset stands; a row may stand in several places.
class Places {
 public:
  explicit Places(const DatasetView& view) : next_(view.size()), first_(view.dataset().rows(), none) {
    for (std::size_t i = view.size(); i-- > 0;) {
      next_[i] = first_[view[i]];
      first_[view[i]] = static_cast<std::uint32_t>(i);
    }
  }

  template <typename Body>
  void visit(std::size_t row, const Body& body) const {
    for (std::uint32_t place = first_[row]; place != none; place = next_[place]) body(place);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> first_;
};

/// Calls body(place, value) for every value of a column that is not 0.
template <typename Body>
void visit_column(const ColumnView& column, const Places& places, const Body& body) {
  for (std::size_t e = 0; e < column.values.size(); ++e) {
    if (column.values[e] == 0.0F) continue;
    places.visit(column.dense ? e : column.rows[e],
                 [&](std::uint32_t place) { body(place, column.values[e]); });
  }
}

}  // namespace

SparseRows SparseRows::of(const DatasetView& view) {
  return of(view, [](const ColumnView& /*column*/) { return true; });
}

std::shared_ptr<const SparseRows> SparseRows::of_sparse_columns(
    const std::shared_ptr<const Dataset>& dataset) {
  static DatasetCache<SparseRows> cache;
  return cache.get(dataset, [&] {
    return std::make_shared<const SparseRows>(
        of(DatasetView(dataset), [](const ColumnView& column) { return !column.dense; }));
  });
}

/// The columns for which wanted(column) holds.
template <typename Wanted>
SparseRows SparseRows::of(const DatasetView& view, const Wanted& wanted) {
  const Features& features = view.dataset().features();
  const Places places(view);
  const auto visit = [&](const auto& body) {
    for (std::size_t j = 0; j < features.columns(); ++j)
      if (const ColumnView column = features.column(j); wanted(column))
        visit_column(column, places, [&](std::uint32_t place, float value) { body(place, j, value); });
  };
  SparseRows rows;
  rows.begin_.assign(view.size() + 1, 0);
  visit([&](std::uint32_t place, std::size_t /*column*/, float) { ++rows.begin_[place + 1]; });
  for (std::size_t i = 0; i < view.size(); ++i) rows.begin_[i + 1] += rows.begin_[i];
  rows.columns_.resize(rows.begin_.back());
  rows.values_.resize(rows.begin_.back());
  std::vector<std::uint64_t> end(rows.begin_.begin(), rows.begin_.end() - 1);
  visit([&](std::uint32_t place, std::size_t column, float value) {
    rows.columns_[end[place]] = static_cast<std::uint32_t>(column);
    rows.values_[end[place]++] = value;
  });
  return rows;
}

}  // namespace coppice

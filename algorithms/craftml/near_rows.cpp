#include "algorithms/craftml/near_rows.h"

#include <numeric>

namespace coppice::craftml {

void NearRows::enter(std::size_t begin, std::size_t end, std::span<const std::uint32_t> order,
                     const NodeClassifier& classifier) {
  if (!worth_it_) return;
  constexpr std::size_t shrink = 8;
  constexpr std::size_t least_rows = 64;
  while (count_ > 0 && (begin < copies_[count_ - 1].begin || end > copies_[count_ - 1].end)) --count_;
  const bool coding = count_ == 0 && classifier.coding_pays();
  const std::size_t around = count_ > 0 ? copies_[count_ - 1].order.size() : order.size();
  if (!coding && (end - begin < least_rows || (end - begin) * shrink > around)) return;
  Copy next = copies_.size() > count_ ? std::move(copies_[count_]) : Copy();
  if (count_ == 0)
    copy(order.subspan(begin, end - begin), coding, classifier, next);
  else
    copy(std::span(copies_[count_ - 1].order).subspan(begin - copies_[count_ - 1].begin, end - begin), coding,
         classifier, next);
  next.begin = begin;
  next.end = end;
  if (copies_.size() == count_) copies_.emplace_back();
  copies_[count_++] = std::move(next);
}

void NearRows::copy(std::span<const std::uint32_t> ids, bool coding, const NodeClassifier& classifier,
                    Copy& to) const {
  const ClassifierRows from = rows();
  to.coded = coding || from.coded;
  to.row_begin.assign(1, 0);
  to.columns.clear();
  to.values.clear();
  for (const std::uint32_t id : ids) {
    const SparseRow row = from.rows[id];
    if (coding)
      for (const std::uint32_t column : row.columns) to.columns.push_back(classifier.code(column));
    else
      to.columns.insert(to.columns.end(), row.columns.begin(), row.columns.end());
    to.values.insert(to.values.end(), row.values.begin(), row.values.end());
    to.row_begin.push_back(to.columns.size());
  }
  to.order.resize(ids.size());
  std::iota(to.order.begin(), to.order.end(), 0U);
}

ClassifierRows NearRows::rows() const {
  if (count_ == 0) return all_;
  const Copy& copy = copies_[count_ - 1];
  return {SparseRowsView{copy.row_begin, copy.columns, copy.values}, copy.coded};
}

std::span<std::uint32_t> NearRows::ids(std::size_t begin, std::size_t end, std::span<std::uint32_t> order) {
  if (count_ == 0) return order.subspan(begin, end - begin);
  Copy& copy = copies_[count_ - 1];
  return std::span(copy.order).subspan(begin - copy.begin, end - begin);
}

}  // namespace coppice::craftml

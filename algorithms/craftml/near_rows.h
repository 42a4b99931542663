#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/node_classifier.h"

namespace coppice::craftml {

/// The inputs of a node's rows, copied to lie near each other once the node is much smaller than what they
/// lie in: rows of a node are all over the data, and a tree asks for each of them twice on every level. Where
/// a table of hash codes is too large for the nearest cache, copies have codes instead of columns.
///
/// Nodes are places [begin, end) in the tree's order of rows; a subtree is grown whole before another one, so
/// there is one copy inside the other, each at most an eighth of the one before.
class NearRows {
 public:
  /// Copies are made only if there are more than `many` entries: fewer stay in the cache anyway.
  explicit NearRows(const SparseRowsView& all, std::size_t many = std::size_t{1} << 20)
      : all_(all), worth_it_(all.columns.size() > many) {}

  /// Begins a tree.
  void start() { count_ = 0; }
  /// Makes ready for a node, of which `order` has all rows.
  void enter(std::size_t begin, std::size_t end, std::span<const std::uint32_t> order,
             const NodeClassifier& classifier);

  /// The inputs that have the rows of the node entered last.
  ClassifierRows rows() const;
  /// Which of them those are. They may be put in another order, that in which the tree puts them.
  std::span<std::uint32_t> ids(std::size_t begin, std::size_t end, std::span<std::uint32_t> order);
  /// Whether ids() are not those of the tree's own order.
  bool copied() const { return count_ > 0; }

 private:
  struct Copy {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool coded = false;
    std::vector<std::uint64_t> row_begin;
    std::vector<std::uint32_t> columns;  ///< or codes
    std::vector<float> values;
    std::vector<std::uint32_t> order;  ///< its rows, in the tree's order
  };
  void copy(std::span<const std::uint32_t> ids, bool coding, const NodeClassifier& classifier,
            Copy& to) const;

  SparseRowsView all_;
  bool worth_it_;
  std::vector<Copy> copies_;
  std::size_t count_ = 0;  ///< of copies in use
};

}  // namespace coppice::craftml

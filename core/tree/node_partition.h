#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/frame.h"
#include "core/tree/grower.h"
#include "core/tree/split_candidate.h"

namespace coppice {

/// A range of the rows of a frame: those of a node.
struct NodeRows {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint64_t> bits;  ///< the rows as a bitmap; only if there are listed columns
  ColumnList columns;               ///< those that may vary; likewise

  std::uint32_t size() const { return end - begin; }
};

/// A frame and its rows in the order of the nodes; `position` is the inverse of that order.
struct FrameRows {
  const Frame* frame = nullptr;
  Frame own;
  DenseCopy dense;
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> position;

  std::span<const std::uint32_t> of(const NodeRows& node) const {
    return std::span(ids).subspan(node.begin, node.size());
  }
};

/// The rows of the two children: [begin, middle) and [middle, end) of their parent.
struct NodeParts {
  std::uint32_t middle = 0;
  bool left_first = true;
};

/// Orders the rows of nodes by where a split sends them.
class NodePartition {
 public:
  NodePartition(const CodedInputs& inputs, const GrowthOptions& options)
      : inputs_(&inputs), options_(&options) {}

  /// `left_rows` says by a bit for each row of the node which go left, if that is known; else it is empty.
  NodeParts part(FrameRows& rows, const NodeRows& node, const SplitCandidate& split,
                 std::span<const std::uint64_t> left_rows);

 private:
  std::uint32_t last_left(const SplitCandidate& split) const;
  template <typename Value, typename Limit>
  NodeParts by_value(FrameRows& rows, const NodeRows& node, const Value* copied, const Value* stored,
                     Limit limit);
  template <typename GoesLeft>
  NodeParts by(FrameRows& rows, const NodeRows& node, const GoesLeft& is_left);
  NodeParts by_list(FrameRows& rows, const NodeRows& node, const SplitCandidate& split) const;

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  std::vector<std::uint32_t> right_ids_;
};

}  // namespace coppice

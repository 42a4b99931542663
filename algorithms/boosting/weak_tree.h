#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/tree/blocked_targets.h"
#include "core/tree/grower.h"
#include "core/tree/repeated_grower.h"

namespace coppice {

/// A tree as a weak model: its splits, and the leaf that every row of the training part comes to, whether it
/// was grown on that row or not.
struct WeakTree {
  GrownTree tree;                   ///< without its rows
  std::vector<std::uint32_t> leaf;  ///< of each training row
};

/// The targets that a tree grows on, output by output.
struct TargetColumns {
  std::size_t outputs = 1;
  /// Fills in one output of all training rows; may be called for several outputs at the same time.
  std::function<void(std::size_t output, std::span<double> values)> fill;
};

/// Memory that is kept from tree to tree by whoever grows them one after another.
struct WeakTreeMemory {
  std::unique_ptr<BlockedTargets> targets;
  GrowthMemory growth;
};

/// Grows the trees of a boosted model: all on the same rows, or on a part of them drawn for each.
class WeakTrees {
 public:
  /// `rows` are those of the dataset, ascending; a row may come several times.
  WeakTrees(const DatasetView& train, std::span<const std::uint32_t> rows, const GrowthOptions& options,
            const Context& context);

  /// `drawn` says which training rows to grow on; empty: all.
  WeakTree grow(const TargetColumns& targets, std::span<const std::uint32_t> drawn, const Stream& stream,
                const Context& context, WeakTreeMemory& memory) const;
  /// The leaf that each of some rows of the dataset comes to.
  std::vector<std::uint32_t> leaves(const GrownTree& tree, std::span<const std::uint32_t> rows) const;

 private:
  WeakTree grow_repeated(const TargetColumns& targets, std::span<const std::uint32_t> drawn,
                         const Stream& stream, const Context& context, WeakTreeMemory& memory) const;
  WeakTree grow_any(const TargetColumns& targets, std::span<const std::uint32_t> drawn, const Stream& stream,
                    const Context& context) const;

  std::span<const std::uint32_t> rows_;
  std::vector<std::uint32_t> distinct_;  ///< each of them once
  std::vector<std::uint32_t> place_;     ///< of each row among these
  std::size_t dataset_rows_;
  GrowthOptions options_;
  std::shared_ptr<const CodedInputs> inputs_;
  std::unique_ptr<RepeatedGrower> repeated_;  ///< if it suits
};

}  // namespace coppice

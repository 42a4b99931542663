#include "core/tree/grower.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>

#include "core/tree/category_chain.h"
#include "core/tree/found_split.h"
#include "core/tree/frame.h"
#include "core/tree/growth_place.h"
#include "core/tree/label_space.h"
#include "core/tree/no_space.h"
#include "core/tree/node_partition.h"
#include "core/tree/packed_label_space.h"
#include "core/tree/real_space.h"
#include "core/tree/split_search.h"
#include "core/tree/tree_shape.h"
#include "core/tree/word_grower.h"

namespace coppice {

namespace {

/// In best-first growth, a leaf that can be split.
struct OpenLeaf {
  GrowthPlace place;
  std::vector<std::uint32_t> rows;
  FoundSplit found;
};

/// The leaf with the largest gain first, of equal ones the older.
struct LessPromising {
  bool operator()(const OpenLeaf& a, const OpenLeaf& b) const {
    return a.found.gain != b.found.gain ? a.found.gain < b.found.gain : a.place.node > b.place.node;
  }
};

/// Grows one tree in one output space. A subtree is grown in a frame, by going on with the larger child and
/// recursing into the smaller: recursion is never deeper than the logarithm of the rows. What is known of a
/// node (its rows as bits, the columns that may vary there, the totals of the outputs) becomes that of the
/// larger child by taking the smaller child's rows away, so a split costs as much as its smaller side.
template <typename Space>
class Grower {
 public:
  Grower(const CodedInputs& inputs, Space space, const Sample& sample, const GrowthOptions& options,
         const Context& context)
      : inputs_(&inputs),
        sample_(&sample),
        options_(&options),
        context_(&context),
        space_(std::move(space)),
        search_(inputs, options, space_, context),
        words_(inputs, options, static_cast<double>(sample.total), space_, shape_),
        small_in_words_(WordFrame::suits(inputs)),
        partition_(inputs, options),
        scratch_(inputs.listed_columns()),
        copy_dense_(options.features * 4 >= inputs.dense_columns().size() &&
                    !inputs.dense_columns().empty() &&
                    (inputs.all_narrow() || options.rule == SplitRule::random_cut)) {}
  Grower(const Grower&) = delete;
  Grower& operator=(const Grower&) = delete;

  GrownTree grow(const Stream& stream) {
    GrowthPlace root;
    root.stream = stream.at("node");
    if (options_->max_leaves)
      grow_best_first(root);
    else
      grow_root(root);
    return shape_.finish(*sample_);
  }

 private:
  /// A frame with its rows and their outputs.
  struct Level : FrameRows {
    typename Space::Local outputs;
  };
  /// What is known of a node: its rows and what follows from them.
  struct State : NodeRows {
    typename Space::Totals totals;
  };

  static constexpr std::uint32_t rows_between_stop_checks = 256;

  /// Whether a node is so much smaller than its frame that a new one pays. Without listed columns all a frame
  /// gives is that the rows' outputs, and copies of columns, are near each other.
  bool outgrown(const Level& level, const State& state) const {
    constexpr std::uint32_t shrink = 8;
    const std::uint32_t enough = inputs_->has_listed() ? 2 : copy_dense_ ? 32 : 256;
    return level.frame->size() > enough && state.size() > 2 && state.size() * shrink <= level.frame->size();
  }
  /// Whether a node is grown in a word frame.
  bool in_words(std::size_t rows) const { return small_in_words_ && rows <= WordFrame::most_rows; }
  bool is_leaf(const Level& level, const State& state, const GrowthPlace& place) const {
    if (place.chain != nullptr) return false;
    return options_->ends(state.size(), place.depth) || space_.identical(level.outputs, ids(level, state));
  }

  static std::span<const std::uint32_t> ids(const Level& level, const State& state) {
    return level.of(state);
  }
  /// The dataset's rows of a node, until the next call.
  std::span<const std::uint32_t> rows(const Level& level, const State& state) {
    rows_.resize(state.size());
    for (std::uint32_t i = 0; i < state.size(); ++i)
      rows_[i] = level.frame->rows()[level.ids[state.begin + i]];
    return rows_;
  }

  Level& level(std::size_t index) {
    while (levels_.size() <= index) levels_.push_back(std::make_unique<Level>());
    return *levels_[index];
  }

  /// A state for as long as it is needed.
  class Borrowed {
   public:
    explicit Borrowed(std::vector<std::unique_ptr<State>>& pool) : pool_(&pool) {
      if (pool.empty()) {
        state_ = std::make_unique<State>();
      } else {
        state_ = std::move(pool.back());
        pool.pop_back();
      }
    }
    ~Borrowed() { pool_->push_back(std::move(state_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    State& operator*() { return *state_; }

   private:
    std::vector<std::unique_ptr<State>>* pool_;
    std::unique_ptr<State> state_;
  };

  void open_frame(Level& level, std::span<const std::uint32_t> rows, State& state) {
    level.own.build(*inputs_, rows, scratch_, options_->rule == SplitRule::random_cut);
    level.frame = &level.own;
    level.ids.resize(rows.size());
    for (std::uint32_t id = 0; id < rows.size(); ++id) level.ids[id] = id;
    level.position = level.ids;
    open_level(level, state);
  }
  /// Opens the frame of the whole dataset, in which rows keep their numbers: all trees share it.
  void open_whole_frame(Level& level, State& state) {
    level.frame = &inputs_->whole_frame(options_->rule == SplitRule::random_cut);
    level.ids = sample_->rows;
    level.position.assign(inputs_->rows(), std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t i = 0; i < level.ids.size(); ++i) level.position[level.ids[i]] = i;
    open_level(level, state);
  }
  void open_level(Level& level, State& state) {
    level.dense.clear();
    space_.localise(level.frame->rows(), level.outputs);
    state.begin = 0;
    state.end = static_cast<std::uint32_t>(level.ids.size());
    if (inputs_->has_listed()) level.frame->list_columns(*inputs_, state.columns);
    learn(level, state);
  }

  /// Fills in what is known of a node's rows.
  void learn(const Level& level, State& state) {
    const bool listed = inputs_->has_listed();
    if (listed) state.bits.assign(level.frame->words(), 0);
    space_.clear(level.outputs, state.totals);
    const auto node_ids = ids(level, state);
    if constexpr (requires { space_.add(level.outputs, node_ids, state.totals); })
      space_.add(level.outputs, node_ids, state.totals);
    else
      for (const std::uint32_t id : node_ids) space_.add(level.outputs, id, state.totals);
    if (listed)
      for (const std::uint32_t id : node_ids) state.bits[id / 64] |= std::uint64_t{1} << (id % 64);
  }
  /// Takes the rows of another node away from what is known of one.
  void forget(const Level& level, const State& gone, State& state) {
    const auto gone_ids = ids(level, gone);
    if constexpr (requires { space_.remove(level.outputs, gone_ids, state.totals); })
      space_.remove(level.outputs, gone_ids, state.totals);
    else
      for (const std::uint32_t id : gone_ids) space_.remove(level.outputs, id, state.totals);
    if (inputs_->has_listed())
      for (const std::uint32_t id : gone_ids) state.bits[id / 64] &= ~(std::uint64_t{1} << (id % 64));
  }

  void grow_root(const GrowthPlace& place) {
    if (options_->ends(sample_->rows.size(), place.depth)) {
      shape_.make_leaf(place.node, sample_->rows);
      return;
    }
    if (in_words(sample_->rows.size())) {
      words_.grow(sample_->rows, place);
      return;
    }
    Borrowed state(states_);
    constexpr std::size_t large_part = 4;
    if (inputs_->has_listed() && sample_->rows.size() * large_part >= inputs_->rows())
      open_whole_frame(level(0), *state);
    else
      open_frame(level(0), sample_->rows, *state);
    grow_subtree(0, *state, place);
  }
  /// Grows a node in a frame of its own, inside that of the level `index`.
  void grow_in_new_frame(std::size_t index, const State& state, const GrowthPlace& place) {
    Level& outer = level(index);
    Level& inner = level(index + 1);
    Borrowed inner_state(states_);
    open_frame(inner, rows(outer, state), *inner_state);
    if (copy_dense_) {
      const bool values = options_->rule == SplitRule::random_cut;
      if (outer.dense.active())
        inner.dense.build(outer.dense, ids(outer, state), inputs_->dense_columns().size(), values);
      else
        inner.dense.build(*inputs_, inner.frame->rows(), values);
    }
    grow_subtree(index + 1, *inner_state, place);
  }

  void grow_subtree(std::size_t index, State& state, GrowthPlace place) {
    Level& here = level(index);
    for (;;) {
      if (place.chain != nullptr && !follow_chain(here, state, place)) continue;
      if (in_words(state.size())) {
        words_.grow(rows(here, state), place);
        return;
      }
      if (is_leaf(here, state, place)) break;
      if (outgrown(here, state)) {
        grow_in_new_frame(index, state, place);
        return;
      }
      FoundSplit found = place.chain != nullptr ? place.chain->next_branch(*inputs_, rows(here, state))
                                                : find_split(here, state, place.stream);
      if (!found.split.found) break;
      std::shared_ptr<const CategoryChain> chain = place.chain;
      if (options_->branch_for_each_category && chain == nullptr && found.split.categorical()) {
        chain = CategoryChain::start(*inputs_, found.split.feature, rows(here, state));
        found = chain->next_branch(*inputs_, rows(here, state));
      }
      if (state.size() == 2 && chain == nullptr) {
        const auto pair = rows(here, state);
        shape_.split_pair(place.node, found.split, found.gain, {pair[0], pair[1]},
                          found.split.goes_left(inputs_->value(found.split.feature, pair[0])));
        return;
      }
      const auto left_rows = chain == nullptr ? search_.left_rows() : std::span<const std::uint64_t>();
      const NodeParts parts = partition_.part(here, state, found.split, left_rows);
      const auto [left, right] = shape_.split(place.node, found.split, found.gain);
      GrowthPlace left_place = place.child(left, 0);
      GrowthPlace right_place = place.child(right, 1);
      if (chain != nullptr) {
        right_place.depth = place.depth;
        right_place.chain = chain;
      }
      const bool first_smaller = 2 * (parts.middle - state.begin) <= state.size();
      const bool left_smaller = first_smaller == parts.left_first;
      {
        Borrowed smaller(states_);
        (*smaller).begin = first_smaller ? state.begin : parts.middle;
        (*smaller).end = first_smaller ? parts.middle : state.end;
        (first_smaller ? state.begin : state.end) = parts.middle;
        forget(here, *smaller, state);
        grow_smaller(index, *smaller, state, left_smaller ? left_place : right_place);
      }
      place = left_smaller ? std::move(right_place) : std::move(left_place);
    }
    shape_.make_leaf(place.node, rows(here, state));
  }

  /// Grows a child of which only the rows are known; what may vary there varies in its sibling or between.
  void grow_smaller(std::size_t index, State& state, const State& sibling, const GrowthPlace& place) {
    Level& here = level(index);
    if (in_words(state.size())) {
      words_.grow(rows(here, state), place);
    } else if (is_leaf(here, state, place)) {
      shape_.make_leaf(place.node, rows(here, state));
    } else if (outgrown(here, state)) {
      grow_in_new_frame(index, state, place);
    } else {
      if (state.size() > 2 || options_->branch_for_each_category) {
        learn(here, state);
        state.columns = sibling.columns;
      }
      grow_subtree(index, state, place);
    }
  }

  /// Ends a chain where one category is left; the others then lead to an empty leaf. Returns whether the
  /// chain goes on.
  bool follow_chain(const Level& level, const State& state, GrowthPlace& place) {
    if (place.chain->goes_on(*inputs_, rows(level, state))) return true;
    const std::shared_ptr<const CategoryChain> chain = std::move(place.chain);
    if (chain->incomplete) {
      const FoundSplit last = chain->next_branch(*inputs_, rows(level, state));
      const auto [left, right] = shape_.split(place.node, last.split, 0.0);
      shape_.make_empty_leaf(right, chain->rows);
      place = place.child(left, 0);
    } else {
      place = GrowthPlace{place.node, place.depth + 1, place.stream, nullptr};
    }
    return false;
  }

  FoundSplit find_split(Level& level, State& state, const Stream& stream) {
    if (state.size() >= rows_between_stop_checks) context_->check_stop();
    const auto node_ids = ids(level, state);
    SplitCandidate split;
    double gain = 0.0;
    if (state.size() == 2 && !options_->branch_for_each_category) {
      split = search_.part(level.frame->rows()[node_ids[0]], level.frame->rows()[node_ids[1]], stream);
      if (split.found) gain = space_.pair_gain(level.outputs, node_ids[0], node_ids[1]);
    } else {
      const bool often = options_->rule == SplitRule::best && !inputs_->dense_columns().empty();
      space_.enter(level.outputs, state.totals, node_ids, often);
      if constexpr (requires { space_.spread(node_ids); })
        if (inputs_->has_listed() && !inputs_->all_two_valued()) space_.spread(node_ids);
      // Best-first growth, which boosting does too, takes features in an order of the node's own.
      ColumnList* columns = inputs_->has_listed() && !options_->max_leaves ? &state.columns : nullptr;
      split = search_.search({level.frame, &level.dense, node_ids, state.bits, columns}, stream);
      if (split.found) gain = split.score - space_.base_score();
    }
    return FoundSplit::of(std::move(split), gain, static_cast<double>(sample_->total), *options_);
  }

  void grow_best_first(const GrowthPlace& root) {
    std::priority_queue<OpenLeaf, std::vector<OpenLeaf>, LessPromising> open;
    const auto offer = [&](const GrowthPlace& place, std::vector<std::uint32_t> rows) {
      OpenLeaf leaf{place, std::move(rows), {}};
      if (examine(leaf))
        open.push(std::move(leaf));
      else
        shape_.make_leaf(place.node, leaf.rows);
    };
    offer(root, sample_->rows);
    for (std::uint64_t leaves = 1; leaves < *options_->max_leaves && !open.empty(); ++leaves) {
      const OpenLeaf leaf = open.top();
      open.pop();
      const SplitCandidate& split = leaf.found.split;
      const auto [left, right] = shape_.split(leaf.place.node, split, leaf.found.gain);
      std::vector<std::uint32_t> left_rows;
      std::vector<std::uint32_t> right_rows;
      for (const std::uint32_t row : leaf.rows)
        (split.goes_left(inputs_->value(split.feature, row)) ? left_rows : right_rows).push_back(row);
      offer(leaf.place.child(left, 0), std::move(left_rows));
      offer(leaf.place.child(right, 1), std::move(right_rows));
    }
    for (; !open.empty(); open.pop()) shape_.make_leaf(open.top().place.node, open.top().rows);
  }

  /// Whether a leaf can be split; its split is then known.
  bool examine(OpenLeaf& leaf) {
    if (options_->ends(leaf.rows.size(), leaf.place.depth)) return false;
    Borrowed state(states_);
    open_frame(level(0), leaf.rows, *state);
    if (is_leaf(level(0), *state, leaf.place)) return false;
    leaf.found = find_split(level(0), *state, leaf.place.stream);
    return leaf.found.split.found;
  }

  const CodedInputs* inputs_;
  const Sample* sample_;
  const GrowthOptions* options_;
  const Context* context_;
  Space space_;
  SplitSearch<Space> search_;
  TreeShape shape_;
  WordGrower<Space> words_;
  bool small_in_words_;
  NodePartition partition_;
  FrameScratch scratch_;
  bool copy_dense_;  ///< whether nodes look at so many dense columns that frames copy them
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<std::unique_ptr<State>> states_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

std::vector<std::uint32_t> GrownTree::leaf_of_rows(std::size_t dataset_rows) const {
  std::vector<std::uint32_t> leaf_of(dataset_rows, no_leaf);
  for (std::uint32_t leaf = 0; leaf < leaves(); ++leaf)
    for (const std::uint32_t row : leaf_rows(leaf)) leaf_of[row] = leaf;
  return leaf_of;
}

GrownTree grow_tree(const CodedInputs& inputs, const GrowthTargets& targets, const Sample& sample,
                    const GrowthOptions& options, const Stream& stream, const Context& context) {
  const auto grow = [&]<typename Space>(Space space) {
    return Grower<Space>(inputs, std::move(space), sample, options, context).grow(stream);
  };
  if (const auto* grid = std::get_if<const RealGrid*>(&targets))
    return (*grid)->outputs() == 1 ? grow(RealSpace<true>(**grid, sample))
                                   : grow(RealSpace<false>(**grid, sample));
  if (std::holds_alternative<NoTargets>(targets)) return grow(NoSpace{});
  const auto& labels = std::get<LabelTargets>(targets);
  if (labels.entropy != nullptr)
    return grow(EntropySpace(*labels.labels, labels.one_class, *labels.entropy, sample));
  if (PackedLabelSpace::suits(*labels.labels, sample))
    return grow(PackedLabelSpace(*labels.labels, sample, labels.bits));
  return grow(LabelSpace(*labels.labels, sample, labels.bits));
}

}  // namespace coppice

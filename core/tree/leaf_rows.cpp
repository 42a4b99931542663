#include "core/tree/leaf_rows.h"

#include <algorithm>
#include <numeric>

#include "core/base/line_vector.h"
#include "core/tree/sample.h"

namespace coppice {

namespace {

/// The arrays of leaves that have just been labelled.
struct OwnedRows {
  std::vector<std::uint64_t> leaf_begin{0};
  OwnedNarrow leaf_end;
  std::vector<std::uint64_t> row_begin{0};
  OwnedNarrow rows;
  std::vector<std::uint64_t> label_begin;
  std::vector<std::uint32_t> labels;
  LineVector<double> values;
  std::vector<std::uint32_t> weights;
};

/// Whether every value is at least the one before.
template <typename T>
bool ascending(std::span<const T> values) {
  return std::is_sorted(values.begin(), values.end());
}

/// Whether some rows of a task with labels all have the same ones.
bool same_labels(const Dataset& dataset, std::span<const std::uint32_t> rows) {
  return has_labels(dataset.task()) && std::ranges::all_of(rows, [&](std::uint32_t row) {
           return row == rows[0] || std::ranges::equal(dataset.labels()[row], dataset.labels()[rows[0]]);
         });
}

/// How many rows of each leaf of a tree are listed.
std::vector<std::uint32_t> listed_rows(const GrownTree& tree, const Dataset& dataset) {
  std::vector<std::uint32_t> counts(tree.leaves());
  for (std::size_t leaf = 0; leaf < counts.size(); ++leaf) {
    const auto rows = tree.leaf_rows(leaf);
    // Where all are the same, their mean is that of one: most leaves of a fully grown tree.
    counts[leaf] = same_labels(dataset, rows) ? 1 : static_cast<std::uint32_t>(rows.size());
  }
  return counts;
}

/// Lists the rows of a tree at its place.
void place_tree_rows(OwnedRows& owned, const GrownTree& tree, std::size_t number_of_tree,
                     std::span<const std::uint32_t> counts, std::span<const std::uint32_t> number) {
  const std::size_t begin = owned.row_begin[number_of_tree];
  std::uint32_t end = 0;
  for (std::size_t leaf = 0; leaf < counts.size(); ++leaf) {
    for (const std::uint32_t row : tree.leaf_rows(leaf).first(counts[leaf]))
      owned.rows.set(begin + end++, number[row]);
    owned.leaf_end.set(owned.leaf_begin[number_of_tree] + leaf, end);
  }
}

/// Lists the rows of all trees, which the dataset's rows have numbers for.
void place_rows(OwnedRows& owned, std::span<const GrownTree> trees, const Dataset& dataset,
                std::size_t train_rows, std::span<const std::uint32_t> number, const Context& context) {
  constexpr std::size_t most_narrow = 65535;
  std::vector<std::vector<std::uint32_t>> counts(trees.size());
  parallel_for(context, trees.size(), [&](std::size_t t) { counts[t] = listed_rows(trees[t], dataset); });
  std::size_t most_rows = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    owned.leaf_begin.push_back(owned.leaf_begin.back() + counts[t].size());
    owned.row_begin.push_back(
        std::accumulate(counts[t].begin(), counts[t].end(), std::uint64_t{owned.row_begin.back()}));
    most_rows = std::max(most_rows, trees[t].rows.size());
  }
  owned.leaf_end.start(most_rows <= most_narrow, owned.leaf_begin.back());
  owned.rows.start(train_rows <= most_narrow, owned.row_begin.back());
  parallel_for(context, trees.size(),
               [&](std::size_t t) { place_tree_rows(owned, trees[t], t, counts[t], number); });
}

}  // namespace

LeafRows::LeafRows(std::span<const GrownTree> trees, const DatasetView& train, const Context& context)
    : LeafRows(trees, train, Sample{}, context) {}

LeafRows::LeafRows(std::span<const GrownTree> trees, const DatasetView& train, const Sample& weighted,
                   const Context& context)
    : outputs_(train.dataset().output_count()) {
  const auto owned = std::make_shared<OwnedRows>();
  const Dataset& dataset = train.dataset();
  const Sample all = Sample::of(train);
  std::vector<std::uint32_t> number(dataset.rows(), 0);
  for (std::uint32_t i = 0; i < all.rows.size(); ++i) number[all.rows[i]] = i;
  place_rows(*owned, trees, dataset, all.rows.size(), number, context);

  if (has_labels(dataset.task())) {
    owned->label_begin.push_back(0);
    for (const std::uint32_t row : all.rows) {
      const auto labels = dataset.labels()[row];
      owned->labels.insert(owned->labels.end(), labels.begin(), labels.end());
      owned->label_begin.push_back(owned->labels.size());
    }
  } else {
    for (const std::uint32_t row : all.rows) {
      const auto values = dataset.targets()[row];
      owned->values.insert(owned->values.end(), values.begin(), values.end());
    }
  }
  if (!weighted.drawn)
    for (const std::uint32_t row : all.rows) owned->weights.push_back(weighted.weights[row]);
  weights_ = owned->weights;
  leaf_begin_ = owned->leaf_begin;
  leaf_end_ = owned->leaf_end.array();
  row_begin_ = owned->row_begin;
  rows_ = owned->rows.array();
  label_begin_ = owned->label_begin;
  labels_ = owned->labels;
  values_ = owned->values;
  owner_ = owned;
}

void LeafRows::save(ModelWriter& writer) const {
  writer.put("leaf_begin", leaf_begin_);
  leaf_end_.save("leaf_end", writer);
  writer.put("row_begin", row_begin_);
  rows_.save("leaf_rows", writer);
  writer.put("label_begin", label_begin_);
  writer.put("labels", labels_);
  writer.put("values", values_);
  if (weighted()) writer.put("weights", weights_);
}

LeafRows LeafRows::load(const std::shared_ptr<const ModelReader>& reader, std::span<const std::size_t> leaves,
                        bool has_labels, std::size_t outputs) {
  LeafRows loaded;
  loaded.owner_ = reader;
  loaded.outputs_ = outputs;
  loaded.leaf_begin_ = reader->array<std::uint64_t>("leaf_begin");
  loaded.leaf_end_ = NarrowArray::load("leaf_end", *reader);
  loaded.row_begin_ = reader->array<std::uint64_t>("row_begin");
  loaded.rows_ = NarrowArray::load("leaf_rows", *reader);
  loaded.label_begin_ = reader->array<std::uint64_t>("label_begin");
  loaded.labels_ = reader->array<std::uint32_t>("labels");
  loaded.values_ = reader->array<double>("values");
  if (reader->has("weights")) loaded.weights_ = reader->array<std::uint32_t>("weights");
  loaded.check(*reader, leaves, has_labels);
  return loaded;
}

void LeafRows::check(const ModelReader& reader, std::span<const std::size_t> leaves, bool has_labels) const {
  const auto require = [&](bool sound, const char* why) {
    if (!sound) reader.fail(why);
  };
  require(leaf_begin_.size() == leaves.size() + 1 && row_begin_.size() == leaves.size() + 1 &&
              leaf_begin_.front() == 0 && leaf_begin_.back() == leaf_end_.size() && row_begin_.front() == 0 &&
              row_begin_.back() == rows_.size() && ascending(row_begin_),
          "has leaf arrays of different lengths");
  for (std::size_t t = 0; t < leaves.size(); ++t) {
    require(leaf_begin_[t + 1] - leaf_begin_[t] == leaves[t], "has leaves that no tree leads to");
    const auto ends = leaf_end_.subspan(leaf_begin_[t], leaves[t]);
    require(!ends.empty() && ends[0] > 0 && ends.back() == row_begin_[t + 1] - row_begin_[t],
            "has leaves whose rows do not fit");
    for (std::size_t leaf = 1; leaf < ends.size(); ++leaf)
      require(ends[leaf - 1] < ends[leaf], "has a leaf without rows");
  }
  const std::size_t row_count = has_labels ? label_begin_.size() - 1 : values_.size() / outputs_;
  if (has_labels)
    require(!label_begin_.empty() && label_begin_.front() == 0 && label_begin_.back() == labels_.size() &&
                ascending(label_begin_),
            "has label sets of different lengths");
  else
    require(values_.size() % outputs_ == 0, "has outputs that do not form rows");
  bool all_exist = true;
  rows_.each([&](std::uint32_t row) { all_exist = all_exist && row < row_count; });
  require(all_exist, "has leaves with rows that do not exist");
  require(weights_.empty() || weights_.size() == row_count, "has weights that belong to no row");
  require(std::all_of(labels_.begin(), labels_.end(), [&](std::uint32_t label) { return label < outputs_; }),
          "has labels that do not exist");
}

}  // namespace coppice

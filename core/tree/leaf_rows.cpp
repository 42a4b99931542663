#include "core/tree/leaf_rows.h"

#include <algorithm>

#include "core/tree/sample.h"

namespace coppice {

namespace {

/// The arrays of leaves that have just been labelled.
struct OwnedRows {
  std::vector<std::uint64_t> leaf_begin{0};
  std::vector<std::uint32_t> leaf_end;
  std::vector<std::uint64_t> row_begin{0};
  std::vector<std::uint32_t> rows;
  std::vector<std::uint64_t> label_begin;
  std::vector<std::uint32_t> labels;
  std::vector<double> values;
};

/// Whether every value is at least the one before.
template <typename T>
bool ascending(std::span<const T> values) {
  return std::is_sorted(values.begin(), values.end());
}

void append_tree(OwnedRows& owned, const GrownTree& tree, std::span<const std::uint32_t> number) {
  for (const std::uint32_t row : tree.rows) owned.rows.push_back(number[row]);
  owned.leaf_end.insert(owned.leaf_end.end(), tree.leaf_end.begin(), tree.leaf_end.end());
  owned.leaf_begin.push_back(owned.leaf_end.size());
  owned.row_begin.push_back(owned.rows.size());
}

}  // namespace

LeafRows::LeafRows(std::span<const GrownTree> trees, const DatasetView& train)
    : outputs_(train.dataset().output_count()) {
  const auto owned = std::make_shared<OwnedRows>();
  const Dataset& dataset = train.dataset();
  const Sample all = Sample::of(train);
  std::vector<std::uint32_t> number(dataset.rows(), 0);
  for (std::uint32_t i = 0; i < all.rows.size(); ++i) number[all.rows[i]] = i;
  for (const GrownTree& tree : trees) append_tree(*owned, tree, number);

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
  leaf_begin_ = owned->leaf_begin;
  leaf_end_ = owned->leaf_end;
  row_begin_ = owned->row_begin;
  rows_ = owned->rows;
  label_begin_ = owned->label_begin;
  labels_ = owned->labels;
  values_ = owned->values;
  owner_ = owned;
}

void LeafRows::save(ModelWriter& writer) const {
  writer.put("leaf_begin", leaf_begin_);
  writer.put("leaf_end", leaf_end_);
  writer.put("row_begin", row_begin_);
  writer.put("leaf_rows", rows_);
  writer.put("label_begin", label_begin_);
  writer.put("labels", labels_);
  writer.put("values", values_);
}

LeafRows LeafRows::load(const std::shared_ptr<const ModelReader>& reader, std::span<const std::size_t> leaves,
                        bool has_labels, std::size_t outputs) {
  LeafRows loaded;
  loaded.owner_ = reader;
  loaded.outputs_ = outputs;
  loaded.leaf_begin_ = reader->array<std::uint64_t>("leaf_begin");
  loaded.leaf_end_ = reader->array<std::uint32_t>("leaf_end");
  loaded.row_begin_ = reader->array<std::uint64_t>("row_begin");
  loaded.rows_ = reader->array<std::uint32_t>("leaf_rows");
  loaded.label_begin_ = reader->array<std::uint64_t>("label_begin");
  loaded.labels_ = reader->array<std::uint32_t>("labels");
  loaded.values_ = reader->array<double>("values");
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
    require(ascending(ends) && !ends.empty() && ends.front() > 0 &&
                ends.back() == row_begin_[t + 1] - row_begin_[t],
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
  require(std::all_of(rows_.begin(), rows_.end(), [&](std::uint32_t row) { return row < row_count; }),
          "has leaves with rows that do not exist");
  require(std::all_of(labels_.begin(), labels_.end(), [&](std::uint32_t label) { return label < outputs_; }),
          "has labels that do not exist");
}

}  // namespace coppice

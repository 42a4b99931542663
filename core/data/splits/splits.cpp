#include "core/data/splits/splits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

Rows shuffled_rows(std::size_t rows, Stream stream) {
  Rows order(rows);
  std::iota(order.begin(), order.end(), 0U);
  stream.shuffle(std::span(order));
  return order;
}

Rows sorted_slice(const Rows& order, std::size_t begin, std::size_t end) {
  Rows part(order.begin() + static_cast<std::ptrdiff_t>(begin),
            order.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(part.begin(), part.end());
  return part;
}

void require_two_rows(std::size_t rows, const char* what) {
  if (rows < 2)
    throw Error(ErrorKind::data, fmt::format("{} needs at least 2 rows; there is {}", what, rows));
}

void require_folds(std::size_t folds, std::size_t available, const char* of) {
  if (folds < 2 || available < folds)
    throw Error(ErrorKind::data, fmt::format("{} folds of {} {} are impossible; take between 2 and {}", folds,
                                             available, of, available));
}

/// The rows of every group, in the order of the groups' numbers; empty groups are left out.
std::vector<Rows> rows_of_groups(std::span<const std::uint32_t> groups) {
  const std::uint32_t largest = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end());
  std::vector<Rows> members(std::size_t{largest} + 1);
  for (std::size_t row = 0; row < groups.size(); ++row)
    members[groups[row]].push_back(static_cast<std::uint32_t>(row));
  std::erase_if(members, [](const Rows& rows) { return rows.empty(); });
  return members;
}

std::vector<Rows> shuffled_groups(std::span<const std::uint32_t> groups, Stream stream) {
  std::vector<Rows> members = rows_of_groups(groups);
  stream.shuffle(std::span(members));
  return members;
}

void require_two_groups(std::size_t groups, const char* what) {
  if (groups < 2)
    throw Error(ErrorKind::data,
                fmt::format("{} by groups needs at least 2 groups; there is {}", what, groups));
}

}  // namespace

Split random_split(std::size_t rows, std::size_t train_size, std::size_t test_size, const Stream& stream) {
  if (train_size + test_size > rows)
    throw Error(ErrorKind::data,
                fmt::format("{} rows to train on and {} to test on are more than the {} there are",
                            train_size, test_size, rows));
  const Rows order = shuffled_rows(rows, stream);
  return {sorted_slice(order, test_size, test_size + train_size), sorted_slice(order, 0, test_size)};
}

Rows random_part(std::span<const std::uint32_t> rows, std::size_t count, const Stream& stream) {
  if (count > rows.size())
    throw Error(ErrorKind::data,
                fmt::format("{} training rows are asked for, the training part has {}", count, rows.size()));
  Rows part = sorted_slice(shuffled_rows(rows.size(), stream), 0, count);
  for (std::uint32_t& row : part) row = rows[row];
  return part;
}

Split holdout(std::size_t rows, double test_fraction, const Stream& stream) {
  require_two_rows(rows, "a hold-out split");
  const auto wanted = static_cast<std::size_t>(std::floor(test_fraction * static_cast<double>(rows) + 0.5));
  const std::size_t test_size = std::clamp<std::size_t>(wanted, 1, rows - 1);
  return random_split(rows, rows - test_size, test_size, stream);
}

std::vector<Split> splits_of_parts(std::span<const std::uint32_t> part_of_row, std::size_t parts) {
  std::vector<Split> splits(parts);
  for (std::size_t row = 0; row < part_of_row.size(); ++row)
    for (std::size_t part = 0; part < parts; ++part)
      (part_of_row[row] == part ? splits[part].test : splits[part].train)
          .push_back(static_cast<std::uint32_t>(row));
  return splits;
}

std::vector<Split> k_fold(std::size_t rows, std::size_t folds, const Stream& stream) {
  require_folds(folds, rows, "rows");
  const Rows order = shuffled_rows(rows, stream);
  std::vector<std::uint32_t> part_of_row(rows);
  for (std::size_t fold = 0; fold < folds; ++fold)
    for (std::size_t i = rows * fold / folds; i < rows * (fold + 1) / folds; ++i)
      part_of_row[order[i]] = static_cast<std::uint32_t>(fold);
  return splits_of_parts(part_of_row, folds);
}

Split leave_one_out(std::size_t rows, std::size_t index) {
  require_two_rows(rows, "leave-one-out");
  Split split;
  split.test = {static_cast<std::uint32_t>(index)};
  split.train.reserve(rows - 1);
  for (std::uint32_t row = 0; row < rows; ++row)
    if (row != index) split.train.push_back(row);
  return split;
}

Split bootstrap(std::size_t rows, const Stream& stream) {
  require_two_rows(rows, "a bootstrap");
  Split split;
  // With few rows it happens that all of them are drawn; there is nothing to test on then, and another sample
  // is drawn.
  for (std::uint64_t attempt = 0; split.test.empty(); ++attempt) {
    Stream source = stream.at("attempt", attempt);
    std::vector<std::uint32_t> drawn(rows, 0);
    for (std::size_t i = 0; i < rows; ++i) ++drawn[source.below(rows)];
    split.train.clear();
    for (std::uint32_t row = 0; row < rows; ++row) {
      split.train.insert(split.train.end(), drawn[row], row);
      if (drawn[row] == 0) split.test.push_back(row);
    }
  }
  return split;
}

double estimate_632(double training, double out_of_bag) {
  return 0.368 * training + 0.632 * out_of_bag;
}

std::vector<Split> group_k_fold(std::span<const std::uint32_t> groups, std::size_t folds,
                                const Stream& stream) {
  std::vector<Rows> members = shuffled_groups(groups, stream);
  require_folds(folds, members.size(), "groups");
  // Large groups first, each into the fold that is smallest so far; among equals the random order stays.
  std::stable_sort(members.begin(), members.end(),
                   [](const Rows& a, const Rows& b) { return a.size() > b.size(); });
  std::vector<std::size_t> sizes(folds, 0);
  std::vector<std::uint32_t> part_of_row(groups.size());
  for (const Rows& rows : members) {
    const auto fold = static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
    sizes[fold] += rows.size();
    for (const std::uint32_t row : rows) part_of_row[row] = static_cast<std::uint32_t>(fold);
  }
  return splits_of_parts(part_of_row, folds);
}

Split group_holdout(std::span<const std::uint32_t> groups, double test_fraction, const Stream& stream) {
  const std::vector<Rows> members = shuffled_groups(groups, stream);
  require_two_groups(members.size(), "a hold-out split");
  const double wanted = test_fraction * static_cast<double>(groups.size());
  Split split;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double without = std::abs(wanted - static_cast<double>(split.test.size()));
    const double with = std::abs(wanted - static_cast<double>(split.test.size() + members[i].size()));
    const bool last_to_train = i + 1 == members.size() && split.train.empty();
    Rows& part = !last_to_train && (split.test.empty() || with < without) ? split.test : split.train;
    part.insert(part.end(), members[i].begin(), members[i].end());
  }
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

std::size_t group_count(std::span<const std::uint32_t> groups) {
  return rows_of_groups(groups).size();
}

Split leave_one_group_out(std::span<const std::uint32_t> groups, std::size_t index) {
  std::vector<Rows> members = rows_of_groups(groups);
  require_two_groups(members.size(), "leave-one-out");
  Split split;
  split.test = std::move(members[index]);
  members[index].clear();
  for (const Rows& rows : members) split.train.insert(split.train.end(), rows.begin(), rows.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

Split group_bootstrap(std::span<const std::uint32_t> groups, const Stream& stream) {
  const std::vector<Rows> members = rows_of_groups(groups);
  require_two_groups(members.size(), "a bootstrap");
  const Split drawn = bootstrap(members.size(), stream);
  const auto rows_of = [&](const Rows& chosen) {
    Rows rows;
    for (const std::uint32_t group : chosen)
      rows.insert(rows.end(), members[group].begin(), members[group].end());
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  return {rows_of(drawn.train), rows_of(drawn.test)};
}

Split within(const Split& positions, std::span<const std::uint32_t> rows) {
  Split split;
  for (const std::uint32_t position : positions.train) split.train.push_back(rows[position]);
  for (const std::uint32_t position : positions.test) split.test.push_back(rows[position]);
  return split;
}

}  // namespace coppice

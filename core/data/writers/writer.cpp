#include "core/data/writers/writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/data/row_walk.h"
#include "core/data/writers/formats.h"

namespace coppice {

namespace {

std::unique_ptr<FormatWriter> make_writer(const std::string& format) {
  if (format == "arff") return make_arff_writer();
  if (format == "csv") return make_csv_writer();
  if (format == "extreme-text") return make_extreme_text_writer();
  if (format == "libsvm") return make_libsvm_writer();
  throw Error(ErrorKind::usage,
              fmt::format("no format '{}' to write{}", format, did_you_mean(format, writer_formats())));
}

/// Which rows of the dataset are among these; files keep the order of the dataset.
std::vector<bool> members(const Rows& rows, std::size_t count) {
  std::vector<bool> member(count, false);
  for (const std::uint32_t row : rows) member[row] = true;
  return member;
}

}  // namespace

const std::vector<std::string>& writer_formats() {
  static const std::vector<std::string> names{"arff", "csv", "extreme-text", "libsvm"};
  return names;
}

void write_dataset(const Dataset& dataset, const WriteOptions& options) {
  const auto writer = make_writer(options.format);
  writer->check(dataset);
  const bool split = options.test.has_value();
  if (split && !dataset.given_split())
    throw Error(ErrorKind::data,
                fmt::format("dataset '{}' has no given split to write to two files", dataset.name()));
  const std::vector<bool> in_train =
      split ? members(dataset.given_split()->train, dataset.rows()) : std::vector<bool>(dataset.rows(), true);
  const std::vector<bool> in_test =
      split ? members(dataset.given_split()->test, dataset.rows()) : std::vector<bool>(dataset.rows(), false);
  const auto count = [](const std::vector<bool>& member) {
    return static_cast<std::size_t>(std::count(member.begin(), member.end(), true));
  };

  TextWriter train(options.file);
  std::optional<TextWriter> test;
  writer->begin(train, dataset, count(in_train));
  if (split) {
    test.emplace(*options.test);
    writer->begin(*test, dataset, count(in_test));
  }
  RowWalk blocks(dataset.features());
  while (blocks.next())
    for (std::size_t row = blocks.begin(); row < blocks.end(); ++row) {
      const RowToWrite item{row, blocks.columns(row), blocks.values(row)};
      if (in_train[row]) writer->row(train, dataset, item);
      if (in_test[row]) writer->row(*test, dataset, item);
    }
  if (options.labels) write_mulan_labels(dataset, *options.labels);
  if (test) test->close();
  train.close();
}

}  // namespace coppice

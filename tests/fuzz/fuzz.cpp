#include "tests/fuzz/fuzz.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/row_walk.h"

namespace coppice {

namespace {

[[noreturn]] void find(const std::string& what) {
  fmt::print(stderr, "found: {}\n", what);
  std::abort();
}

}  // namespace

FuzzInput::FuzzInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  choice = data[0];
  text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
}

ReadOptions FuzzInput::reading(const std::string& format) const {
  ReadOptions options;
  options.name = "fuzz";
  options.format = format;
  options.train.push_back({"fuzz.txt", text});
  options.limits = {1U << 16, 1U << 16};
  return options;
}

void expect_data_or_refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) find(fmt::format("an error of another kind: {}", error.what()));
    if (error.message().empty()) find("a refusal without a reason");
  }
}

void read_and_walk(const ReadOptions& options) {
  const Dataset dataset = read_dataset(options).dataset;
  const std::size_t outputs = dataset.output_count();
  for (const std::uint32_t label : dataset.labels().labels())
    if (label >= outputs) find("a label out of range");
  for (const double target : dataset.targets().values())
    if (!(target - target == 0.0)) find("a target that is no number");
  RowWalk blocks(dataset.features());
  while (blocks.next())
    for (std::size_t row = blocks.begin(); row < blocks.end(); ++row)
      for (const std::uint32_t column : blocks.columns(row))
        if (column >= dataset.feature_count()) find("a feature out of range");
}

}  // namespace coppice

#include "core/data/splits/split_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/data/readers/csv_records.h"
#include "core/data/readers/numbers.h"
#include "core/data/writers/text_writer.h"

namespace coppice {

namespace {

constexpr std::uint32_t most_splits = 1'000'000;

std::uint32_t number(const CsvRecords& records, const CsvField& field, std::uint64_t bound,
                     const char* what) {
  const std::string text(field.text);
  std::uint32_t value = 0;
  if (parse_index(text.c_str(), value) != text.c_str() + text.size() || value >= bound)
    records.fail(field, fmt::format("expected the number of a {} from 0 to {}, found '{}'", what, bound - 1,
                                    excerpt(text)));
  return value;
}

}  // namespace

void write_splits(const std::vector<Split>& splits, const std::filesystem::path& path) {
  TextWriter out(path);
  out << "split,part,row\n";
  for (std::uint32_t i = 0; i < splits.size(); ++i)
    for (const bool test : {false, true})
      for (const std::uint32_t row : test ? splits[i].test : splits[i].train) {
        out.number(i);
        out << (test ? ",test," : ",train,");
        out.number(row);
        out << "\n";
      }
  out.close();
}

std::vector<Split> read_splits(const InputFile& file, std::size_t rows) {
  CsvRecords records(file, ',');
  std::vector<CsvField> fields;
  if (!records.next(fields) || fields.size() != 3 || fields[0].text != "split" || fields[1].text != "part" ||
      fields[2].text != "row")
    records.reader().fail("expected a first line 'split,part,row'");
  std::vector<Split> splits;
  while (records.next(fields)) {
    if (fields.size() != 3)
      records.fail(fields.back(), fmt::format("expected 3 fields, found {}", fields.size()));
    const std::uint32_t index = number(records, fields[0], most_splits, "split");
    if (index > splits.size())
      records.fail(fields[0], fmt::format("split {} comes before split {}", index, splits.size()));
    if (index == splits.size()) splits.emplace_back();
    if (fields[1].text != "train" && fields[1].text != "test")
      records.fail(fields[1], fmt::format("expected train or test, found '{}'", excerpt(fields[1].text)));
    Rows& part = fields[1].text == "test" ? splits[index].test : splits[index].train;
    part.push_back(number(records, fields[2], rows, "row"));
  }
  if (splits.empty()) records.reader().fail("no splits after the first line");
  for (std::size_t i = 0; i < splits.size(); ++i) {
    std::sort(splits[i].train.begin(), splits[i].train.end());
    std::sort(splits[i].test.begin(), splits[i].test.end());
    if (splits[i].train.empty() || splits[i].test.empty())
      records.reader().fail(
          fmt::format("split {} has no rows to {}", i, splits[i].train.empty() ? "train on" : "test on"));
    Rows both;
    std::set_intersection(splits[i].train.begin(), splits[i].train.end(), splits[i].test.begin(),
                          splits[i].test.end(), std::back_inserter(both));
    if (!both.empty()) records.reader().fail(fmt::format("split {} trains and tests on row {}", i, both[0]));
  }
  return splits;
}

}  // namespace coppice

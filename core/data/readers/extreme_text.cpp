#include <fmt/format.h>

#include "core/data/readers/numbers.h"
#include "core/data/readers/parts.h"
#include "core/data/sparse_inputs.h"

namespace coppice {

namespace {

/// The first line of a file: rows, features, labels.
struct Header {
  std::uint32_t rows = 0;
  std::uint32_t features = 0;
  std::uint32_t labels = 0;
};

/// Reads `n p d` and then a line `l1,l2 f:v f:v …` for every row.
class ExtremeText {
 public:
  explicit ExtremeText(const ReadOptions& options) : options_(options) {}

  ReadResult read() {
    std::size_t train_rows = 0;
    for (const InputFile& file : options_.train) read_file(file);
    train_rows = rows_;
    for (const InputFile& file : options_.test) read_file(file);
    DatasetExtras extras;
    extras.given_split = split_of_files(options_, train_rows, rows_);
    extras.propensity = options_.propensity;
    return {Dataset(options_.name, Task::multilabel, inputs_.finish(rows_, header_.features),
                    std::move(labels_), std::move(extras)),
            {}};
  }

 private:
  void read_file(const InputFile& file) {
    LineReader reader = file.open();
    std::string_view line;
    if (!reader.next(line))
      reader.fail("the file is empty; expected a first line with rows, features and labels");
    const Header header = read_header(reader, line);
    if (!seen_first_) {
      header_ = header;
      labels_ = LabelSets(header.labels);
      seen_first_ = true;
    } else if (header.features != header_.features || header.labels != header_.labels) {
      reader.fail(fmt::format("{} features and {} labels where {} has {} and {}", header.features,
                              header.labels, options_.train[0].path.string(), header_.features,
                              header_.labels));
    }
    std::size_t count = 0;
    while (reader.next(line)) {
      if (count == header.rows) {
        if (trim(line).empty()) continue;
        reader.fail(fmt::format("more rows than the {} that the first line announces", header.rows));
      }
      read_row(reader, line);
      ++count;
    }
    if (count < header.rows)
      reader.fail(
          fmt::format("the file ends after {} rows where its first line announces {}", count, header.rows));
  }

  Header read_header(const LineReader& reader, std::string_view line) const {
    Header header;
    const char* at = line.data();
    for (std::uint32_t* number : {&header.rows, &header.features, &header.labels}) {
      at = skip_blanks(at);
      const char* end = parse_index(at, *number);
      if (end == nullptr)
        reader.fail(at,
                    fmt::format("expected a first line with three whole numbers (rows, features, labels), "
                                "found '{}'",
                                excerpt(line)));
      at = end;
    }
    if (skip_blanks(at) != line.data() + line.size())
      reader.fail(at, "expected nothing after the numbers of rows, features and labels");
    if (header.rows == 0 || header.features == 0 || header.labels == 0)
      reader.fail(fmt::format(
          "expected at least one row, feature and label, found {} rows, {} features and {} labels",
          header.rows, header.features, header.labels));
    if (header.features > options_.limits.columns)
      reader.fail(fmt::format("{} features are announced; at most {} are possible", header.features,
                              options_.limits.columns));
    if (header.labels > options_.limits.labels)
      reader.fail(fmt::format("{} labels are announced; at most {} are possible", header.labels,
                              options_.limits.labels));
    return header;
  }

  void read_row(const LineReader& reader, std::string_view line) {
    require_row_number(rows_, reader);
    const char* const end = line.data() + line.size();
    const char* at = read_labels(reader, line.data());
    labels_.add_row(row_labels_);
    std::int64_t previous = -1;
    const auto row = static_cast<std::uint32_t>(rows_);
    for (at = skip_blanks(at); at != end; at = skip_blanks(at)) {
      std::uint32_t feature = 0;
      double value = 0.0;
      const char* const start = at;
      at = parse_index(at, feature);
      if (at == nullptr || *at != ':') fail_pair(reader, start, end);
      if (feature >= header_.features)
        reader.fail(start, fmt::format("feature {} is out of range: there are {}, counted from 0", feature,
                                       header_.features));
      if (feature <= previous)
        reader.fail(start,
                    fmt::format("feature {} comes after feature {}; they must increase", feature, previous));
      previous = feature;
      const char* const number = at + 1;
      at = parse_real(number, value);
      if (at == nullptr || !ends_word(at, end)) fail_pair(reader, start, end);
      const float input = to_input(value, reader, number);
      if (input != 0.0F) inputs_.add(row, feature, input);
    }
    ++rows_;
  }

  /// Leaves `row_labels_` and returns the place behind them; a first number with a colon is a feature
  /// already.
  const char* read_labels(const LineReader& reader, const char* at) {
    row_labels_.clear();
    const char* const start = at;
    while (is_digit(*at)) {
      std::uint32_t label = 0;
      const char* const end = parse_index(at, label);
      if (end != nullptr && *end == ':' && row_labels_.empty()) return start;
      if (end == nullptr || label >= header_.labels) {
        const char* digits_end = at;
        while (is_digit(*digits_end)) ++digits_end;
        reader.fail(at, fmt::format("label {} is out of range: there are {}, counted from 0",
                                    excerpt(std::string_view(at, digits_end)), header_.labels));
      }
      row_labels_.push_back(label);
      at = end;
      if (*at != ',') break;
      ++at;
      if (!is_digit(*at)) reader.fail(at, "expected another label after the comma");
    }
    return at;
  }

  [[noreturn]] static void fail_pair(const LineReader& reader, const char* at, const char* end) {
    reader.fail(at, fmt::format("expected feature:value with a finite number as value, found '{}'",
                                excerpt(word_at(at, end))));
  }

  const ReadOptions& options_;
  bool seen_first_ = false;
  Header header_;
  std::size_t rows_ = 0;
  SparseInputs inputs_;
  LabelSets labels_;
  std::vector<std::uint32_t> row_labels_;
};

}  // namespace

ReadResult read_extreme_text(const ReadOptions& options) {
  return ExtremeText(options).read();
}

}  // namespace coppice

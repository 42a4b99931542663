#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_name.h"
#include "core/data/readers/arff_schema.h"
#include "core/data/readers/numbers.h"
#include "core/data/readers/parts.h"
#include "core/data/sparse_inputs.h"

namespace coppice {

namespace {

/// What ends a value: a comma, and in a sparse row the closing brace.
struct Stops {
  bool brace;
  bool contain(char character) const { return character == ',' || (brace && character == '}'); }
};
constexpr Stops dense_stops{false};
constexpr Stops sparse_stops{true};

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Reads ARFF files of one schema into one dataset.
class ArffReader {
 public:
  explicit ArffReader(const ReadOptions& options) : options_(options) {}

  ReadResult read() {
    std::size_t train_rows = 0;
    for (const InputFile& file : options_.train) read_file(file);
    train_rows = rows_;
    for (const InputFile& file : options_.test) read_file(file);
    Features features = dense_ ? dense_->finish(std::move(schema_->input_columns))
                               : sparse_.finish(rows_, schema_->inputs, std::move(schema_->input_columns));
    DatasetExtras extras{std::move(schema_->output_names), split_of_files(options_, train_rows, rows_),
                         options_.propensity, groups_.take()};
    if (schema_->task == Task::regression)
      return {Dataset(options_.name, std::move(features), RealTargets(schema_->outputs, std::move(targets_)),
                      std::move(extras)),
              std::move(schema_->notes)};
    return {Dataset(options_.name, schema_->task, std::move(features), std::move(labels_), std::move(extras)),
            std::move(schema_->notes)};
  }

 private:
  void read_file(const InputFile& file) {
    LineReader reader = file.open();
    const ArffHeader header = read_arff_header(reader);
    if (schema_)
      schema_->require_same(header, reader);
    else
      start(header, reader);
    const std::size_t before = rows_;
    std::string_view line;
    while (reader.next(line)) {
      const char* const at = skip_blanks(line.data());
      const char* const end = line.data() + line.size();
      if (at == end || *at == '%') continue;
      require_row_number(rows_, reader);
      if (*at == '{')
        read_sparse_row(reader, at, end);
      else
        read_dense_row(reader, at, end);
      add_outputs();
      ++rows_;
    }
    if (rows_ == before) reader.fail("no rows after @data");
  }

  void start(const ArffHeader& header, const LineReader& reader) {
    schema_ = make_arff_schema(header, options_, reader);
    labels_ = LabelSets(static_cast<std::uint32_t>(schema_->outputs));
    for (const ArffColumn& column : schema_->columns) {
      if (column.role == ArffRole::label && column.present_code == 0) implied_.push_back(&column);
      if (column.role == ArffRole::group) group_column_ = &column;
      plain_.push_back({column.position, column.role == ArffRole::input && column.type == ArffType::numeric});
    }
  }

  /// The common case at a small price: a number that is an input, ended at once by one of `stops`. Null if it
  /// is anything else.
  const char* read_plain_input(std::size_t index, const char* at, Stops stops, double& value) const {
    if (!plain_[index].numeric_input) return nullptr;
    const char* const next = parse_real(at, value);
    return next != nullptr && stops.contain(*next) ? next : nullptr;
  }

  void begin_row() {
    row_labels_.clear();
    row_targets_.assign(schema_->task == Task::regression ? schema_->outputs : 0, 0.0);
    row_class_ = 0;
    if (group_column_ == nullptr) return;
    row_group_ = group_column_->type == ArffType::nominal ? group_column_->values->words()[0] : "0";
  }

  void read_dense_row(const LineReader& reader, const char* at, const char* end) {
    if (rows_ == 0) dense_.emplace(schema_->inputs);
    if (!dense_) reader.fail(at, "a row without braces among sparse rows {…}");
    begin_row();
    row_inputs_.resize(schema_->inputs);
    for (std::size_t i = 0; i < schema_->columns.size(); ++i) {
      double value = 0.0;
      const char* const start = at;
      if (const char* next = read_plain_input(i, at, dense_stops, value)) {
        row_inputs_[plain_[i].position] = to_input(value, reader, start);
        if (i + 1 == schema_->columns.size()) reader.fail(next, too_long());
        at = skip_blanks(next + 1);
        continue;
      }
      const ArffColumn& column = schema_->columns[i];
      at = skip_blanks(read_value(reader, column, at, end, dense_stops, value));
      if (column.role == ArffRole::input)
        row_inputs_[column.position] = to_input(value, reader, start);
      else
        store_output(reader, column, start, value);
      const bool last = i + 1 == schema_->columns.size();
      if (at == end && !last)
        reader.fail(at, fmt::format("the row has {} values where there are {} attributes", i + 1,
                                    schema_->columns.size()));
      if (at != end && (*at != ',' || last))
        reader.fail(at, last ? too_long()
                             : fmt::format("expected ',' after the value of '{}'", excerpt(column.name)));
      if (!last) at = skip_blanks(at + 1);
    }
    dense_->add_row(row_inputs_);
  }

  void read_sparse_row(const LineReader& reader, const char* at, const char* end) {
    if (dense_) reader.fail(at, "a sparse row {…} among rows without braces");
    begin_row();
    mentioned_.clear();
    std::int64_t previous = -1;
    at = skip_blanks(at + 1);
    while (at == end || *at != '}') {
      const char* const start = at;
      std::uint32_t index = 0;
      at = parse_index(at, index);
      if (at == nullptr || (*at != ' ' && *at != '\t'))
        reader.fail(start, start == end ? "the row is not closed with '}'"
                                        : "expected the number of an attribute and its value");
      if (index >= schema_->columns.size())
        reader.fail(start, fmt::format("attribute {} is out of range: there are {}, counted from 0", index,
                                       schema_->columns.size()));
      if (index <= previous)
        reader.fail(
            start, fmt::format("attribute {} comes after attribute {}; they must increase", index, previous));
      previous = index;
      const char* const value_start = skip_blanks(at);
      double value = 0.0;
      if (const char* next = read_plain_input(index, value_start, sparse_stops, value)) {
        add_sparse_input(plain_[index].position, to_input(value, reader, value_start));
        at = next;
      } else {
        const ArffColumn& column = schema_->columns[index];
        at = skip_blanks(read_value(reader, column, value_start, end, sparse_stops, value));
        store_sparse(reader, column, value_start, value);
      }
      if (at == end || (*at != ',' && *at != '}')) reader.fail(at, "expected ',' or '}' after a value");
      if (*at == ',') at = skip_blanks(at + 1);
    }
    if (skip_blanks(at + 1) != end) reader.fail(at + 1, "expected nothing after '}'");
    if (schema_->hierarchy && row_labels_.empty())
      reader.fail(
          at, "the row does not give its class; a hierarchical class has no value that goes without saying");
    for (const ArffColumn* column : implied_)
      if (std::find(mentioned_.begin(), mentioned_.end(), column->position) == mentioned_.end())
        row_labels_.push_back(column->position);
  }

  void add_sparse_input(std::uint32_t position, float input) {
    if (input != 0.0F) sparse_.add(static_cast<std::uint32_t>(rows_), position, input);
  }

  std::string too_long() const {
    return fmt::format("the row goes on after its {} values", schema_->columns.size());
  }

  void store_sparse(const LineReader& reader, const ArffColumn& column, const char* at, double value) {
    if (column.role == ArffRole::input) {
      add_sparse_input(column.position, to_input(value, reader, at));
      return;
    }
    store_output(reader, column, at, value);
    if (column.role == ArffRole::label && column.present_code == 0) mentioned_.push_back(column.position);
  }

  /// A number, or the position of a nominal value; NaN where it is missing. Returns the place behind it.
  const char* read_value(const LineReader& reader, const ArffColumn& column, const char* at, const char* end,
                         Stops stops, double& value) {
    const auto ends_value = [&](const char* place) { return ends_word(place, end) || stops.contain(*place); };
    if (column.role == ArffRole::group) return read_word(reader, column, at, end, stops, value);
    if (column.type == ArffType::numeric) {
      if (const char* next = parse_real(at, value); next != nullptr && ends_value(next)) return next;
    } else if (column.type == ArffType::nominal && at != end && ends_value(at + 1)) {
      if (const int code = column.values->single(*at); code >= 0) {
        value = code;
        return at + 1;
      }
    }
    return read_word(reader, column, at, end, stops, value);
  }

  const char* read_word(const LineReader& reader, const ArffColumn& column, const char* at, const char* end,
                        Stops stops, double& value) {
    const char* const start = at;
    const bool quoted = at != end && (*at == '\'' || *at == '"');
    if (quoted) {
      at = read_arff_word(reader, at, end, "", word_);
    } else {
      while (at != end && !stops.contain(*at)) ++at;
      word_ = trim({start, static_cast<std::size_t>(at - start)});
    }
    if (!quoted && word_ == "?") {
      if (column.role != ArffRole::input && column.role != ArffRole::dropped)
        reader.fail(start, fmt::format("'{}' is {}; it cannot be missing", excerpt(column.name),
                                       column.role == ArffRole::group ? "the group of a row" : "an output"));
      value = missing;
      return at;
    }
    if (column.role == ArffRole::dropped || column.role == ArffRole::group ||
        column.type == ArffType::hierarchical)
      return at;
    if (word_.empty() && !quoted)
      reader.fail(start, fmt::format("the value of '{}' is empty; a missing value is written ?",
                                     excerpt(column.name)));
    if (column.type == ArffType::numeric)
      reader.fail(start, fmt::format("'{}': expected a finite number{}, found '{}'", excerpt(column.name),
                                     is_not_finite_word(word_) ? " (a missing value is written ?)" : "",
                                     excerpt(word_)));
    const auto code = column.values->find(word_);
    if (!code) {
      const bool few = column.values->words().size() <= 10;
      reader.fail(start, fmt::format("'{}' has no value '{}'{}", excerpt(column.name), excerpt(word_),
                                     few ? fmt::format("; expected one of {}",
                                                       fmt::join(column.values->words(), ", "))
                                         : did_you_mean(word_, column.values->words())));
    }
    value = *code;
    return at;
  }

  void store_output(const LineReader& reader, const ArffColumn& column, const char* at, double value) {
    switch (column.role) {
      case ArffRole::label:
        if (column.type == ArffType::numeric && value != 0.0 && value != 1.0)
          reader.fail(at, fmt::format("label '{}': expected 0 or 1, found {}", excerpt(column.name), value));
        if (value == column.present_code) row_labels_.push_back(column.position);
        break;
      case ArffRole::target:
        row_targets_[column.position] =
            column.type == ArffType::nominal ? column.numbers[static_cast<std::size_t>(value)] : value;
        break;
      case ArffRole::class_label:
        row_class_ = static_cast<std::uint32_t>(value);
        break;
      case ArffRole::hierarchy:
        read_nodes(reader, at);
        break;
      case ArffRole::group:
        row_group_ = word_;
        break;
      case ArffRole::input:
      case ArffRole::dropped:
        break;
    }
  }

  /// `a/b@a/c`: the word read last as nodes, each with its ancestors.
  void read_nodes(const LineReader& reader, const char* at) {
    std::string_view rest = word_;
    while (true) {
      const std::size_t end = rest.find('@');
      const std::string_view name = rest.substr(0, end);
      const auto node = schema_->hierarchy->find(name);
      if (!node)
        reader.fail(at,
                    fmt::format("'{}' is no node of the hierarchy that the header declares", excerpt(name)));
      row_labels_.push_back(*node);
      const auto& above = schema_->hierarchy->ancestors(*node);
      row_labels_.insert(row_labels_.end(), above.begin(), above.end());
      if (end == std::string_view::npos) return;
      rest.remove_prefix(end + 1);
    }
  }

  void add_outputs() {
    if (group_column_ != nullptr) groups_.add_row(row_group_);
    switch (schema_->task) {
      case Task::multilabel:
        labels_.add_row(row_labels_);
        break;
      case Task::multiclass:
        labels_.add_row(std::span(&row_class_, 1));
        break;
      case Task::regression:
        targets_.insert(targets_.end(), row_targets_.begin(), row_targets_.end());
        break;
    }
  }

  const ReadOptions& options_;
  std::optional<ArffSchema> schema_;
  /// What the common case needs of a column, small enough for the processor's cache.
  struct Plain {
    std::uint32_t position;
    bool numeric_input;
  };
  std::vector<Plain> plain_;
  std::vector<const ArffColumn*> implied_;  ///< labels that a sparse row has unless it says otherwise
  std::size_t rows_ = 0;
  std::optional<DenseInputs> dense_;
  SparseInputs sparse_;
  LabelSets labels_;
  std::vector<double> targets_;
  const ArffColumn* group_column_ = nullptr;
  GroupNumbers groups_;

  std::vector<float> row_inputs_;
  std::vector<std::uint32_t> row_labels_;
  std::vector<double> row_targets_;
  std::uint32_t row_class_ = 0;
  std::string row_group_;
  std::vector<std::uint32_t> mentioned_;
  std::string word_;
};

}  // namespace

ReadResult read_arff(const ReadOptions& options) {
  return ArffReader(options).read();
}

}  // namespace coppice

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "core/data/layout.h"
#include "core/data/readers/csv_records.h"
#include "core/data/readers/numbers.h"
#include "core/data/readers/parts.h"

namespace coppice {

namespace {

bool is_missing(const CsvField& field) {
  return field.text.empty() || (!field.quoted && (field.text == "?" || field.text == "NA"));
}

/// A field as a number; it need not end with anything.
bool read_number(const CsvField& field, double& value) {
  const std::string text(field.text);
  return !text.empty() && parse_real(text.c_str(), value) == text.c_str() + text.size();
}

enum class CsvRole { input, output, group, dropped };

/// A column and what was found in it.
struct CsvColumn {
  std::string name;
  CsvRole role = CsvRole::input;
  bool declared_categorical = false;
  bool numeric = true;
  NameTable codes;                 ///< of a column of words: in the order they occur
  std::vector<std::string> words;  ///< likewise
  std::vector<double> output;      ///< values, or codes before they are put in order
};

/// Reads the files twice: first to learn which columns hold numbers only, then to keep their values.
class CsvReader {
 public:
  explicit CsvReader(const ReadOptions& options) : options_(options) {
    const bool tabs = without_compression(options.train[0].path).extension() == ".tsv";
    separator_ = options.separator.value_or(tabs ? '\t' : ',');
  }

  ReadResult read() {
    bool first = true;
    for (const InputFile* file : files_in_order(options_)) {
      inspect(*file, first);
      first = false;
    }
    inputs_.emplace(count(CsvRole::input));
    for (const InputFile& file : options_.train) load(file);
    const std::size_t train_rows = rows_;
    for (const InputFile& file : options_.test) load(file);
    return finish(train_rows);
  }

 private:
  std::size_t count(CsvRole role) const {
    return static_cast<std::size_t>(std::count_if(
        columns_.begin(), columns_.end(), [&](const CsvColumn& column) { return column.role == role; }));
  }

  void inspect(const InputFile& file, bool first) {
    CsvRecords records(file, separator_);
    std::vector<CsvField> fields;
    if (!records.next(fields))
      records.reader().fail("the file is empty; expected a line with the names of columns");
    bool is_row = !options_.header.value_or(true);
    if (first)
      start(records, fields);
    else if (!is_row)
      require_same(records, fields);
    std::size_t rows = 0;
    while (is_row || records.next(fields)) {
      is_row = false;
      if (fields.size() != columns_.size())
        records.fail(fields.back(), fmt::format("the row has {} fields where there are {} columns",
                                                fields.size(), columns_.size()));
      for (std::size_t j = 0; j < fields.size(); ++j) inspect_field(records, fields[j], columns_[j]);
      ++rows;
    }
    if (rows == 0) records.reader().fail("no rows after the names of columns");
  }

  static void inspect_field(const CsvRecords& records, const CsvField& field, CsvColumn& column) {
    double value = 0.0;
    if (!column.numeric || column.role == CsvRole::dropped || column.role == CsvRole::group ||
        is_missing(field))
      return;
    if (!column.declared_categorical && is_not_finite_word(field.text))
      records.fail(field,
                   fmt::format("'{}': '{}' is no finite number; a missing value is an empty field or ?",
                               excerpt(column.name), field.text));
    column.numeric = !column.declared_categorical && read_number(field, value);
  }

  void start(const CsvRecords& records, const std::vector<CsvField>& fields) {
    const bool header = options_.header.value_or(true);
    require_separator(records, fields);
    NameTable names;
    for (std::size_t j = 0; j < fields.size(); ++j) {
      CsvColumn column;
      column.name = header ? std::string(fields[j].text) : fmt::format("column{}", j + 1);
      if (column.name.empty()) records.fail(fields[j], "a column without a name");
      if (!names.add(column.name, static_cast<std::uint32_t>(j)))
        records.fail(fields[j], fmt::format("the column '{}' occurs twice", excerpt(column.name)));
      columns_.push_back(std::move(column));
    }
    const auto find = [&](const std::string& name) -> CsvColumn& {
      if (const auto found = names.find(name)) return columns_[*found];
      std::vector<std::string> known;
      for (const CsvColumn& column : columns_) known.push_back(column.name);
      records.reader().fail(fmt::format("no column '{}'{}", excerpt(name), did_you_mean(name, known)));
    };
    for (const std::string& name : options_.drop) find(name).role = CsvRole::dropped;
    for (const std::string& name : options_.categorical) find(name).declared_categorical = true;
    for (const std::string& name : options_.outputs) find(name).role = CsvRole::output;
    if (!options_.groups.empty()) find(options_.groups).role = CsvRole::group;
    if (!options_.outputs.empty()) return;
    const std::size_t outputs = options_.output_count.value_or(1);
    if (outputs == 0 || outputs > columns_.size())
      records.reader().fail(
          fmt::format("{} outputs are asked for; the file has {} columns", outputs, columns_.size()));
    for (std::size_t j = columns_.size() - outputs; j < columns_.size(); ++j)
      columns_[j].role = CsvRole::output;
    if (!options_.output_count)
      notes_.push_back(fmt::format("no outputs are named: the last column, '{}', is taken",
                                   excerpt(columns_.back().name)));
  }

  /// A single column is next to always a file with another separator.
  void require_separator(const CsvRecords& records, const std::vector<CsvField>& fields) const {
    if (fields.size() > 1 || fields[0].quoted || options_.separator) return;
    const std::size_t other = fields[0].text.find_first_of(";\t|,");
    if (other == std::string_view::npos) return;
    const char found = fields[0].text[other];
    const std::string word = found == '\t' ? "tab" : found == ';' ? "semicolon" : std::string(1, found);
    records.fail(
        fields[0],
        fmt::format("the line has one field; if fields end with a {}, say 'separator: {}'", word, word));
  }

  void require_same(const CsvRecords& records, const std::vector<CsvField>& fields) const {
    if (fields.size() != columns_.size())
      records.reader().fail(
          fmt::format("{} columns where the first file has {}", fields.size(), columns_.size()));
    for (std::size_t j = 0; j < fields.size(); ++j)
      if (fields[j].text != columns_[j].name)
        records.fail(fields[j], fmt::format("column '{}' where the first file has '{}'",
                                            excerpt(fields[j].text), excerpt(columns_[j].name)));
  }

  void load(const InputFile& file) {
    CsvRecords records(file, separator_);
    std::vector<CsvField> fields;
    if (options_.header.value_or(true)) records.next(fields);
    std::vector<float> row;
    while (records.next(fields)) {
      require_row_number(rows_, records.reader());
      row.clear();
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        CsvColumn& column = columns_[j];
        if (column.role == CsvRole::dropped) continue;
        if (column.role == CsvRole::group) {
          if (is_missing(fields[j])) records.fail(fields[j], "the group of a row cannot be missing");
          groups_.add_row(fields[j].text);
          continue;
        }
        const double value = read_value(records, fields[j], column);
        if (column.role == CsvRole::input)
          row.push_back(narrow(records, fields[j], value));
        else
          column.output.push_back(value);
      }
      inputs_->add_row(row);
      ++rows_;
    }
  }

  static float narrow(const CsvRecords& records, const CsvField& field, double value) {
    const auto input = static_cast<float>(value);
    if (std::abs(input) > std::numeric_limits<float>::max())
      records.fail(field,
                   fmt::format("{} does not fit a 32-bit floating-point number; rescale the column", value));
    return input;
  }

  static double read_value(const CsvRecords& records, const CsvField& field, CsvColumn& column) {
    if (is_missing(field)) {
      if (column.role == CsvRole::output)
        records.fail(field, fmt::format("'{}' is an output; it cannot be missing", excerpt(column.name)));
      return std::numeric_limits<double>::quiet_NaN();
    }
    double value = 0.0;
    if (column.numeric) {
      read_number(field, value);
      return value;
    }
    if (const auto code = column.codes.find(field.text)) return *code;
    const auto code = static_cast<std::uint32_t>(column.words.size());
    column.codes.add(field.text, code);
    column.words.emplace_back(field.text);
    return code;
  }

  /// The place of each word of a column when they are sorted, so that codes do not depend on the order of
  /// rows.
  static std::vector<float> sorted_places(const CsvColumn& column) {
    std::vector<std::string> sorted = column.words;
    std::sort(sorted.begin(), sorted.end());
    std::vector<float> places;
    for (const std::string& word : column.words)
      places.push_back(
          static_cast<float>(std::lower_bound(sorted.begin(), sorted.end(), word) - sorted.begin()));
    return places;
  }

  ReadResult finish(std::size_t train_rows) {
    DatasetExtras extras;
    extras.given_split = split_of_files(options_, train_rows, rows_);
    extras.propensity = options_.propensity;
    extras.groups = groups_.take();
    Features features = finish_inputs();
    const Task task = choose_task();
    if (task == Task::regression) {
      RealTargets targets = real_targets(extras.output_names);
      return {Dataset(options_.name, std::move(features), std::move(targets), std::move(extras)),
              std::move(notes_)};
    }
    LabelSets labels =
        task == Task::multiclass ? classes(extras.output_names) : label_sets(extras.output_names);
    return {Dataset(options_.name, task, std::move(features), std::move(labels), std::move(extras)),
            std::move(notes_)};
  }

  Features finish_inputs() {
    InputColumns about;
    std::size_t position = 0;
    std::size_t words = 0;
    for (CsvColumn& column : columns_) {
      if (column.role != CsvRole::input) continue;
      about.names.push_back(column.name);
      if (!column.numeric) {
        inputs_->recode(position, sorted_places(column));
        std::sort(column.words.begin(), column.words.end());
        if (column.words.size() > 2) about.categories[position] = column.words;
        ++words;
      }
      ++position;
    }
    if (words > 0)
      notes_.push_back(
          fmt::format("{} columns hold words: those with two became 0 and 1 (in order of the alphabet), "
                      "the others are categorical",
                      words));
    return inputs_->finish(std::move(about));
  }

  Task choose_task() {
    if (options_.task) return *options_.task;
    const bool words = std::any_of(columns_.begin(), columns_.end(), [](const CsvColumn& column) {
      return column.role == CsvRole::output && !column.numeric;
    });
    const Task task =
        words ? (count(CsvRole::output) == 1 ? Task::multiclass : Task::multilabel) : Task::regression;
    notes_.push_back(fmt::format("taken for {} by its outputs; say 'task: …' if it is not", task_name(task)));
    return task;
  }

  [[noreturn]] void fail_output(const CsvColumn& column, const std::string& message) const {
    throw Error(ErrorKind::data, fmt::format("column '{}': {}", excerpt(column.name), message),
                {options_.train[0].path.string(), 1, 1});
  }

  RealTargets real_targets(std::vector<std::string>& names) const {
    std::vector<const CsvColumn*> outputs;
    for (const CsvColumn& column : columns_) {
      if (column.role != CsvRole::output) continue;
      if (!column.numeric) fail_output(column, "a regression target must be a number in every row");
      outputs.push_back(&column);
      names.push_back(column.name);
    }
    std::vector<double> values;
    values.reserve(rows_ * outputs.size());
    for (std::size_t row = 0; row < rows_; ++row)
      for (const CsvColumn* column : outputs) values.push_back(column->output[row]);
    return {outputs.size(), std::move(values)};
  }

  LabelSets classes(std::vector<std::string>& names) const {
    if (count(CsvRole::output) != 1)
      throw Error(ErrorKind::data,
                  fmt::format("a multi-class task has one output, not {}", count(CsvRole::output)),
                  {options_.train[0].path.string(), 1, 1});
    const CsvColumn& column = *std::find_if(columns_.begin(), columns_.end(), [](const CsvColumn& candidate) {
      return candidate.role == CsvRole::output;
    });
    std::vector<double> values = column.output;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const std::vector<float> places = sorted_places(column);
    names = column.words;
    std::sort(names.begin(), names.end());
    if (column.numeric)
      for (const double value : values) names.push_back(fmt::format("{}", value));
    LabelSets sets(static_cast<std::uint32_t>(names.size()));
    for (const double value : column.output) {
      const auto rank = std::lower_bound(values.begin(), values.end(), value) - values.begin();
      const auto label = static_cast<std::uint32_t>(column.numeric ? static_cast<float>(rank)
                                                                   : places[static_cast<std::size_t>(value)]);
      sets.add_row(std::span(&label, 1));
    }
    return sets;
  }

  /// For every output what value means "has it".
  double present_value(const CsvColumn& column) const {
    if (column.numeric) {
      for (const double value : column.output)
        if (value != 0.0 && value != 1.0)
          fail_output(column, fmt::format("a label is 0 or 1, found {}", value));
      return 1.0;
    }
    for (std::size_t code = 0; code < column.words.size(); ++code) {
      const std::string word = lower_case(column.words[code]);
      if (word != "yes" && word != "no" && word != "true" && word != "false")
        fail_output(column,
                    fmt::format("a label is 0 or 1, yes or no, true or false; found '{}'", excerpt(word)));
    }
    for (std::size_t code = 0; code < column.words.size(); ++code) {
      const std::string word = lower_case(column.words[code]);
      if (word == "yes" || word == "true") return static_cast<double>(code);
    }
    return -1.0;
  }

  LabelSets label_sets(std::vector<std::string>& names) const {
    std::vector<std::pair<const CsvColumn*, double>> outputs;
    for (const CsvColumn& column : columns_)
      if (column.role == CsvRole::output) {
        outputs.emplace_back(&column, present_value(column));
        names.push_back(column.name);
      }
    LabelSets sets(static_cast<std::uint32_t>(outputs.size()));
    std::vector<std::uint32_t> labels;
    for (std::size_t row = 0; row < rows_; ++row) {
      labels.clear();
      for (std::size_t j = 0; j < outputs.size(); ++j)
        if (outputs[j].first->output[row] == outputs[j].second)
          labels.push_back(static_cast<std::uint32_t>(j));
      sets.add_row(labels);
    }
    return sets;
  }

  const ReadOptions& options_;
  char separator_;
  std::vector<CsvColumn> columns_;
  std::optional<DenseInputs> inputs_;
  GroupNumbers groups_;
  std::size_t rows_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

ReadResult read_csv(const ReadOptions& options) {
  return CsvReader(options).read();
}

}  // namespace coppice

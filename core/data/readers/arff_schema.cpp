#include "core/data/readers/arff_schema.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "core/data/readers/mulan_xml.h"
#include "core/data/readers/numbers.h"

namespace coppice {

NominalValues::NominalValues(std::vector<std::string> words) : words_(std::move(words)) {
  single_.fill(-1);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    table_.add(words_[i], static_cast<std::uint32_t>(i));
    if (words_[i].size() == 1)
      single_[static_cast<unsigned char>(words_[i][0])] = static_cast<std::int32_t>(i);
  }
}

namespace {

/// Assigns roles to the attributes of the first file.
class SchemaMaker {
 public:
  SchemaMaker(const ArffHeader& header, const ReadOptions& options, const LineReader& reader)
      : header_(header), options_(options), reader_(reader), is_output_(header.attributes.size(), false) {
    schema_.columns.reserve(header.attributes.size());
    std::shared_ptr<const NominalValues> values;
    for (const ArffAttribute& attribute : header.attributes) {
      ArffColumn& column = schema_.columns.emplace_back();
      column.name = attribute.name;
      column.type = attribute.type;
      if (attribute.type != ArffType::nominal) continue;
      if (!values || values->words() != attribute.values)
        values = std::make_shared<const NominalValues>(attribute.values);
      column.values = values;
    }
  }

  ArffSchema make() {
    for (const std::string& name : options_.drop)
      schema_.columns[find(name, "drop")].role = ArffRole::dropped;
    if (!options_.groups.empty()) schema_.columns[find(options_.groups, "groups")].role = ArffRole::group;
    if (!find_hierarchy()) {
      choose_outputs();
      choose_task();
    }
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      if (schema_.columns[i].role != ArffRole::input) continue;
      if (is_output_[i])
        make_output(schema_.columns[i], header_.place(header_.attributes[i]));
      else
        make_input(schema_.columns[i], header_.place(header_.attributes[i]));
    }
    add_notes();
    return std::move(schema_);
  }

 private:
  std::size_t find(const std::string& name, const std::string& asked_by) const {
    if (const auto found = header_.names.find(name)) return *found;
    std::vector<std::string> known;
    for (const ArffColumn& column : schema_.columns) known.push_back(column.name);
    throw Error(
        ErrorKind::data,
        fmt::format("no attribute '{}' (named by {}){}", excerpt(name), asked_by, did_you_mean(name, known)),
        {reader_.name(), reader_.line_number(), 1});
  }

  bool find_hierarchy() {
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      if (schema_.columns[i].type != ArffType::hierarchical || schema_.columns[i].role == ArffRole::dropped)
        continue;
      const Location place = header_.place(header_.attributes[i]);
      if (schema_.hierarchy) throw Error(ErrorKind::data, "a second hierarchical attribute; drop one", place);
      if (options_.task && *options_.task != Task::multilabel)
        throw Error(ErrorKind::data, "a hierarchical attribute makes a multi-label task, not the asked one",
                    place);
      schema_.hierarchy.emplace(header_.attributes[i], place, options_.directed_graph);
      schema_.columns[i].role = ArffRole::hierarchy;
    }
    if (!schema_.hierarchy) return false;
    schema_.task = Task::multilabel;
    schema_.output_names = schema_.hierarchy->names();
    schema_.outputs = schema_.output_names.size();
    schema_.notes.push_back(fmt::format("{} nodes of a {} became labels; every label brings its ancestors",
                                        schema_.outputs,
                                        schema_.hierarchy->directed_graph() ? "directed graph" : "tree"));
    return true;
  }

  void choose_outputs() {
    if (options_.labels) {
      for (const XmlLabel& label : read_mulan_labels(*options_.labels)) {
        const auto found = header_.names.find(label.name);
        if (!found)
          throw Error(
              ErrorKind::data,
              fmt::format("the label '{}' is no attribute of {}", excerpt(label.name), reader_.name()),
              label.place);
        is_output_[*found] = true;
      }
    } else if (!options_.outputs.empty()) {
      for (const std::string& name : options_.outputs) is_output_[find(name, "the options")] = true;
    } else if (options_.output_count) {
      choose_last(*options_.output_count);
    } else if (const auto meka = header_.meka_labels()) {
      if (*meka < 0)
        choose_last(static_cast<std::size_t>(-static_cast<long long>(*meka)));
      else
        choose_range(0, static_cast<std::size_t>(*meka));
      from_meka_ = true;
    } else {
      choose_last(1);
      schema_.notes.push_back(fmt::format("no outputs are named: the last attribute, '{}', is taken",
                                          excerpt(schema_.columns.back().name)));
    }
    for (std::size_t i = 0; i < is_output_.size(); ++i)
      if (is_output_[i] && schema_.columns[i].role != ArffRole::input)
        throw Error(ErrorKind::data,
                    fmt::format("attribute '{}' is both an output and dropped or a group",
                                excerpt(schema_.columns[i].name)),
                    header_.place(header_.attributes[i]));
  }

  void choose_last(std::size_t count) {
    const std::size_t all = schema_.columns.size();
    choose_range(count > all ? 0 : all - count, count > all ? count : all);
  }

  void choose_range(std::size_t begin, std::size_t end) {
    if (end > schema_.columns.size())
      reader_.fail(fmt::format("{} outputs are asked for; the file has {} attributes", end - begin,
                               schema_.columns.size()));
    for (std::size_t i = begin; i < end; ++i) is_output_[i] = true;
  }

  /// Labels where an XML file or MEKA says so; otherwise by the types of the outputs.
  void choose_task() {
    std::size_t count = 0;
    std::size_t nominal = 0;
    for (std::size_t i = 0; i < is_output_.size(); ++i) {
      if (!is_output_[i]) continue;
      ++count;
      nominal += schema_.columns[i].type == ArffType::nominal ? 1 : 0;
    }
    schema_.outputs = count;
    if (options_.task)
      schema_.task = *options_.task;
    else if (options_.labels || (from_meka_ && nominal == count))
      schema_.task = Task::multilabel;
    else if (nominal == 0)
      schema_.task = Task::regression;
    else
      schema_.task = count == 1 ? Task::multiclass : Task::multilabel;
    if (schema_.task == Task::multiclass && count != 1)
      reader_.fail(fmt::format("a multi-class task has one output, not {}", count));
  }

  void make_output(ArffColumn& column, const Location& place) {
    column.position = static_cast<std::uint32_t>(schema_.output_names.size());
    if (column.type == ArffType::text)
      throw Error(ErrorKind::data,
                  fmt::format("attribute '{}' is text; it cannot be an output", excerpt(column.name)), place);
    switch (schema_.task) {
      case Task::multilabel:
        make_label(column, place);
        break;
      case Task::multiclass:
        if (column.type != ArffType::nominal)
          throw Error(ErrorKind::data,
                      fmt::format("attribute '{}' is numeric; a class must be nominal", excerpt(column.name)),
                      place);
        column.role = ArffRole::class_label;
        schema_.output_names = column.values->words();
        schema_.outputs = column.values->words().size();
        return;
      case Task::regression:
        make_target(column, place);
        break;
    }
    schema_.output_names.push_back(column.name);
  }

  static void make_label(ArffColumn& column, const Location& place) {
    column.role = ArffRole::label;
    if (column.type == ArffType::numeric) return;
    if (column.values->words().empty() || column.values->words().size() > 2)
      throw Error(ErrorKind::data,
                  fmt::format("attribute '{}' has {} values; a label has two, such as {{0,1}}",
                              excerpt(column.name), column.values->words().size()),
                  place);
    const auto means_present = [](const std::string& value) {
      const std::string word = lower_case(value);
      return word == "1" || word == "true" || word == "yes" || word == "t" || word == "y";
    };
    // {0,1} in either order, yes and no, true and false; of other words the second.
    if (means_present(column.values->words()[0]))
      column.present_code = 0;
    else
      column.present_code = column.values->words().size() == 2 ? 1 : -1;
  }

  static void make_target(ArffColumn& column, const Location& place) {
    column.role = ArffRole::target;
    if (column.type != ArffType::nominal) return;
    for (const std::string& value : column.values->words()) {
      double number = 0.0;
      if (parse_real(value.c_str(), number) != value.c_str() + value.size())
        throw Error(ErrorKind::data,
                    fmt::format("attribute '{}' has the value '{}'; a regression target must be a number",
                                excerpt(column.name), excerpt(value)),
                    place);
      column.numbers.push_back(number);
    }
  }

  void make_input(ArffColumn& column, const Location& place) {
    if (column.type == ArffType::text)
      throw Error(ErrorKind::data,
                  fmt::format("attribute '{}' is text and cannot be learnt from; say 'drop: [{}]'",
                              excerpt(column.name), excerpt(column.name)),
                  place);
    column.position = static_cast<std::uint32_t>(schema_.inputs++);
    schema_.input_columns.names.push_back(column.name);
    if (column.type != ArffType::nominal) return;
    if (column.values->words().size() > 2)
      schema_.input_columns.categories[column.position] = column.values->words();
    else
      ++binary_inputs_;
  }

  void add_notes() {
    if (binary_inputs_ > 0)
      schema_.notes.push_back(fmt::format(
          "{} nominal attributes with at most two values became columns of 0 (the first value) and 1",
          binary_inputs_));
    if (!schema_.input_columns.categories.empty())
      schema_.notes.push_back(
          fmt::format("{} nominal attributes are categorical; they are one-hot encoded for "
                      "algorithms that do not handle them",
                      schema_.input_columns.categories.size()));
  }

  const ArffHeader& header_;
  const ReadOptions& options_;
  const LineReader& reader_;
  std::vector<bool> is_output_;
  bool from_meka_ = false;
  std::size_t binary_inputs_ = 0;
  ArffSchema schema_;
};

}  // namespace

void ArffSchema::require_same(const ArffHeader& header, const LineReader& reader) const {
  if (header.attributes.size() != columns.size())
    reader.fail(
        fmt::format("{} attributes where the first file has {}", header.attributes.size(), columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ArffAttribute& attribute = header.attributes[i];
    if (attribute.name != columns[i].name)
      throw Error(ErrorKind::data,
                  fmt::format("attribute '{}' where the first file has '{}'", excerpt(attribute.name),
                              excerpt(columns[i].name)),
                  header.place(attribute));
    const bool same_values =
        attribute.type != ArffType::nominal || attribute.values == columns[i].values->words();
    if (columns[i].role != ArffRole::dropped && (attribute.type != columns[i].type || !same_values))
      throw Error(ErrorKind::data,
                  fmt::format("attribute '{}' has another type or other values than in the first file",
                              excerpt(attribute.name)),
                  header.place(attribute));
  }
}

ArffSchema make_arff_schema(const ArffHeader& header, const ReadOptions& options, const LineReader& reader) {
  return SchemaMaker(header, options, reader).make();
}

}  // namespace coppice

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/writers/formats.h"

namespace coppice {

namespace {

std::string quote_arff(const std::string& text) {
  const bool plain = !text.empty() && text != "?" && text.find_first_of(" \t,{}%'\"\\@") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') quoted += '\\';
    quoted += character;
  }
  quoted += '\'';
  return quoted;
}

std::string values_text(const std::vector<std::string>& values) {
  std::string text = "{";
  for (const std::string& value : values) {
    if (text.size() > 1) text += ',';
    text += quote_arff(value);
  }
  text += '}';
  return text;
}

/// Sparse rows; inputs first, outputs after them. With real targets as the last attributes, labels as {0,1},
/// a class as one nominal attribute.
class ArffWriter : public FormatWriter {
 public:
  void check(const Dataset& dataset) const override {
    std::vector<std::string> names;
    for (std::size_t j = 0; j < dataset.feature_count(); ++j) names.push_back(dataset.features().name(j));
    for (const std::string& name : attribute_names(dataset)) names.push_back(name);
    for (const std::string& name : names)
      if (name.find_first_of("\r\n") != std::string::npos)
        throw Error(ErrorKind::data,
                    fmt::format("the name '{}' has a line break, which ARFF cannot hold", name));
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
      throw Error(ErrorKind::data,
                  fmt::format("two columns are named '{}'; ARFF needs names of their own", *twice));
  }

  void begin(TextWriter& out, const Dataset& dataset, std::size_t /*rows*/) override {
    out << "@relation " << quote_arff(relation(dataset)) << "\n\n";
    const Features& features = dataset.features();
    for (std::size_t j = 0; j < features.columns(); ++j) {
      const bool categorical = features.column(j).kind == FeatureKind::categorical;
      out << "@attribute " << quote_arff(features.name(j)) << " "
          << (categorical ? values_text(features.categories(j)) : "numeric") << "\n";
    }
    for (const std::string& name : attribute_names(dataset))
      out << "@attribute " << quote_arff(name) << " " << output_type(dataset) << "\n";
    out << "\n@data\n";
  }

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) override {
    out << "{";
    bool first = true;
    const auto pair = [&](std::size_t index) -> TextWriter& {
      if (!first) out << ",";
      first = false;
      out.number(static_cast<std::uint32_t>(index));
      return out << " ";
    };
    const Features& features = dataset.features();
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      pair(row.columns[i]);
      if (std::isnan(row.values[i]))
        out << "?";
      else if (features.column(row.columns[i]).kind == FeatureKind::categorical)
        out << quote_arff(features.categories(row.columns[i])[static_cast<std::size_t>(row.values[i])]);
      else
        out.number(row.values[i]);
    }
    const std::size_t inputs = features.columns();
    if (dataset.task() == Task::multilabel) {
      for (const std::uint32_t label : dataset.labels()[row.row]) pair(inputs + label) << "1";
    } else if (dataset.task() == Task::multiclass) {
      const std::uint32_t label = dataset.labels()[row.row][0];
      if (label > 0) pair(inputs) << quote_arff(dataset.output_name(label));
    } else {
      const auto targets = dataset.targets()[row.row];
      for (std::size_t j = 0; j < targets.size(); ++j)
        if (targets[j] != 0.0) {
          pair(inputs + j);
          out.number(targets[j]);
        }
    }
    out << "}\n";
  }

 private:
  /// MEKA's way to say that several attributes at the end are outputs, so that the file tells it itself.
  static std::string relation(const Dataset& dataset) {
    const std::size_t outputs = attribute_names(dataset).size();
    if (dataset.task() != Task::multilabel && outputs == 1) return dataset.name();
    return fmt::format("{}: -C -{}", dataset.name(), outputs);
  }

  static std::vector<std::string> attribute_names(const Dataset& dataset) {
    if (dataset.task() == Task::multiclass) return {"class"};
    std::vector<std::string> names;
    for (std::size_t j = 0; j < dataset.output_count(); ++j) names.push_back(dataset.output_name(j));
    return names;
  }

  static std::string output_type(const Dataset& dataset) {
    if (dataset.task() == Task::multilabel) return "{0,1}";
    if (dataset.task() == Task::regression) return "numeric";
    std::vector<std::string> names;
    for (std::size_t j = 0; j < dataset.output_count(); ++j) names.push_back(dataset.output_name(j));
    return values_text(names);
  }
};

std::string quote_csv(const std::string& text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos && !text.empty() &&
                     text.front() != ' ' && text.back() != ' ' && text != "?" && text != "NA";
  if (plain) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  quoted += '"';
  return quoted;
}

/// One line for each row with a field for each column: inputs first, outputs after them.
class CsvWriter : public FormatWriter {
 public:
  void check(const Dataset& /*dataset*/) const override {}

  void begin(TextWriter& out, const Dataset& dataset, std::size_t /*rows*/) override {
    for (std::size_t j = 0; j < dataset.feature_count(); ++j)
      out << (j > 0 ? "," : "") << quote_csv(dataset.features().name(j));
    const bool inputs = dataset.feature_count() > 0;
    if (dataset.task() == Task::multiclass)
      out << (inputs ? ",class" : "class");
    else
      for (std::size_t j = 0; j < dataset.output_count(); ++j)
        out << (inputs || j > 0 ? "," : "") << quote_csv(dataset.output_name(j));
    out << "\n";
  }

  void row(TextWriter& out, const Dataset& dataset, const RowToWrite& row) override {
    bool first = true;
    const auto separate = [&] {
      if (!first) out << ",";
      first = false;
    };
    std::size_t i = 0;
    for (std::size_t j = 0; j < dataset.feature_count(); ++j) {
      separate();
      const bool present = i < row.columns.size() && row.columns[i] == j;
      write_input(out, dataset.features(), j, present ? row.values[i] : 0.0F);
      i += present ? 1 : 0;
    }
    if (dataset.task() == Task::regression) {
      for (const double target : dataset.targets()[row.row]) {
        separate();
        out.number(target);
      }
    } else if (dataset.task() == Task::multiclass) {
      separate();
      out << quote_csv(dataset.output_name(dataset.labels()[row.row][0]));
    } else {
      const auto labels = dataset.labels()[row.row];
      std::size_t k = 0;
      for (std::size_t j = 0; j < dataset.output_count(); ++j) {
        separate();
        const bool present = k < labels.size() && labels[k] == j;
        out << (present ? "1" : "0");
        k += present ? 1 : 0;
      }
    }
    out << "\n";
  }

 private:
  static void write_input(TextWriter& out, const Features& features, std::size_t column, float value) {
    if (std::isnan(value)) {
      out << "?";
      return;
    }
    const auto& categories = features.categories(column);
    if (categories.empty())
      out.number(value);
    else
      out << quote_csv(categories[static_cast<std::size_t>(value)]);
  }
};

std::string escape_xml(const std::string& text) {
  std::string escaped;
  for (const char character : text) switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += character;
    }
  return escaped;
}

}  // namespace

std::unique_ptr<FormatWriter> make_arff_writer() {
  return std::make_unique<ArffWriter>();
}

std::unique_ptr<FormatWriter> make_csv_writer() {
  return std::make_unique<CsvWriter>();
}

void write_mulan_labels(const Dataset& dataset, const std::filesystem::path& path) {
  if (dataset.task() != Task::multilabel)
    throw Error(ErrorKind::data,
                fmt::format("dataset '{}' has no label sets to list in an XML file", dataset.name()));
  TextWriter out(path);
  out << "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<labels "
         "xmlns=\"http://mulan.sourceforge.net/labels\">\n";
  for (std::size_t j = 0; j < dataset.output_count(); ++j)
    out << "<label name=\"" << escape_xml(dataset.output_name(j)) << "\"></label>\n";
  out << "</labels>\n";
  out.close();
}

}  // namespace coppice

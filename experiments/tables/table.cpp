#include "experiments/tables/table.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/tables/csv.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, TableFormat>, 5> format_names{
    {{"text", TableFormat::text},
     {"markdown", TableFormat::markdown},
     {"csv", TableFormat::csv},
     {"latex", TableFormat::latex},
     {"html", TableFormat::html}}};

/// JSON knows no infinities: null.
Json json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json json_cell(const TableCell& cell) {
  Json object{{"text", cell.text}};
  if (cell.numbers) {
    object["mean"] = json_number(cell.numbers->mean);
    object["std"] = json_number(cell.numbers->deviation);
    object["count"] = cell.numbers->count;
    object["rank"] = json_number(cell.numbers->rank);
  }
  object["best"] = cell.emphasis == Emphasis::best;
  object["second"] = cell.emphasis == Emphasis::second;
  return object;
}

}  // namespace

Table Table::transposed() const {
  Table other{title, column_kind, row_kind, rows, columns, {}, notes};
  other.cells.resize(columns.size());
  for (std::size_t column = 0; column < columns.size(); ++column)
    for (const auto& row : cells) other.cells[column].push_back(row[column]);
  return other;
}

Json Table::json() const {
  Json names = Json::array();
  for (const TableHeader& column : columns) names.push_back(column.text);
  Json lines = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Json line = Json::array();
    for (const TableCell& cell : cells[row]) line.push_back(json_cell(cell));
    lines.push_back({{"name", rows[row].text}, {"cells", std::move(line)}});
  }
  return {{"title", title},
          {"row_kind", row_kind},
          {"column_kind", column_kind},
          {"columns", std::move(names)},
          {"rows", std::move(lines)},
          {"notes", notes}};
}

TableFormat parse_table_format(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [format_name, format] : format_names) {
    if (name == format_name) return format;
    known.emplace_back(format_name);
  }
  throw Error(ErrorKind::usage,
              fmt::format("there is no table format '{}'{}", name, did_you_mean(name, known)));
}

std::string render(const Table& table, TableFormat format, const TextLayout& layout) {
  switch (format) {
    case TableFormat::text:
      return render_text(table, layout);
    case TableFormat::markdown:
      return render_markdown(table);
    case TableFormat::csv:
      return render_csv(table);
    case TableFormat::latex:
      return render_latex(table);
    case TableFormat::html:
      return render_html(table);
  }
  return {};
}

std::string render_csv(const Table& table) {
  std::vector<std::string> fields{table.row_kind};
  for (const TableHeader& column : table.columns) fields.push_back(column.text);
  std::string text = csv_line(fields);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    fields = {table.rows[row].text};
    for (const TableCell& cell : table.cells[row]) fields.push_back(cell.text);
    text += csv_line(fields);
  }
  return text;
}

}  // namespace coppice

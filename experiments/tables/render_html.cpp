#include <fmt/format.h>

#include "experiments/tables/display_width.h"
#include "experiments/tables/emphasis.h"
#include "experiments/tables/escape.h"
#include "experiments/tables/table.h"

namespace coppice {

namespace {

constexpr EmphasisMarkup html_markup{"<strong>{}</strong>", "<u>{}</u>"};

std::string row_html(const Table& table, std::size_t row) {
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", html_escaped(table.rows[row].text));
  for (const TableCell& cell : table.cells[row]) {
    const bool sortable = cell.numbers && cell.numbers->mean;
    text += sortable ? fmt::format("<td data-value=\"{}\">", *cell.numbers->mean) : std::string("<td>");
    text += html_markup.apply(html_escaped(cell.text), cell.emphasis) + "</td>";
  }
  return text + "</tr>\n";
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char character : without_controls(text)) {
    switch (character) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string render_html(const Table& table) {
  std::string text = "<table>\n";
  if (!table.title.empty()) text += fmt::format("<caption>{}</caption>\n", html_escaped(table.title));
  text += fmt::format("<thead><tr><th scope=\"col\">{}</th>", html_escaped(table.row_kind));
  for (const TableHeader& column : table.columns)
    text += fmt::format("<th scope=\"col\">{}</th>", html_escaped(column.text));
  text += "</tr></thead>\n<tbody>\n";
  bool in_body = true;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (in_body && table.rows[row].apart) {
      text += "</tbody>\n<tfoot>\n";
      in_body = false;
    }
    text += row_html(table, row);
  }
  text += in_body ? "</tbody>\n</table>\n" : "</tfoot>\n</table>\n";
  for (const std::string& note : table.notes) text += fmt::format("<p>{}</p>\n", html_escaped(note));
  return text;
}

}  // namespace coppice

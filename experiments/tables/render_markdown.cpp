#include <string_view>

#include "experiments/tables/display_width.h"
#include "experiments/tables/emphasis.h"
#include "experiments/tables/escape.h"
#include "experiments/tables/table.h"

namespace coppice {

namespace {

constexpr EmphasisMarkup markdown_markup{"**{}**", "<u>{}</u>"};

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string result;
  for (const char character : without_controls(text)) {
    if (character == '<') {
      result += "&lt;";
    } else if (character == '&') {
      result += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#$").find(character) != std::string_view::npos) result += '\\';
      result += character;
    }
  }
  return result;
}

std::string render_markdown(const Table& table) {
  std::string text;
  if (!table.title.empty()) text += markdown_escaped(table.title) + "\n\n";
  text += fmt::format("| {} |", markdown_escaped(table.row_kind));
  for (const TableHeader& column : table.columns) text += fmt::format(" {} |", markdown_escaped(column.text));
  text += "\n| :--- |";
  for (std::size_t column = 0; column < table.columns.size(); ++column) text += " ---: |";
  text += '\n';
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    text += fmt::format("| {} |", markdown_escaped(table.rows[row].text));
    for (const TableCell& cell : table.cells[row])
      text += fmt::format(" {} |", markdown_markup.apply(markdown_escaped(cell.text), cell.emphasis));
    text += '\n';
  }
  for (const std::string& note : table.notes) text += fmt::format("\n{}\n", markdown_escaped(note));
  return text;
}

}  // namespace coppice

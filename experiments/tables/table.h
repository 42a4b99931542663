#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// How a cell stands out.
enum class Emphasis {
  none,
  best,    ///< bold
  second,  ///< underlined
};

/// The numbers behind a cell, for those who do not want to read them out of the text.
struct CellNumbers {
  std::optional<double> mean;
  std::optional<double> deviation;
  std::optional<double> rank;
  std::size_t count = 0;
};

/// One cell: what it says, and how it stands out.
struct TableCell {
  std::string text;
  Emphasis emphasis = Emphasis::none;
  std::optional<CellNumbers> numbers = std::nullopt;
};

/// The name of a row or column.
struct TableHeader {
  std::string text;
  bool apart = false;  ///< set apart from those before it by a line, such as an average
};

/// A table before it has a format. The texts are plain UTF-8: every format escapes them itself.
struct Table {
  std::string title;
  std::string row_kind;     ///< what the rows are, above their names: `dataset`
  std::string column_kind;  ///< what the columns are
  std::vector<TableHeader> columns;
  std::vector<TableHeader> rows;
  std::vector<std::vector<TableCell>> cells;  ///< [row][column]
  std::vector<std::string> notes;             ///< below the table

  /// Rows become columns.
  Table transposed() const;
  nlohmann::ordered_json json() const;
};

/// What `--format` takes.
enum class TableFormat { text, markdown, csv, latex, html };

/// Throws Error(usage) with the known names.
TableFormat parse_table_format(const std::string& name);

/// How text is laid out; the other formats have no need of it.
struct TextLayout {
  std::size_t width = 0;       ///< of the terminal; 0: unlimited
  bool ansi = false;           ///< bold and underlined by escape sequences
  bool may_transpose = false;  ///< rows and columns may change places if that makes it fit
};

/// The table in a format, with a line break at the end.
std::string render(const Table& table, TableFormat format, const TextLayout& layout = {});

std::string render_text(const Table& table, const TextLayout& layout);
/// GitHub's dialect.
std::string render_markdown(const Table& table);
/// Header and cells only: title and notes have no place in CSV.
std::string render_csv(const Table& table);
/// A `table` environment with booktabs rules.
std::string render_latex(const Table& table);
/// A fragment that needs no style sheet.
std::string render_html(const Table& table);

}  // namespace coppice

#include <algorithm>
#include <optional>
#include <string_view>

#include "experiments/tables/display_width.h"
#include "experiments/tables/emphasis.h"
#include "experiments/tables/table.h"

namespace coppice {

namespace {

constexpr std::string_view gap = "  ";
constexpr std::string_view anchor = " ±";

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

/// A column ready to print: every cell padded to one width, the ± signs below each other.
struct TextColumn {
  std::size_t width = 0;
  std::string header;
  std::vector<std::string> before;  ///< padding left of each cell
  std::vector<std::string> texts;
  std::vector<Emphasis> emphasis;
};

TextColumn make_column(const Table& table, std::size_t column) {
  TextColumn result;
  result.header = without_controls(table.columns[column].text);
  std::vector<std::size_t> heads;  // how wide each cell is before its ±
  bool anchored = false;
  for (const auto& row : table.cells) {
    result.texts.push_back(without_controls(row[column].text));
    result.emphasis.push_back(row[column].emphasis);
    const std::string_view text = result.texts.back();
    const std::size_t place = text.find(anchor);
    anchored = anchored || place != std::string_view::npos;
    heads.push_back(display_width(text.substr(0, place)));
  }
  const std::size_t widest = heads.empty() ? 0 : *std::max_element(heads.begin(), heads.end());
  result.width = display_width(result.header);
  for (std::size_t row = 0; row < heads.size(); ++row) {
    result.before.push_back(spaces(anchored ? widest - heads[row] : 0));
    result.width = std::max(result.width, result.before[row].size() + display_width(result.texts[row]));
  }
  return result;
}

constexpr EmphasisMarkup ansi_markup{"\x1b[1m{}\x1b[0m", "\x1b[4m{}\x1b[0m"};

std::size_t full_width(const std::vector<TextColumn>& columns, std::size_t names) {
  std::size_t width = names;
  for (const TextColumn& column : columns) width += gap.size() + column.width;
  return width;
}

void trim_right(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

/// Some columns of the table, the names of the rows before them.
class BlockWriter {
 public:
  BlockWriter(const Table& table, std::size_t name_width, bool ansi)
      : table_(table), name_width_(name_width), ansi_(ansi) {}

  std::string write(const std::vector<TextColumn>& columns, std::size_t begin, std::size_t end) const {
    std::string text = line(table_.row_kind, [&](std::string& out) {
      for (std::size_t i = begin; i < end; ++i) {
        out += gap;
        out += columns[i].header + spaces(columns[i].width - display_width(columns[i].header));
      }
    });
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      text += line(table_.rows[row].text, [&](std::string& out) {
        for (std::size_t i = begin; i < end; ++i) out += std::string(gap) + cell(columns[i], row);
      });
    }
    return text;
  }

 private:
  template <typename Fill>
  std::string line(const std::string& name, Fill fill) const {
    std::string out = without_controls(name);
    out += spaces(name_width_ - display_width(out));
    fill(out);
    trim_right(out);
    return out + '\n';
  }

  std::string cell(const TextColumn& column, std::size_t row) const {
    const std::string& text = column.texts[row];
    const std::size_t used = column.before[row].size() + display_width(text);
    return column.before[row] + (ansi_ ? ansi_markup.apply(text, column.emphasis[row]) : text) +
           spaces(column.width - used);
  }

  const Table& table_;
  std::size_t name_width_;
  bool ansi_;
};

struct Layout {
  std::vector<TextColumn> columns;
  std::size_t name_width = 0;
};

Layout lay_out(const Table& table) {
  Layout layout;
  layout.name_width = display_width(without_controls(table.row_kind));
  for (const TableHeader& row : table.rows)
    layout.name_width = std::max(layout.name_width, display_width(without_controls(row.text)));
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    layout.columns.push_back(make_column(table, column));
  return layout;
}

}  // namespace

std::string render_text(const Table& table, const TextLayout& options) {
  const Layout layout = lay_out(table);
  const auto fits = [&](const Layout& any) {
    return options.width == 0 || full_width(any.columns, any.name_width) <= options.width;
  };
  if (options.may_transpose && !fits(layout)) {
    const Table other = table.transposed();
    if (fits(lay_out(other))) return render_text(other, {options.width, options.ansi, false});
  }
  std::string text;
  for (const std::string& line : wrapped(without_controls(table.title), options.width)) text += line + '\n';
  const BlockWriter writer(table, layout.name_width, options.ansi);
  std::size_t begin = 0;
  do {
    std::size_t end = begin;
    std::size_t width = layout.name_width;
    while (end < layout.columns.size()) {
      width += gap.size() + layout.columns[end].width;
      if (end > begin && options.width > 0 && width > options.width) break;
      ++end;
    }
    if (begin > 0) text += '\n';
    text += writer.write(layout.columns, begin, end);
    begin = end;
  } while (begin < layout.columns.size());
  for (const std::string& note : table.notes)
    for (const std::string& line : wrapped(without_controls(note), options.width)) text += line + '\n';
  return text;
}

}  // namespace coppice

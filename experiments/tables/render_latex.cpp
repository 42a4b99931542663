#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "experiments/tables/display_width.h"
#include "experiments/tables/emphasis.h"
#include "experiments/tables/escape.h"
#include "experiments/tables/table.h"

namespace coppice {

namespace {

// What LaTeX would take for a command, and signs that its default fonts do not have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> replacements{{
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "\\textbar{}"},
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"—", "---"},
    {"–", "--"},
    {"†", "$\\dagger$"},
    {"•", "$\\bullet$"},
    {"∘", "$\\circ$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"χ²", "$\\chi^2$"},
    {"α", "$\\alpha$"},
    {"²", "$^2$"},
    {"√", "$\\surd$"},
}};

bool starts_number(std::string_view text, std::size_t minus) {
  const bool at_start = minus == 0 || text[minus - 1] == ' ' || text[minus - 1] == '(';
  return at_start && minus + 1 < text.size() && text[minus + 1] >= '0' && text[minus + 1] <= '9';
}

constexpr EmphasisMarkup latex_markup{"\\textbf{{{}}}", "\\underline{{{}}}"};

/// One column specification for each column, a rule before those set apart.
std::string column_specification(const Table& table) {
  std::string specification = "l";
  for (const TableHeader& column : table.columns) specification += column.apart ? "|r" : "r";
  return specification;
}

}  // namespace

std::string latex_escaped(std::string_view raw) {
  const std::string text = without_controls(raw);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with('-') && starts_number(text, i)) {
      result += "$-$";
      ++i;
      continue;
    }
    bool replaced = false;
    for (const auto& [from, to] : replacements) {
      if (!rest.starts_with(from)) continue;
      result += to;
      i += from.size();
      replaced = true;
      break;
    }
    if (!replaced) result += text[i++];
  }
  return result;
}

std::string render_latex(const Table& table) {
  std::string text = "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n";
  if (!table.title.empty()) text += fmt::format("\\caption{{{}}}\n", latex_escaped(table.title));
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", column_specification(table));
  // Braces around the first cell of a line: a '[' there would be read as an argument of the rule or of '\\'.
  text += fmt::format("{{{}}}", latex_escaped(table.row_kind));
  for (const TableHeader& column : table.columns) text += fmt::format(" & {}", latex_escaped(column.text));
  text += " \\\\\n\\midrule\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].apart) text += "\\midrule\n";
    text += fmt::format("{{{}}}", latex_escaped(table.rows[row].text));
    for (const TableCell& cell : table.cells[row])
      text += fmt::format(" & {}", latex_markup.apply(latex_escaped(cell.text), cell.emphasis));
    text += " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes)
    text += fmt::format("\\par\\smallskip{{\\footnotesize {}}}\n", latex_escaped(note));
  return text + "\\end{table}\n";
}

}  // namespace coppice

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "experiments/tables/display_width.h"
#include "experiments/tables/table.h"

using namespace coppice;

namespace {
Table example() {
  Table table;
  table.title = "r2, mean ± std";
  table.row_kind = "dataset";
  table.column_kind = "algorithm";
  table.columns = {{"constant"}, {"RF"}};
  table.rows = {{"chain"}, {"average rank", true}};
  table.cells = {{{"-0.004 ± 0.003 (2)", Emphasis::second, CellNumbers{-0.0041, 0.0031, 2.0, 5}},
                  {"0.61 ± 0.01 (1)", Emphasis::best, CellNumbers{0.61, 0.01, 1.0, 5}}},
                 {{"2.0"}, {"—"}}};
  table.notes = {"† a note"};
  return table;
}

/// Every name is hostile to some format.
Table hostile() {
  Table table;
  table.title = "a_b & 100%";
  table.row_kind = "dataset";
  table.columns = {{"<script>alert('x')</script>"}, {"a|b*c_d"}};
  table.rows = {{"[x] \\ {y} $5 ^~#"}};
  table.cells = {{{"\x1b[31mred\n"}, {"\"quoted\", <b>"}}};
  return table;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    widest = std::max(widest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}
}  // namespace

TEST_CASE("text is aligned, the ± signs below each other") {
  CHECK(render(example(), TableFormat::text) ==
        "r2, mean ± std\n"
        "dataset       constant            RF\n"
        "chain         -0.004 ± 0.003 (2)  0.61 ± 0.01 (1)\n"
        "average rank     2.0                 —\n"
        "† a note\n");
}

TEST_CASE("bold and underlined do not disturb the alignment") {
  const std::string text = render_text(example(), {.ansi = true});
  CHECK(text.find("chain         \x1b[4m-0.004 ± 0.003 (2)\x1b[0m  \x1b[1m0.61 ± 0.01 (1)\x1b[0m\n") !=
        std::string::npos);
}

TEST_CASE("a table wider than the terminal is cut into blocks of columns") {
  Table table = example();
  table.notes = {"a note of several words that is far too long for one line"};
  const std::string text = render_text(table, {.width = 36});
  CHECK(widest_line(text) <= 36);
  CHECK(text ==
        "r2, mean ± std\n"
        "dataset       constant\n"
        "chain         -0.004 ± 0.003 (2)\n"
        "average rank     2.0\n"
        "\n"
        "dataset       RF\n"
        "chain         0.61 ± 0.01 (1)\n"
        "average rank     —\n"
        "a note of several words that is far\n"
        "too long for one line\n");
}

TEST_CASE("a table is turned only if that makes it fit") {
  Table wide;
  wide.row_kind = "dataset";
  wide.column_kind = "algorithm";
  wide.rows = {{"a"}};
  wide.cells.resize(1);
  for (int i = 0; i < 10; ++i) {
    wide.columns.push_back({fmt::format("column{}", i)});
    wide.cells[0].push_back({"12345"});
  }
  CHECK(render_text(wide, {.width = 40, .may_transpose = true}) == render_text(wide.transposed(), {}));
  CHECK(render_text(wide, {.width = 40}) != render_text(wide.transposed(), {}));
  CHECK(render_text(wide, {.width = 5, .may_transpose = true}) == render_text(wide, {.width = 5}));
}

TEST_CASE("wide characters are aligned by what they take on the screen") {
  Table table;
  table.columns = {{"x"}};
  table.rows = {{"データ"}, {"abc"}};
  table.cells = {{{"1"}}, {{"2"}}};
  CHECK(render_text(table, {}) == "\n        x\nデータ  1\nabc     2\n");
}

TEST_CASE("markdown") {
  CHECK(render(example(), TableFormat::markdown) ==
        "r2, mean ± std\n\n"
        "| dataset | constant | RF |\n"
        "| :--- | ---: | ---: |\n"
        "| chain | <u>-0.004 ± 0.003 (2)</u> | **0.61 ± 0.01 (1)** |\n"
        "| average rank | 2.0 | — |\n"
        "\n† a note\n");
  CHECK(render_markdown(hostile()) ==
        "a\\_b &amp; 100%\n\n"
        "| dataset | &lt;script>alert('x')&lt;/script> | a\\|b\\*c\\_d |\n"
        "| :--- | ---: | ---: |\n"
        "| \\[x\\] \\\\ {y} \\$5 ^\\~\\# |  \\[31mred  | \"quoted\", &lt;b> |\n");
}

TEST_CASE("csv") {
  CHECK(render(example(), TableFormat::csv) ==
        "dataset,constant,RF\nchain,-0.004 ± 0.003 (2),0.61 ± 0.01 (1)\naverage rank,2.0,—\n");
}

TEST_CASE("latex") {
  CHECK(render(example(), TableFormat::latex) ==
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n\\centering\n\\caption{r2, mean $\\pm$ std}\n"
        "\\begin{tabular}{lrr}\n\\toprule\n"
        "{dataset} & constant & RF \\\\\n\\midrule\n"
        "{chain} & \\underline{$-$0.004 $\\pm$ 0.003 (2)} & \\textbf{0.61 $\\pm$ 0.01 (1)} \\\\\n"
        "\\midrule\n"
        "{average rank} & 2.0 & --- \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
        "\\par\\smallskip{\\footnotesize $\\dagger$ a note}\n"
        "\\end{table}\n");
  const std::string text = render_latex(hostile());
  CHECK(text.find("\\caption{a\\_b \\& 100\\%}") != std::string::npos);
  CHECK(text.find("{[x] \\textbackslash{} \\{y\\} \\$5 \\textasciicircum{}\\textasciitilde{}\\#}") !=
        std::string::npos);
  CHECK(text.find("$<$script$>$alert('x')$<$/script$>$ & a\\textbar{}b*c\\_d") != std::string::npos);
}

TEST_CASE("a turned table keeps its averages apart in latex") {
  CHECK(render_latex(example().transposed()).find("\\begin{tabular}{lr|r}") != std::string::npos);
}

TEST_CASE("html") {
  CHECK(render(example(), TableFormat::html) ==
        "<table>\n<caption>r2, mean ± std</caption>\n"
        "<thead><tr><th scope=\"col\">dataset</th><th scope=\"col\">constant</th><th "
        "scope=\"col\">RF</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\">chain</th><td data-value=\"-0.0041\"><u>-0.004 ± 0.003 (2)</u></td><td "
        "data-value=\"0.61\"><strong>0.61 ± 0.01 (1)</strong></td></tr>\n"
        "</tbody>\n<tfoot>\n"
        "<tr><th scope=\"row\">average rank</th><td>2.0</td><td>—</td></tr>\n"
        "</tfoot>\n</table>\n<p>† a note</p>\n");
  const std::string text = render_html(hostile());
  CHECK(text.find("<script") == std::string::npos);
  CHECK(text.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") != std::string::npos);
  CHECK(text.find("&quot;quoted&quot;, &lt;b&gt;") != std::string::npos);
}

TEST_CASE("json has the numbers") {
  const auto object = example().json();
  CHECK(object["columns"][1] == "RF");
  CHECK(object["rows"][0]["name"] == "chain");
  CHECK(object["rows"][0]["cells"][0]["mean"] == -0.0041);
  CHECK(object["rows"][0]["cells"][0]["count"] == 5);
  CHECK(object["rows"][0]["cells"][1]["best"] == true);
  CHECK(object["rows"][1]["cells"][1].contains("mean") == false);
  CHECK(object["notes"][0] == "† a note");
}

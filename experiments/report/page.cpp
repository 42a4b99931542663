#include "experiments/report/page.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "experiments/report/page_files.h"
#include "experiments/tables/escape.h"

namespace coppice {

namespace {

/// JSON that may stand inside a script element: no '<' can end it.
std::string json_for_script(const nlohmann::ordered_json& json) {
  const std::string plain = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (const char character : plain) {
    if (character == '<') {
      safe += "\\u003c";
    } else {
      safe += character;
    }
  }
  return safe;
}

}  // namespace

std::string paragraph(const std::string& text, const std::string& style) {
  return style.empty() ? fmt::format("<p>{}</p>\n", html_escaped(text))
                       : fmt::format("<p class=\"{}\">{}</p>\n", style, html_escaped(text));
}

std::string preformatted(const std::string& text) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += html_escaped(std::string_view(text).substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", lines);
}

std::string wide_table(const Table& table) {
  return fmt::format("<div class=\"wide\" tabindex=\"0\">\n{}</div>\n", render_html(table));
}

std::string folded(const std::string& heading, const std::string& html, Fold fold) {
  return fmt::format("<details{}{}>\n<summary>{}</summary>\n{}</details>\n",
                     fold.sortable ? " class=\"sortable\"" : "", fold.open ? " open" : "",
                     html_escaped(heading), html);
}

void Page::open_section(const std::string& id, const std::string& heading) {
  contents_.emplace_back(id, heading);
  body_ +=
      fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n",
                  id, html_escaped(heading));
}

void Page::add_list(const std::vector<std::string>& sentences) {
  body_ += "<ul>\n";
  for (const std::string& sentence : sentences) body_ += fmt::format("<li>{}</li>\n", html_escaped(sentence));
  body_ += "</ul>\n";
}

std::string Page::html(const std::string& title, const nlohmann::ordered_json& charts,
                       int refresh_seconds) const {
  std::string links;
  for (const auto& [id, heading] : contents_)
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, html_escaped(heading));
  const std::string refresh =
      refresh_seconds > 0 ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", refresh_seconds)
                          : "";
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n{}<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n<h1>{}</h1>\n"
      "<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n</header>\n<main id=\"main\">\n",
      refresh, html_escaped(title), report_css, html_escaped(title), links);
  text += body_;
  text += "</main>\n<script type=\"application/json\" id=\"figures\">";
  text += json_for_script(charts);
  text += "</script>\n<script>\n";
  text += chart_js;
  text += "\n</script>\n<script>\n";
  text += report_js;
  text += "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace coppice

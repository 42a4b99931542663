#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/tables/table.h"

namespace coppice {

// Pieces of HTML; whatever comes from data is escaped in them.

/// `style` is a class of report.css, or empty.
std::string paragraph(const std::string& text, const std::string& style = "");

/// With its line breaks.
std::string preformatted(const std::string& text);

/// In a box that scrolls sideways.
std::string wide_table(const Table& table);

/// Content that a click opens; tables in it sort and filter if `sortable`.
struct Fold {
  bool open = false;
  bool sortable = false;
};
std::string folded(const std::string& heading, const std::string& html, Fold fold = {});

/// A page that grows section by section.
class Page {
 public:
  void open_section(const std::string& id, const std::string& heading);
  void close_section() { body_ += "</section>\n"; }
  /// HTML, as it is.
  void add(const std::string& html) { body_ += html; }
  void add_list(const std::vector<std::string>& sentences);

  /// The whole of it, self-contained: style, scripts and the data of the charts inside, nothing from
  /// elsewhere allowed. The page loads itself anew after `refresh_seconds`; 0: never.
  std::string html(const std::string& title, const nlohmann::ordered_json& charts, int refresh_seconds) const;

 private:
  std::vector<std::pair<std::string, std::string>> contents_;  ///< id and heading of each section
  std::string body_;
};

}  // namespace coppice

#pragma once

#include <string_view>

namespace coppice {

// The files that the report's page is made of, put into the program when it is built (see embed.cmake).

extern const std::string_view chart_js;  ///< Chart.js, from Debian's libjs-chart.js
extern const std::string_view report_js;
extern const std::string_view report_css;

}  // namespace coppice

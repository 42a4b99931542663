#pragma once

#include <string>

namespace coppice {

/// The reference page of all metrics in Markdown, made from their descriptions: docs/metrics.md.
std::string metrics_reference();

}  // namespace coppice

#pragma once

#include <string>

namespace coppice {

/// A YAML scalar that reads back as the same text.
std::string yaml_scalar(const std::string& text);

}  // namespace coppice

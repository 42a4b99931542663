#pragma once

#include <string>

namespace coppice {

/// What went wrong with a fit, in words: of the exception that is being handled.
std::string error_text();

}  // namespace coppice

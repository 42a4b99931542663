#include "experiments/schedule/error_text.h"

#include <new>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

std::string error_text() {
  try {
    throw;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory; try fewer jobs or a smaller model";
  } catch (const std::exception& exception) {
    return fmt::format("internal error: {}", exception.what());
  } catch (...) {
    return "internal error: something was thrown that is no std::exception";
  }
}

}  // namespace coppice

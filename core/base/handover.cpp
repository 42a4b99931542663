#include "core/base/handover.h"

namespace coppice {

Handover::Handover() {
  given_.store(true, std::memory_order_release);
}

Handover::~Handover() {
  static_cast<void>(returned_.load(std::memory_order_acquire));
}

Handover::Body::Body(Handover& handover) : handover_(handover) {
  static_cast<void>(handover_.given_.load(std::memory_order_acquire));
}

Handover::Body::~Body() {
  handover_.returned_.fetch_add(1, std::memory_order_release);
}

}  // namespace coppice

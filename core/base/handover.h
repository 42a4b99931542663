#pragma once

#include <atomic>
#include <cstddef>

namespace coppice {

/// Orders what a loop's caller did before its bodies, and what the bodies did before its caller goes on. TBB
/// orders it so anyway, but in a library that ThreadSanitizer cannot look into. Nothing here is inline: the
/// steps must stand in instrumented code, and arena.cpp, which takes them, is not.
class Handover {
 public:
  /// Gives what the caller did to the bodies.
  Handover();
  /// Takes what the bodies did.
  ~Handover();
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

  /// Lives around one body.
  class Body {
   public:
    explicit Body(Handover& handover);
    ~Body();
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

   private:
    Handover& handover_;
  };

 private:
  std::atomic<bool> given_{false};
  std::atomic<std::size_t> returned_{0};
};

}  // namespace coppice

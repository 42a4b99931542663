#pragma once

#include <string>

namespace coppice {

/// `90`, `90s`, `30m`, `2h`, `1.5h`, `1h30m`, `2d` in seconds; throws Error(usage) that names the option.
double parse_duration(const std::string& text, const std::string& option);

/// `500MiB`, `8GiB`, `8GB`, `4096` (bytes); throws Error(usage).
double parse_bytes(const std::string& text, const std::string& option);

/// Whether a text reads as bytes rather than as a duration: it ends in `B`.
bool looks_like_bytes(const std::string& text);

/// `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
std::string duration_text(double seconds);
/// `12 kB`, `3.4 MiB`, `1.2 GiB`.
std::string bytes_text(double bytes);

/// Four fifths of the memory of this machine, in bytes.
double default_memory();

}  // namespace coppice

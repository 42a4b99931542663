#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/readers/line_reader.h"
#include "core/data/readers/parts.h"

namespace coppice {

/// What the values of an ARFF attribute are.
enum class ArffType {
  numeric,       ///< also `real` and `integer`
  nominal,       ///< one of a list of words
  hierarchical,  ///< Clus: nodes of a hierarchy, joined by @
  text,          ///< `string` and `date`: cannot be learnt from
};

/// One `@attribute` line.
struct ArffAttribute {
  std::string name;
  ArffType type = ArffType::numeric;
  std::vector<std::string> values;  ///< of nominal attributes; the items of a hierarchy
  int line = 0;                     ///< of its name
  int column = 0;
};

/// Everything before `@data`.
struct ArffHeader {
  std::string file;
  std::string relation;
  std::vector<ArffAttribute> attributes;
  NameTable names;  ///< to positions in `attributes`

  /// MEKA's option -C in the relation: n > 0 for the first n attributes, n < 0 for the last -n.
  std::optional<int> meka_labels() const;
  Location place(const ArffAttribute& attribute) const { return {file, attribute.line, attribute.column}; }
};

/// Reads up to and including the line `@data`. Throws Error(data).
ArffHeader read_arff_header(LineReader& reader);

/// A word at `at`: quoted with ' or " (a backslash keeps the next character), or plain up to a blank or one
/// of `stops`. Returns the place behind it; fails on a quote that is not closed.
const char* read_arff_word(const LineReader& reader, const char* at, const char* end, std::string_view stops,
                           std::string& word);

}  // namespace coppice

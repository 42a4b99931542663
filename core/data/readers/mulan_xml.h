#pragma once

#include <string>
#include <vector>

#include "core/data/readers/reader.h"

namespace coppice {

/// A label of a Mulan XML file.
struct XmlLabel {
  std::string name;
  Location place;
};

/// The labels of a Mulan XML file in the order of the file; a nested hierarchy counts every node. Throws
/// Error(data).
std::vector<XmlLabel> read_mulan_labels(const InputFile& file);

}  // namespace coppice

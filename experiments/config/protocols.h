#pragma once

#include <string>
#include <vector>

namespace coppice {

/// A way to cut data into training and test parts, for `list` and `describe`.
struct ProtocolDescription {
  std::string name;
  std::string form;  ///< as it stands in a config
  std::string summary;
  std::string reference;
};

const std::vector<ProtocolDescription>& protocol_descriptions();

}  // namespace coppice

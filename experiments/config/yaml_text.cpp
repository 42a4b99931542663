#include "experiments/config/yaml_text.h"

#include <yaml-cpp/yaml.h>

namespace coppice {

std::string yaml_scalar(const std::string& text) {
  YAML::Emitter emitter;
  emitter << text;
  return emitter.c_str();
}

}  // namespace coppice

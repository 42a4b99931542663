#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "experiments/data/source.h"

namespace coppice::testing {

/// A dataset of the catalogue, or null, with a line that says so, on a machine that does not have it.
inline std::shared_ptr<const Dataset> real_dataset(const std::string& name) {
  if (std::getenv("COPPICE_DATA") == nullptr) {
    MESSAGE("skipped on " << name << ": set COPPICE_DATA to a folder that has it to run this test");
    return nullptr;
  }
  Problems problems;
  const auto source = make_source({name, {}, {}}, DataPath::standard(""), problems);
  if (source == nullptr) {
    MESSAGE("skipped on " << name << ": " << problems.text());
    return nullptr;
  }
  return source->load(Stream(1));
}

}  // namespace coppice::testing

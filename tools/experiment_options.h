#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "experiments/run.h"

namespace coppice {

/// The options that run, check and plan share.
struct ExperimentOptions {
  std::string config;
  std::vector<std::string> settings;
  std::string data;

  void add_to(CLI::App& verb) {
    verb.add_option("CONFIG", config, "The YAML file of the experiment")->required();
    verb.add_option(
            "--set", settings,
            "Change a value of the config: path=value, such as protocol.repeats=3 or algorithms.RF.trees=10")
        ->allow_extra_args(false);
    verb.add_option("--data", data,
                    "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  }
  /// `out` is where results go, if that was said; `fresh`: what is there does not count.
  Plan plan(const std::string& out = "", bool fresh = false) const {
    return plan_experiment(config, settings, DataPath::standard(data), out, fresh);
  }
};

}  // namespace coppice

#pragma once

#include <string>

#include "experiments/plan/plan.h"

namespace coppice::testing {

/// The plan of a config text; the text of all problems in `problems`, if asked for, else they are thrown.
inline Plan plan_of(const std::string& yaml, std::string* problems_text = nullptr) {
  Problems problems;
  const ConfigNode root = parse_config_text(yaml, "test.yaml", problems);
  Plan plan;
  if (problems.empty()) plan = make_plan(parse_experiment(root, problems), DataPath{}, problems);
  if (problems_text != nullptr)
    *problems_text = problems.text();
  else
    problems.raise();
  return plan;
}

/// A small experiment with two kinds of task; %s-free YAML so that tests can vary it by replacing lines.
inline const std::string small_experiment = R"(name: small
seed: 3
datasets:
  - friedman1-chain: {train: 40, test: 30, targets: 3}
  - multilabel: {train: 40, test: 30, labels: 5}
protocol: {test: given, repeats: 3}
algorithms:
  - constant
  - random-forest: {id: RF, features: 1, sweep: {trees: [2, 5]}}
  - extra-trees: {id: ET, trees: 4, features: 1}
metrics: [r2-macro, lrap, nodes]
)";

}  // namespace coppice::testing

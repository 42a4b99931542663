#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

enum class Measured { with_a_clock, on_the_model };

MetricEntry cost(const std::string& name, const std::string& summary, const std::string& definition,
                 Measured measured) {
  return {{.name = name,
           .summary = summary,
           .definition = definition,
           .reference = "measured by the framework",
           .higher_is_better = false,
           .cost = true,
           .varies_between_runs = measured == Measured::with_a_clock,
           .tasks = {Task::multilabel, Task::multiclass, Task::regression}}};
}

MetricEntry higher(MetricEntry entry) {
  entry.description.higher_is_better = true;
  return entry;
}

}  // namespace

std::vector<MetricEntry> cost_metrics() {
  return {
      cost("fit-seconds", "Time to fit the model.",
           "Elapsed seconds from the call of fit to its return, data already in memory. Depends on what else "
           "the machine does, on `--jobs` too; compare algorithms by fit-cpu-seconds.",
           Measured::with_a_clock),
      cost("predict-seconds", "Time to predict the test rows.",
           "Elapsed seconds to score all test rows, the computation of metrics not included.",
           Measured::with_a_clock),
      cost("fit-cpu-seconds", "Processor time to fit the model.",
           "Processor seconds of all threads that took part in the fit, added up.", Measured::with_a_clock),
      cost("model-bytes", "Size of the model.", "Bytes of the model file as `train` would save it.",
           Measured::on_the_model),
      cost("nodes", "Number of tree nodes.", "All nodes of all trees, leaves included.",
           Measured::on_the_model),
      cost("leaves", "Number of leaves.", "All leaves of all trees.", Measured::on_the_model),
      cost("depth", "Depth of the deepest tree.",
           "The largest number of splits between a root and a leaf; a tree that is one leaf has depth 0.",
           Measured::on_the_model),
      cost("base-nodes", "Nodes of the forest that was compressed.",
           "All nodes, leaves included, before any was cut away.", Measured::on_the_model),
      cost("base-leaves", "Leaves of the forest that was compressed.",
           "All leaves before any node was cut away.", Measured::on_the_model),
      higher(
          cost("compression", "How many times smaller a compressed forest is.",
               "Test nodes before divided by test nodes after; one after, if there are none (thesis 7.2.1).",
               Measured::on_the_model)),
  };
}

}  // namespace coppice

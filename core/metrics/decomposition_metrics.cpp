#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

MetricEntry part(const std::string& name, const std::string& summary, const std::string& definition) {
  return {{.name = name,
           .summary = summary,
           .definition = definition + " Summed over the outputs, averaged over the test points.",
           .reference = "thesis 4.1, 5.2; Joly et al. 2014, 3.3",
           .higher_is_better = false,
           .decomposition = true,
           .tasks = {Task::multilabel, Task::multiclass, Task::regression}}};
}

}  // namespace

std::vector<MetricEntry> decomposition_metrics() {
  return {
      part("expected-error",
           "Mean squared error over learning sets: residual error + squared bias + variance.",
           "The sum of the other parts."),
      part("residual-error", "What no model can explain: the variance of the noise.",
           "Mean square of the difference between the outputs of the test points and the same without noise; "
           "0 "
           "where the generator cannot leave the noise out, and then part of the squared bias."),
      part("squared-bias", "Squared difference between the average model and the truth.",
           "Squared difference between the mean prediction over all models and the noise-free outputs, less "
           "what the variance of that mean adds."),
      part("variance", "How much predictions differ from model to model.", "The sum of its three parts."),
      part("variance-learning-set", "The part of the variance that comes from the learning set, V_LS.",
           "Variance over learning sets of the mean over projections and seeds, less what those add to it."),
      part("variance-projection", "The part of the variance that comes from projecting outputs, V_Proj.",
           "Variance over projections of the mean over seeds, less what seeds add to it; 0 for algorithms "
           "without a projection."),
      part("variance-algorithm", "The part of the variance that comes from the algorithm's own seed, V_Algo.",
           "Variance over seeds, the learning set and the projection being the same."),
  };
}

}  // namespace coppice

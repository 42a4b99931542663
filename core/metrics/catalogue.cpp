#include "core/metrics/catalogue.h"

#include <iterator>

namespace coppice {

const std::vector<MetricEntry>& metric_catalogue() {
  static const std::vector<MetricEntry> catalogue = [] {
    std::vector<MetricEntry> all;
    for (auto family : {ranking_metrics, label_set_metrics, averaged_metrics, area_metrics, class_metrics,
                        regression_metrics, decomposition_metrics, cost_metrics}) {
      std::vector<MetricEntry> entries = family();
      all.insert(all.end(), std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
    }
    return all;
  }();
  return catalogue;
}

}  // namespace coppice

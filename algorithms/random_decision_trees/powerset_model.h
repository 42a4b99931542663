#pragma once

#include <memory>
#include <vector>

#include "algorithms/forest/forest_model.h"

namespace coppice {

/// Random decision trees on label sets (LP-RDT): every leaf has a distribution over the distinct label sets
/// of the training rows, distributions are averaged over trees, and the most likely set is the prediction.
/// The score of a label is the probability of all sets that have it, which is what averaging labels gives
/// too.
class PowersetModel : public Model {
 public:
  explicit PowersetModel(std::unique_ptr<ForestModel> forest);

  Predictions predict(const DatasetView& rows, const Context& context) const override;
  void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                      const Context& context) const override;
  std::map<std::string, double> facts() const override { return forest_->facts(); }
  std::map<std::string, double> facts_at(double stage) const override { return forest_->facts_at(stage); }
  void save(ModelWriter& writer) const override { forest_->save(writer); }
  std::string describe(const ModelSchema& schema) const override { return forest_->describe(schema); }

 private:
  /// The most likely set of each row by the first so many trees; of equal ones the first.
  LabelSets decide(const std::vector<std::uint32_t>& leaves, std::size_t rows, std::size_t trees,
                   const Context& context) const;

  std::unique_ptr<ForestModel> forest_;
  std::vector<std::uint32_t> set_of_row_;    ///< the number of the label set of each training row
  std::vector<std::uint32_t> row_with_set_;  ///< a training row that has it
};

}  // namespace coppice

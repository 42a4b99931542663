#include "core/projections/hadamard.h"

#include <bit>
#include <cmath>

#include "core/projections/draw_rows.h"

namespace coppice {

namespace {

class Hadamard : public Projection {
 public:
  Hadamard(const ProjectionSetting& setting, const Stream& stream)
      : Projection(setting.size, setting.outputs),
        order_(std::bit_ceil(setting.outputs)),
        rows_(draw_without_replacement(setting.size, order_, stream)),
        scale_(1.0 / std::sqrt(static_cast<double>(setting.size))) {}

  double unit() const override { return scale_; }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = true;
    column.values.clear();
    for (const std::uint32_t row : rows_)
      column.values.push_back((std::popcount(row & output) & 1) == 0 ? scale_ : -scale_);
  }

  bool project_row(std::span<const double> values, std::span<double> projected) const override {
    // The transform takes order · log2(order) additions, column by column takes d · q.
    if (order_ * static_cast<std::size_t>(std::bit_width(order_)) > outputs() * size()) return false;
    std::vector<double> transformed(order_, 0.0);
    std::copy(values.begin(), values.end(), transformed.begin());
    fast_walsh_hadamard(transformed);
    for (std::size_t c = 0; c < rows_.size(); ++c) projected[c] = scale_ * transformed[rows_[c]];
    return true;
  }

 private:
  std::size_t order_;
  std::vector<std::uint32_t> rows_;
  double scale_;
};

}  // namespace

void fast_walsh_hadamard(std::span<double> values) {
  for (std::size_t half = 1; half < values.size(); half *= 2)
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * half)
      for (std::size_t i = begin; i < begin + half; ++i) {
        const double sum = values[i] + values[i + half];
        values[i + half] = values[i] - values[i + half];
        values[i] = sum;
      }
}

std::unique_ptr<Projection> hadamard_projection(const ProjectionSetting& setting, const Stream& stream) {
  return std::make_unique<Hadamard>(setting, stream);
}

}  // namespace coppice

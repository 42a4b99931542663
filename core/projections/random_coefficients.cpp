#include "core/projections/random_coefficients.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/base/portable_math.h"

namespace coppice {

namespace {

/// Uniform on (0, 1): the middle of one of 2^53 cells, so that its normal quantile is finite.
double open_uniform(std::uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1.0p-53;
}

/// Many coefficients are made together: this is the first step.
struct Gaussian {
  static constexpr bool dense = true;
  double scale;
  double unit() const { return scale * 0x1.0p-22; }
  double operator()(std::uint64_t bits) const { return open_uniform(bits); }
};

/// A matrix of independent coefficients. The block of four components from 4b of output j comes from the
/// counter (b, j) under the key of the stream.
template <typename Coefficient>
class IndependentCoefficients : public Projection {
 public:
  IndependentCoefficients(const ProjectionSetting& setting, const Stream& stream, Coefficient coefficient)
      : Projection(setting.size, setting.outputs), key_(stream.key()), coefficient_(coefficient) {}

  double unit() const override { return coefficient_.unit(); }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = Coefficient::dense;
    column.components.clear();
    column.values.resize(size());
    columns(output, column.values);
    if constexpr (!Coefficient::dense) {
      std::size_t made = 0;
      for (std::uint32_t c = 0; c < size(); ++c) {
        if (column.values[c] == 0.0) continue;
        column.components.push_back(c);
        column.values[made++] = column.values[c];
      }
      column.values.resize(made);
    }
  }

  void columns(std::uint32_t first, std::span<double> values) const override {
    for (std::size_t begin = 0; begin < values.size(); begin += size(), ++first) {
      for (std::size_t c = 0; c < size(); c += 4) {
        const auto bits = Stream::philox({c / 4, first, 0, 0}, key_);
        for (std::size_t i = c; i < std::min(c + 4, size()); ++i)
          values[begin + i] = coefficient_(bits[i - c]);
      }
    }
    if constexpr (std::is_same_v<Coefficient, Gaussian>) {
      normal_quantiles(values);
      for (double& value : values) value *= coefficient_.scale;
    }
  }

 private:
  std::array<std::uint64_t, 2> key_;
  Coefficient coefficient_;
};

struct Rademacher {
  static constexpr bool dense = true;
  double scale;
  double unit() const { return scale; }
  double operator()(std::uint64_t bits) const { return bits >> 63 == 0 ? scale : -scale; }
};

/// Not zero with probability 1/s: the sign is the first bit, the others decide.
struct SparseRademacher {
  static constexpr bool dense = false;
  double scale;
  double probability;
  double unit() const { return scale; }
  double operator()(std::uint64_t bits) const {
    const double uniform = static_cast<double>((bits & 0x7fffffffffffffffU) >> 10) * 0x1.0p-53;
    if (uniform >= probability) return 0.0;
    return bits >> 63 == 0 ? scale : -scale;
  }
};

template <typename Coefficient>
std::unique_ptr<Projection> independent(const ProjectionSetting& setting, const Stream& stream,
                                        Coefficient coefficient) {
  return std::make_unique<IndependentCoefficients<Coefficient>>(setting, stream, coefficient);
}

}  // namespace

std::unique_ptr<Projection> gaussian_projection(const ProjectionSetting& setting, const Stream& stream) {
  return independent(setting, stream, Gaussian{1.0 / std::sqrt(static_cast<double>(setting.size))});
}

std::unique_ptr<Projection> rademacher_projection(const ProjectionSetting& setting, const Stream& stream) {
  const auto size = static_cast<double>(setting.size);
  if (setting.sparsity == 1.0) return independent(setting, stream, Rademacher{1.0 / std::sqrt(size)});
  return independent(setting, stream,
                     SparseRademacher{std::sqrt(setting.sparsity / size), 1.0 / setting.sparsity});
}

}  // namespace coppice

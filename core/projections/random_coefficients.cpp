#include "core/projections/random_coefficients.h"

#include <array>
#include <cmath>

#include "core/base/mix.h"
#include "core/base/wide_vectors.h"
#include "core/projections/normal_multiples.h"

namespace coppice {

namespace {

/// N(0, scale²), rounded to a power of two between a 512th and a 256th of the deviation.
struct Gaussian {
  static constexpr bool dense = true;
  double scale;
  double unit() const { return std::ldexp(1.0, std::ilogb(scale) - 8); }
  void operator()(std::span<const std::uint32_t> bits, std::span<std::int32_t> multiples) const {
    normal_multiples(bits, static_cast<float>(scale / unit()), multiples);
  }
};

/// ±scale.
struct Rademacher {
  static constexpr bool dense = true;
  double scale;
  double unit() const { return scale; }
  void operator()(std::span<const std::uint32_t> bits, std::span<std::int32_t> multiples) const {
    for (std::size_t i = 0; i < bits.size(); ++i) multiples[i] = bits[i] >> 31 == 0 ? 1 : -1;
  }
};

/// ±scale with a probability: the sign is the first bit, the others decide.
struct SparseRademacher {
  static constexpr bool dense = false;
  double scale;
  double probability;
  double unit() const { return scale; }
  void operator()(std::span<const std::uint32_t> bits, std::span<std::int32_t> multiples) const {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::int32_t chosen = (bits[i] & 0x7fffffffU) * 0x1.0p-31 < probability ? 1 : 0;
      multiples[i] = bits[i] >> 31 == 0 ? chosen : -chosen;
    }
  }
};

/// Words of a column are made so many at a time.
constexpr std::size_t words_at_once = 8;

/// Random words number 0, 1… of a column: a hash of the key of the stream, the column and the number of the
/// word.
COPPICE_WIDEST_VECTORS
void hash_words(const std::array<std::uint64_t, 2>& key, std::uint64_t column, std::size_t count,
                std::uint64_t* words) {
  // The numbers of a column's words begin 2^32 after those of the column before.
  const std::uint64_t before = key[0] + (column << 32) * mix_step;
  const std::uint64_t second = key[1];
  for (std::size_t begin = 0; begin < count; begin += words_at_once)
    for (std::size_t i = begin; i < begin + words_at_once; ++i)
      words[i] = mix((before + (i + 1) * mix_step) ^ second);
}

/// A matrix of independent coefficients, two from each word of the column of an output, that of the lower
/// half first.
template <typename Coefficient>
class IndependentCoefficients : public Projection {
 public:
  IndependentCoefficients(const ProjectionSetting& setting, const Stream& stream, Coefficient coefficient)
      : Projection(setting.size, setting.outputs), key_(stream.key()), coefficient_(coefficient) {}

  double unit() const override { return coefficient_.unit(); }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = Coefficient::dense;
    column.components.clear();
    column.values.clear();
    std::vector<std::int32_t> whole(size());
    multiples(output, whole);
    const double unit = this->unit();
    for (std::uint32_t c = 0; c < size(); ++c) {
      if (!Coefficient::dense && whole[c] == 0) continue;
      if (!Coefficient::dense) column.components.push_back(c);
      column.values.push_back(unit * whole[c]);
    }
  }

  void multiples(std::uint32_t first, std::span<std::int32_t> values) const override {
    const std::size_t words = (size() + 1) / 2;
    std::vector<std::uint64_t> made((words + words_at_once - 1) / words_at_once * words_at_once);
    std::vector<std::uint32_t> bits(values.size() + 1);
    for (std::size_t begin = 0; begin < values.size(); begin += size(), ++first) {
      hash_words(key_, first, words, made.data());
      for (std::size_t w = 0; w < words; ++w) {
        bits[begin + 2 * w] = static_cast<std::uint32_t>(made[w]);
        bits[begin + 2 * w + 1] = static_cast<std::uint32_t>(made[w] >> 32);
      }
    }
    coefficient_(std::span(bits).first(values.size()), values);
  }

 private:
  std::array<std::uint64_t, 2> key_;
  Coefficient coefficient_;
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

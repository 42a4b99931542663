#include "core/projections/selected_outputs.h"

#include <algorithm>
#include <cmath>

#include "core/projections/draw_rows.h"

namespace coppice {

namespace {

class Subsample : public Projection {
 public:
  Subsample(const ProjectionSetting& setting, const Stream& stream)
      : Projection(setting.size, setting.outputs),
        scale_(std::sqrt(static_cast<double>(setting.outputs) / static_cast<double>(setting.size))) {
    std::vector<std::uint32_t> drawn;
    if (setting.replacement) {
      Stream draws = stream;
      for (std::size_t c = 0; c < setting.size; ++c)
        drawn.push_back(static_cast<std::uint32_t>(draws.below(setting.outputs)));
    } else {
      drawn = draw_without_replacement(setting.size, setting.outputs, stream);
    }
    for (std::uint32_t c = 0; c < drawn.size(); ++c) chosen_.push_back({drawn[c], c});
    std::sort(chosen_.begin(), chosen_.end());
  }

  double unit() const override { return scale_; }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = false;
    column.components.clear();
    const auto first = std::lower_bound(chosen_.begin(), chosen_.end(), std::pair{output, std::uint32_t{0}});
    for (auto each = first; each != chosen_.end() && each->first == output; ++each)
      column.components.push_back(each->second);
    column.values.assign(column.components.size(), scale_);
  }

 private:
  double scale_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen_;  ///< output and component, sorted
};

class Hashing : public Projection {
 public:
  Hashing(const ProjectionSetting& setting, const Stream& stream)
      : Projection(setting.size, setting.outputs), key_(stream.key()) {}

  double unit() const override { return 1.0; }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    const auto bits = Stream::philox({0, output, 0, 0}, key_);
    // The high word of a product: uniform but for less than size / 2^64.
    const auto component = static_cast<unsigned __int128>(bits[0]) * size() >> 64;
    column.dense = false;
    column.components.assign(1, static_cast<std::uint32_t>(component));
    column.values.assign(1, bits[1] >> 63 == 0 ? 1.0 : -1.0);
  }

 private:
  std::array<std::uint64_t, 2> key_;
};

class Identity : public Projection {
 public:
  explicit Identity(const ProjectionSetting& setting) : Projection(setting.size, setting.outputs) {}

  double unit() const override { return 1.0; }

  void column(std::uint32_t output, ProjectionColumn& column) const override {
    column.dense = false;
    column.components.assign(1, output);
    column.values.assign(1, 1.0);
  }
};

}  // namespace

std::unique_ptr<Projection> subsample_projection(const ProjectionSetting& setting, const Stream& stream) {
  return std::make_unique<Subsample>(setting, stream);
}

std::unique_ptr<Projection> hashing_projection(const ProjectionSetting& setting, const Stream& stream) {
  return std::make_unique<Hashing>(setting, stream);
}

std::unique_ptr<Projection> identity_projection(const ProjectionSetting& setting) {
  return std::make_unique<Identity>(setting);
}

}  // namespace coppice

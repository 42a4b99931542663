#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "experiments/tuning/search.h"

namespace coppice {

namespace {

/// A density on [0, 1]: parabolic kernels (Epanechnikov) around what was observed and a uniform one, cut off
/// at the ends. Made of polynomials, so that it is the same on every machine.
class ParzenDensity {
 public:
  explicit ParzenDensity(std::vector<double> centres) : centres_(std::move(centres)) {
    std::sort(centres_.begin(), centres_.end());
    const double narrowest = 1.0 / std::min(100.0, static_cast<double>(centres_.size()) + 1.0);
    for (std::size_t i = 0; i < centres_.size(); ++i) {
      const double below = i == 0 ? centres_[i] : centres_[i] - centres_[i - 1];
      const double above = i + 1 == centres_.size() ? 1.0 - centres_[i] : centres_[i + 1] - centres_[i];
      widths_.push_back(std::clamp(2.0 * std::max(below, above), narrowest, 1.0));
    }
  }

  double at(double x) const {
    double sum = 1.0;  // the uniform part
    for (std::size_t i = 0; i < centres_.size(); ++i) {
      const double t = (x - centres_[i]) / widths_[i];
      if (std::abs(t) < 1.0) sum += 0.75 * (1.0 - t * t) / (widths_[i] * mass(i));
    }
    return sum / (static_cast<double>(centres_.size()) + 1.0);
  }

  double draw(Stream& stream) const {
    const std::size_t part = stream.below(centres_.size() + 1);
    if (part == centres_.size()) return stream.uniform();
    while (true) {
      // Of three uniform numbers the one that is second in size, or third: has the parabolic density.
      const double a = stream.uniform(-1.0, 1.0);
      const double b = stream.uniform(-1.0, 1.0);
      const double c = stream.uniform(-1.0, 1.0);
      const double t = std::abs(c) >= std::abs(b) && std::abs(c) >= std::abs(a) ? b : c;
      const double x = centres_[part] + widths_[part] * t;
      if (x >= 0.0 && x <= 1.0) return x;
    }
  }

 private:
  static double distribution(double t) {
    if (t <= -1.0) return 0.0;
    return t >= 1.0 ? 1.0 : 0.5 + 0.75 * (t - t * t * t / 3.0);
  }
  /// How much of a kernel lies inside [0, 1].
  double mass(std::size_t i) const {
    return distribution((1.0 - centres_[i]) / widths_[i]) - distribution(-centres_[i] / widths_[i]);
  }

  std::vector<double> centres_;
  std::vector<double> widths_;
};

/// The tree-structured Parzen estimator (Bergstra et al. 2011): settings near good ones and far from the
/// others, by one density of the good and one of the rest for each parameter.
class TreeParzenSearch : public Search {
 public:
  TreeParzenSearch(int trials, const SearchSpace& space, const Stream& stream)
      : trials_(static_cast<std::size_t>(trials)), space_(space), stream_(stream) {}

  std::vector<Proposal> next(std::span<const ProposalScore> so_far) override {
    const std::size_t at_random = std::min(trials_, std::max<std::size_t>(5, trials_ / 4));
    std::vector<Proposal> proposals;
    if (so_far.empty())
      for (std::size_t i = 0; i < at_random; ++i)
        proposals.push_back({space_.sample(stream_.at("setting", i)), 1.0, std::nullopt});
    else if (so_far.size() < trials_)
      proposals.push_back({best_guess(so_far), 1.0, std::nullopt});
    return proposals;
  }

 private:
  static constexpr double good_share = 0.2;
  static constexpr std::size_t guesses = 24;

  Parameters best_guess(std::span<const ProposalScore> so_far) const {
    std::vector<const ProposalScore*> order;
    for (const ProposalScore& score : so_far) order.push_back(&score);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->score > b->score; });
    const auto good = std::max<std::size_t>(
        2, static_cast<std::size_t>(std::ceil(good_share * static_cast<double>(order.size()))));
    std::vector<Parameters> drawn(guesses, space_.base());
    std::vector<double> merit(guesses, 0.0);
    const Stream here = stream_.at("guess", so_far.size());
    for (const SpaceAxis& axis : space_.axes) {
      Stream stream = here.at("parameter", std::string_view(axis.parameter));
      const auto first = std::span(order).first(std::min(good, order.size()));
      const auto rest = std::span(order).subspan(first.size());
      for (std::size_t i = 0; i < guesses; ++i)
        merit[i] += axis.kind == ValueAxis::Kind::list ? guess_listed(axis, first, rest, stream, drawn[i])
                                                       : guess_number(axis, first, rest, stream, drawn[i]);
    }
    return drawn[static_cast<std::size_t>(std::max_element(merit.begin(), merit.end()) - merit.begin())];
  }

  /// Draws a value as frequent among the good ones, and returns the logarithm of how much more frequent it is
  /// there than among the rest.
  static double guess_listed(const SpaceAxis& axis, std::span<const ProposalScore* const> good,
                             std::span<const ProposalScore* const> rest, Stream& stream,
                             Parameters& parameters) {
    const auto frequencies = [&](std::span<const ProposalScore* const> scores) {
      std::vector<double> counts(axis.values.size(), 1.0);
      for (const ProposalScore* score : scores)
        for (std::size_t v = 0; v < axis.values.size(); ++v)
          if (score->proposal.parameters.values().at(axis.parameter) == axis.values[v]) counts[v] += 1.0;
      for (double& count : counts) count /= static_cast<double>(scores.size() + axis.values.size());
      return counts;
    };
    const std::vector<double> wanted = frequencies(good);
    double left = stream.uniform();
    std::size_t chosen = 0;
    while (chosen + 1 < wanted.size() && left >= wanted[chosen]) left -= wanted[chosen++];
    parameters.set(axis.parameter, axis.values[chosen]);
    return portable_log(wanted[chosen] / frequencies(rest)[chosen]);
  }

  static double guess_number(const SpaceAxis& axis, std::span<const ProposalScore* const> good,
                             std::span<const ProposalScore* const> rest, Stream& stream,
                             Parameters& parameters) {
    const auto density = [&](std::span<const ProposalScore* const> scores) {
      std::vector<double> positions;
      for (const ProposalScore* score : scores)
        positions.push_back(axis.position_of(score->proposal.parameters.number(axis.parameter)));
      return ParzenDensity(std::move(positions));
    };
    const ParzenDensity wanted = density(good);
    const double position = wanted.draw(stream);
    parameters.set_number(axis.parameter, axis.value_at(position));
    return portable_log(wanted.at(position) / density(rest).at(position));
  }

  std::size_t trials_;
  SearchSpace space_;
  Stream stream_;
};

}  // namespace

std::unique_ptr<Search> make_tree_parzen(int trials, const SearchSpace& space, const Stream& stream) {
  return std::make_unique<TreeParzenSearch>(trials, space, stream);
}

}  // namespace coppice

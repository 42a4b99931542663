// Losses: gradients against finite differences, constants and steps against brute force.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/losses/line_search.h"
#include "core/losses/loss.h"

namespace {

using namespace coppice;

/// One output of some rows, scores that a model has reached, and a direction of few different values.
struct LossCase {
  std::vector<double> values;
  std::vector<std::uint32_t> positives;
  std::vector<std::uint32_t> group;
  std::vector<double> told;
  std::vector<double> rows;
  std::vector<double> moves;  ///< of each group, which the scores have been moved by
  bool labels = false;

  LossCase(bool with_labels, std::size_t count, std::size_t groups, double share, std::uint64_t seed)
      : labels(with_labels) {
    Stream stream = Stream(seed).at("loss");
    for (std::uint32_t row = 0; row < count; ++row) {
      values.push_back(3.0 * stream.normal());
      if (stream.uniform() < share) positives.push_back(row);
      group.push_back(static_cast<std::uint32_t>(stream.below(groups)));
    }
    for (std::size_t g = 0; g < groups; ++g) {
      told.push_back(stream.normal());
      moves.push_back(stream.normal());
    }
    for (const std::uint32_t g : group) rows.push_back(told[g]);
  }

  LossTargets targets() const {
    return labels ? LossTargets::label(positives, group.size()) : LossTargets::real(values, 1.5);
  }
  StepDirection direction() const { return {group, told, rows}; }
  std::vector<std::byte> state(const Loss& loss, double score) const {
    std::vector<std::byte> made(group.size() * loss.state_bytes());
    loss.start(targets(), score, made);
    loss.move(targets(), group, moves, made);
    return made;
  }
  /// The loss of scores that are moved along the direction, from the definition of the loss.
  double brute(const Loss& loss, double score, double place) const {
    double sum = 0.0;
    targets().each(0, group.size(), loss.description().low, loss.description().high,
                   [&](std::size_t row, double target) {
                     sum += loss.value(target, score + moves[group[row]] + place * rows[row], 1.5);
                   });
    return sum;
  }
};

/// Every loss on every kind of output it is for.
template <typename Body>
void for_each_loss(const Body& body) {
  for (const auto& loss : losses())
    for (const bool labels : {false, true}) {
      if (!(labels ? loss->description().labels : loss->description().real)) continue;
      CAPTURE(loss->description().name);
      CAPTURE(labels);
      body(*loss, labels);
    }
}

double golden_section(const std::function<double(double)>& function, double low, double high) {
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  for (int i = 0; i < 200; ++i) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    (function(a) <= function(b) ? high : low) = function(a) <= function(b) ? b : a;
  }
  return 0.5 * (low + high);
}

}  // namespace

TEST_CASE("the negative gradient of a loss is minus its finite difference") {
  for_each_loss([](const Loss& loss, bool) {
    const LossDescription& about = loss.description();
    const double targets[] = {about.low, about.high, 0.3, -2.0};
    for (std::size_t t = 0; t < (about.real ? 4U : 2U); ++t)
      for (double score = -3.06; score < 3.1; score += 0.35) {
        const double y = targets[t];
        constexpr double h = 1e-6;
        const double slope = (loss.value(y, score + h, 1.5) - loss.value(y, score - h, 1.5)) / (2 * h);
        CHECK(-slope == doctest::Approx(loss.negative_gradient(y, score, 1.5)).epsilon(1e-6));
      }
  });
}

TEST_CASE("the state of a loss keeps scores, gradients and totals") {
  for_each_loss([](const Loss& loss, bool labels) {
    const LossCase data(labels, 203, 5, 0.3, 4);
    const auto state = data.state(loss, 0.4);
    const double digits = loss.state_bytes() == sizeof(float) ? 1e-6 : 1e-12;
    CHECK(loss.total(data.targets(), state) == doctest::Approx(data.brute(loss, 0.4, 0.0)).epsilon(digits));
    std::vector<double> gradients(150);
    loss.gradients(data.targets(), state, 40, gradients);
    data.targets().each(40, 190, loss.description().low, loss.description().high,
                        [&](std::size_t row, double target) {
                          const double score = 0.4 + data.moves[data.group[row]];
                          const double expected = loss.negative_gradient(target, score, 1.5);
                          CHECK(gradients[row - 40] == doctest::Approx(expected).epsilon(digits));
                        });
    std::vector<double> all(203);
    loss.gradients(data.targets(), state, 0, all);
    std::vector<double> sums(203, 0.25);
    loss.add_gradients(data.targets(), state, -3.0, sums);
    for (std::size_t row = 0; row < 203; ++row)
      CHECK(sums[row] == doctest::Approx(0.25 - 3.0 * all[row]).epsilon(digits));
  });
}

TEST_CASE("the constant of a loss is the best score for all rows alike") {
  for_each_loss([](const Loss& loss, bool labels) {
    for (const double share : {0.5, 0.07, 0.9}) {
      const LossCase data(labels, 101, 3, share, 5);
      const auto total = [&](double score) {
        std::vector<std::byte> state(101 * loss.state_bytes());
        loss.start(data.targets(), score, state);
        return loss.total(data.targets(), state);
      };
      const double best = total(golden_section(total, -20.0, 20.0));
      CHECK(total(loss.constant(data.targets())) <= best * (1.0 + 1e-8));
    }
  });
}

TEST_CASE("the step of a loss is the best one along the direction") {
  for_each_loss([](const Loss& loss, bool labels) {
    // The last two are as imbalanced as rare labels are.
    for (const double share : {0.5, 0.1, 0.004, 0.999})
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(share);
        CAPTURE(seed);
        LossCase data(labels, 1001, seed == 3 ? 11 : 4, share, seed);
        if (data.positives.empty()) data.positives.push_back(7);
        if (data.positives.size() == 1001) data.positives.pop_back();
        const auto state = data.state(loss, 0.2);
        const double step = loss.step(data.targets(), state, data.direction());
        const auto total = [&](double place) { return data.brute(loss, 0.2, place); };
        double reach = 20.0;
        if (labels && loss.description().name != "square" && loss.description().name != "hinge") {
          reach = 0.0;
          for (const double told : data.told) reach = std::max(reach, std::abs(told));
          reach = Loss::most_move / reach;
          CHECK(std::abs(step) <= reach);
        }
        const double best = golden_section(total, -reach, reach);
        // A ten-thousandth of the step is a hundred-millionth of what it gains.
        CHECK(total(step) <= total(best) + 1e-7 * (total(0.0) - total(best)) + 1e-10 * total(best));
        CHECK(total(step) <= total(0.0));
      }
  });
}

TEST_CASE("a label that all rows have, or none, has a finite constant and stays there") {
  for (const auto& loss : losses()) {
    if (!loss->description().labels) continue;
    CAPTURE(loss->description().name);
    for (const bool all : {false, true}) {
      LossCase data(true, 50, 3, all ? 2.0 : -1.0, 6);
      const double constant = loss->constant(data.targets());
      CHECK(std::isfinite(constant));
      CHECK((loss->prediction(constant) > 0.5) == all);
      std::vector<std::byte> state(50 * loss->state_bytes());
      loss->start(data.targets(), constant, state);
      std::vector<double> gradients(50, 1.0);
      loss->gradients(data.targets(), state, 0, gradients);
      for (const double gradient : gradients) CHECK(gradient == 0.0);
      CHECK(loss->step(data.targets(), state, data.direction()) == 0.0);
    }
  }
}

TEST_CASE("the logistic state does not run out of digits") {
  const Loss& loss = find_loss("logistic");
  const std::vector<std::uint32_t> group{0, 1};
  const std::vector<std::uint32_t> positives{0};
  const auto targets = LossTargets::label(positives, 2);
  std::vector<std::byte> state(2 * loss.state_bytes());
  const auto kept = numbers_of<float>(std::span<const std::byte>(state));
  loss.start(targets, 0.0, state);
  for (int i = 0; i < 3; ++i) loss.move(targets, group, std::vector<double>{9.5, -9.5}, state);
  for (const float near : kept) CHECK(std::abs(near) == doctest::Approx(std::exp(-57.0)).epsilon(1e-5));
  for (int i = 0; i < 3; ++i) loss.move(targets, group, std::vector<double>{-9.5, 9.5}, state);
  for (const float near : kept) CHECK(std::abs(near) == doctest::Approx(0.5).epsilon(1e-5));
  for (int i = 0; i < 100; ++i) loss.move(targets, group, std::vector<double>{9.5, -9.5}, state);
  for (const float near : kept) CHECK((std::isfinite(near) && near != 0.0F));
  CHECK(std::isfinite(loss.total(targets, state)));
}

TEST_CASE("a nearly certain logistic model still knows which way to go") {
  // All rows are right by a score of 12, odds of e^24, but one of the others; a third of the labels would be
  // lost in sums of the probabilities themselves.
  const Loss& loss = find_loss("logistic");
  std::vector<std::uint32_t> group;
  std::vector<std::uint32_t> positives;
  for (std::uint32_t row = 0; row < 1003; ++row) {
    group.push_back(row % 3 == 0 ? 0 : 1);
    if (row % 3 == 0) positives.push_back(row);
  }
  const auto targets = LossTargets::label(positives, group.size());
  std::vector<std::byte> state(group.size() * loss.state_bytes());
  loss.start(targets, 0.0, state);
  loss.move(targets, group, std::vector<double>{6.0, -6.0}, state);
  loss.move(targets, group, std::vector<double>{6.0, -6.0}, state);
  const double before = loss.total(targets, state);
  CHECK(before == doctest::Approx(1003.0 * std::log1p(std::exp(-24.0))).epsilon(1e-5));
  // Along what raises the labelled rows by 1 and the others by 3/4, the best step lowers both.
  const std::vector<double> told{1.0, 0.75};
  std::vector<double> rows;
  for (const std::uint32_t g : group) rows.push_back(told[g]);
  const double step = loss.step(targets, state, {group, told, rows});
  const auto total = [&](double place) {
    return 335.0 * loss.value(1.0, 12.0 + place, 0.0) + 668.0 * loss.value(-1.0, -12.0 + 0.75 * place, 0.0);
  };
  CHECK(total(step) <= total(golden_section(total, -10.0, 10.0)) * (1.0 + 1e-7));
  CHECK(step < 0.0);
}

TEST_CASE("a logistic step does not depend on how many groups a direction has room for") {
  // Groups without rows change nothing but the loops that are taken.
  const Loss& loss = find_loss("logistic");
  for (const std::size_t rows : {5U, 8U, 255U, 256U, 1001U}) {
    LossCase data(true, rows, 4, 0.3, 8);
    if (data.positives.empty()) data.positives.push_back(1);
    auto few = data.state(loss, 0.1);
    auto many = few;
    std::vector<double> told = data.told;
    std::vector<double> moves = data.moves;
    told.resize(20, 0.0);
    moves.resize(20, 0.0);
    CHECK(loss.step(data.targets(), few, data.direction()) ==
          loss.step(data.targets(), few, {data.group, told, data.rows}));
    loss.move(data.targets(), data.group, data.moves, few);
    loss.move(data.targets(), data.group, moves, many);
    CHECK(few == many);
  }
}

TEST_CASE("predictions of label losses are a half where a label becomes the better guess") {
  for (const auto& loss : losses()) {
    const LossDescription& about = loss->description();
    if (!about.labels) continue;
    CHECK(loss->prediction(0.5 * (about.low + about.high)) == doctest::Approx(0.5));
    CHECK(loss->prediction(1.0) > loss->prediction(-1.0));
    CHECK(std::isfinite(loss->prediction(1e6)));
    CHECK(std::isfinite(loss->prediction(-1e6)));
  }
}

TEST_CASE("line searches find minima where derivatives nearly vanish") {
  // (x - 3)^4: both derivatives are 0 at the minimum.
  const double flat = minimise_convex(
      [](double x) {
        const double d = x - 3.0;
        return Derivatives{4 * d * d * d, 12 * d * d, 24 * d};
      },
      100.0, 0.0);
  CHECK(flat == doctest::Approx(3.0).epsilon(1e-2));
  // sqrt(1 + x²) from afar: Newton's method alone diverges.
  const double steep = minimise_convex(
      [](double x) {
        const double d = x - 50.0;
        const double root = std::sqrt(1.0 + d * d);
        return Derivatives{d / root, 1.0 / (root * root * root), 0.0};
      },
      1000.0, 0.0);
  CHECK(steep == doctest::Approx(50.0).epsilon(1e-3));
  // Falls to the end of the range.
  CHECK(minimise_convex(
            [](double x) {
              return Derivatives{-std::exp(-x), std::exp(-x), -std::exp(-x)};
            },
            4.0, 1.0) == 4.0);
  CHECK(brent_root([](double x) { return x * x * x - 2.0; }, 0.0, 9.0) ==
        doctest::Approx(std::cbrt(2.0)).epsilon(1e-9));
  std::vector<Bend> bends{{4.0, 2.0}, {1.0, 2.0}, {2.0, 2.0}, {9.0, 2.0}};
  CHECK(minimise_piecewise_linear(bends, -4.0) == 3.0);
}

TEST_CASE(
    "the minimum of a piecewise linear function is where its slope changes sign, or in the middle of the "
    "flat") {
  Stream stream = Stream(11).at("bends");
  for (int trial = 0; trial < 2000; ++trial) {
    // Whole numbers, so that ties, flat parts and functions that never rise are common.
    std::vector<Bend> bends(1 + stream.below(12));
    double rise = 0.0;
    for (Bend& bend : bends) {
      bend = {static_cast<double>(stream.below(7)) - 3.0, 1.0 + static_cast<double>(stream.below(3))};
      rise += bend.change;
    }
    const double first = -1.0 - static_cast<double>(stream.below(static_cast<std::uint64_t>(rise) + 2));
    // Walks through the bends in order: the flat part, if the slope is 0 after one of them.
    std::vector<Bend> sorted = bends;
    std::ranges::sort(sorted, {}, &Bend::place);
    double slope = first;
    double expected = std::max(0.0, sorted.back().place);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      slope += sorted[i].change;
      if (slope < 0.0) continue;
      if (slope > 0.0) expected = sorted[i].place;
      if (slope == 0.0 && i + 1 < sorted.size()) expected = 0.5 * (sorted[i].place + sorted[i + 1].place);
      break;
    }
    CHECK(minimise_piecewise_linear(bends, first) == expected);
  }
}

TEST_CASE("losses are found by name") {
  CHECK(find_loss("huber").description().real);
  CHECK_THROWS_AS(find_loss("logstic"), Error);
  try {
    find_loss("logstic");
  } catch (const Error& error) {
    CHECK(error.message().find("did you mean logistic") != std::string::npos);
  }
}

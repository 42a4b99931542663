#include "core/projections/projection.h"

#include <bit>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/projections/draw_rows.h"
#include "core/projections/hadamard.h"
#include "core/projections/output_columns.h"
#include "core/projections/projection_table.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// Φ as rows of components, from its columns.
std::vector<std::vector<double>> matrix(const Projection& projection) {
  std::vector<std::vector<double>> rows(projection.size(), std::vector<double>(projection.outputs(), 0.0));
  ProjectionColumn column;
  for (std::uint32_t output = 0; output < projection.outputs(); ++output) {
    projection.column(output, column);
    for (std::size_t i = 0; i < column.values.size(); ++i)
      rows[column.dense ? i : column.components[i]][output] += column.values[i];
  }
  return rows;
}

std::unique_ptr<Projection> make(const std::string& name, ProjectionSetting setting, std::uint64_t seed = 1) {
  return projection_kind(name).make(setting, Stream(seed), Context{});
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// All coefficients in one list, after a function of each.
template <typename Function>
std::vector<double> coefficients(const Projection& projection, const Function& function) {
  std::vector<double> all;
  for (const auto& row : matrix(projection))
    for (const double value : row) all.push_back(function(value));
  return all;
}

}  // namespace

TEST_CASE("gaussian coefficients have mean 0, variance 1/q and the kurtosis of a normal") {
  const std::size_t q = 25;
  const auto projection = make("gaussian", {.size = q, .outputs = 8000});
  const double n = 25.0 * 8000.0;
  const auto scaled = [&](double value) { return value * std::sqrt(static_cast<double>(q)); };
  CHECK(std::abs(mean(coefficients(*projection, scaled))) < 4.0 / std::sqrt(n));
  CHECK(mean(coefficients(*projection, [&](double v) { return std::pow(scaled(v), 2); })) ==
        doctest::Approx(1.0).epsilon(4.0 * std::sqrt(2.0 / n)));
  CHECK(mean(coefficients(*projection, [&](double v) { return std::pow(scaled(v), 4); })) ==
        doctest::Approx(3.0).epsilon(4.0 * std::sqrt(96.0 / n) / 3.0));
}

TEST_CASE("rademacher kinds have the values and the shares that the thesis gives") {
  struct Case {
    std::string name;
    double sparsity;
  };
  for (const Case& each :
       {Case{"rademacher", 1.0}, Case{"achlioptas", 3.0}, Case{"sparse-rademacher", 20.0}}) {
    CAPTURE(each.name);
    ProjectionSetting setting{.size = 10, .outputs = 20000};
    setting.sparsity = 20.0;
    const auto projection = make(each.name, setting);
    const double expected = std::sqrt(each.sparsity / 10.0);
    const auto kind = [&](double value) {
      REQUIRE((value == 0.0 || std::abs(std::abs(value) - expected) < 1e-12));
      return value;
    };
    const double n = 200000.0;
    CHECK(std::abs(mean(coefficients(*projection, kind))) < 4.0 * std::sqrt(0.1 / n));
    const double share = mean(coefficients(*projection, [](double v) { return v == 0.0 ? 0.0 : 1.0; }));
    CHECK(std::abs(share - 1.0 / each.sparsity) < 4.0 * std::sqrt(0.25 / n));
  }
}

TEST_CASE("a coefficient depends on the stream, its component and its output only") {
  for (const std::string name : {"gaussian", "rademacher", "achlioptas", "sparse-rademacher"}) {
    CAPTURE(name);
    // A quarter of the components is twice the deviation, exactly: what is rounded is the same number.
    const auto large = matrix(*make(name, {.size = 28, .outputs = 300, .sparsity = 5.0}));
    const auto small = matrix(*make(name, {.size = 7, .outputs = 40, .sparsity = 5.0}));
    for (std::size_t c = 0; c < 7; ++c)
      for (std::size_t j = 0; j < 40; ++j) CHECK(2.0 * large[c][j] == small[c][j]);
    CHECK(matrix(*make(name, {.size = 28, .outputs = 300, .sparsity = 5.0}, 2)) != large);
  }
}

TEST_CASE("the first coefficients of a stream never change") {
  // Made in Python: the key (a, b) of Stream(42), the words mix((a + (2^32 · output + component / 2 + 1) ·
  // step) xor b) with two coefficients each, and scipy.stats.norm.ppf of the middle of the cell, rounded to
  // the unit.
  const auto small = matrix(*make("gaussian", {.size = 2, .outputs = 3}, 42));
  CHECK(small[0][0] == 0.38671875);
  CHECK(small[1][2] == -0.078125);
  const auto large = matrix(*make("gaussian", {.size = 12, .outputs = 983}, 42));
  CHECK(large[9][5] == 0.0400390625);
  CHECK(large[11][982] == 0.015625);
}

TEST_CASE("hadamard rows are different, orthogonal rows of the Hadamard matrix") {
  const auto rows = matrix(*make("hadamard", {.size = 16, .outputs = 16}));
  for (std::size_t a = 0; a < 16; ++a)
    for (std::size_t b = 0; b < 16; ++b) {
      double product = 0.0;
      for (std::size_t j = 0; j < 16; ++j) product += rows[a][j] * rows[b][j];
      CHECK(product == doctest::Approx(a == b ? 1.0 : 0.0));
    }
}

TEST_CASE("the fast transform is the product with the Hadamard matrix") {
  std::vector<double> values;
  Stream stream(3);
  for (int i = 0; i < 32; ++i) values.push_back(stream.normal());
  std::vector<double> fast = values;
  fast_walsh_hadamard(fast);
  for (std::uint32_t i = 0; i < 32; ++i) {
    double slow = 0.0;
    for (std::uint32_t j = 0; j < 32; ++j) slow += (std::popcount(i & j) % 2 == 0 ? 1.0 : -1.0) * values[j];
    CHECK(fast[i] == doctest::Approx(slow));
  }
}

TEST_CASE("a row by the fast transform equals the row by columns") {
  const auto projection = make("hadamard", {.size = 40, .outputs = 50});
  Stream stream(5);
  std::vector<double> row;
  for (int j = 0; j < 50; ++j) row.push_back(stream.normal());
  std::vector<double> fast(40);
  REQUIRE(projection->project_row(row, fast));
  const auto rows = matrix(*projection);
  for (std::size_t c = 0; c < 40; ++c) {
    double slow = 0.0;
    for (std::size_t j = 0; j < 50; ++j) slow += rows[c][j] * row[j];
    CHECK(fast[c] == doctest::Approx(slow));
  }
}

TEST_CASE("subsample takes outputs, each once without replacement") {
  const auto rows = matrix(*make("subsample", {.size = 30, .outputs = 30}));
  std::set<std::size_t> seen;
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0.0) {
        CHECK(row[j] == 1.0);
        CHECK(seen.insert(j).second);
      }
  CHECK(seen.size() == 30);
  const auto some = matrix(*make("subsample", {.size = 5, .outputs = 20}));
  for (const auto& row : some) {
    CHECK(std::count(row.begin(), row.end(), 0.0) == 19);
    CHECK(*std::max_element(row.begin(), row.end()) == doctest::Approx(2.0));
  }
  ProjectionSetting often{.size = 200, .outputs = 20};
  often.replacement = true;
  for (const auto& row : matrix(*make("subsample", often)))
    CHECK(std::count(row.begin(), row.end(), 0.0) == 19);
}

TEST_CASE("drawing without replacement is uniform over positions and numbers") {
  std::vector<int> counts(6 * 3, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto drawn = draw_without_replacement(3, 6, Stream(seed));
    REQUIRE(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size() == 3);
    for (std::size_t i = 0; i < 3; ++i) ++counts[drawn[i] * 3 + i];
  }
  for (const int count : counts) CHECK(std::abs(count - 500) < 5 * 21);
}

TEST_CASE("hashing sends each output with a sign to one component, evenly") {
  const auto projection = make("hashing", {.size = 10, .outputs = 20000});
  std::vector<int> load(10, 0);
  int positive = 0;
  ProjectionColumn column;
  for (std::uint32_t output = 0; output < 20000; ++output) {
    projection->column(output, column);
    REQUIRE(column.components.size() == 1);
    REQUIRE(std::abs(column.values[0]) == 1.0);
    ++load[column.components[0]];
    positive += column.values[0] > 0.0 ? 1 : 0;
  }
  for (const int each : load) CHECK(std::abs(each - 2000) < 5 * 43);
  CHECK(std::abs(positive - 10000) < 5 * 71);
}

TEST_CASE("label sets are projected as the sum of their labels' columns") {
  const auto data = small_dataset(Task::multilabel, {.rows = 50, .outputs = 9});
  const DatasetView half(data, {1, 4, 5, 20, 33, 49});
  const OutputColumns columns(half);
  for (const auto& kind : projection_kinds()) {
    CAPTURE(kind->description().name);
    const bool identity = kind->description().name == "identity";
    ProjectionSetting setting{.size = identity ? 9U : 4U, .outputs = 9, .sparsity = 2.0};
    setting.learned = &columns;
    const auto projection = kind->make(setting, Stream(1), Context{});
    const auto rows = matrix(*projection);
    const auto projected = project(*projection, columns);
    for (const std::uint32_t row : half.rows())
      for (std::size_t c = 0; c < setting.size; ++c) {
        double sum = 0.0;
        for (const std::uint32_t label : data->labels()[row]) sum += rows[c][label];
        CHECK(projected[row * setting.size + c] == doctest::Approx(sum));
      }
    for (std::size_t c = 0; c < setting.size; ++c) CHECK(projected[2 * setting.size + c] == 0.0);
  }
}

TEST_CASE("a table of a projection adds up any number of labels, for any number of components") {
  constexpr std::uint32_t labels = 100;
  LabelSets sets(labels);
  for (const std::uint32_t count : {0U, 1U, 31U, 7U, 32U, 33U, 100U}) {
    std::vector<std::uint32_t> row;
    for (std::uint32_t label = 0; label < count; ++label) row.push_back(labels - 1 - label);
    sets.add_row(row);
  }
  const std::vector<std::uint32_t> rows{0, 1, 2, 4, 5, 6};
  for (const auto& kind : projection_kinds()) {
    for (const std::size_t size : {1U, 7U, 8U, 17U, 32U, 33U, 41U, 100U}) {
      CAPTURE(kind->description().name);
      CAPTURE(size);
      const ProjectionSetting setting{.size = size, .outputs = labels, .sparsity = 3.0};
      if (kind->description().learns || !kind->problem(setting).empty()) continue;
      const auto projection = kind->make(setting, Stream(4), Context{});
      REQUIRE(ProjectionTable::suits(*projection));
      const auto coefficients = matrix(*projection);
      const ProjectionTable table(*projection);
      REQUIRE(table.stride() >= size);
      std::vector<double> shares(labels, 0.0);
      shares[3] = 0.25;
      shares[98] = 1.0;
      const auto mean = table.mean(shares);
      for (std::size_t c = 0; c < size; ++c)
        REQUIRE(std::abs(projection->unit() * mean[c] - 0.25 * coefficients[c][3] - coefficients[c][98]) <=
                0.5 * projection->unit() * (1.0 + 1e-9));
      std::vector<std::int32_t> sums(rows.size() * table.stride(), -1);
      table.add_up(PaddedLabels(sets, rows), rows, sums);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t c = 0; c < table.stride(); ++c) {
          double sum = 0.0;
          for (const std::uint32_t label : sets[rows[i]]) sum += c < size ? coefficients[c][label] : 0.0;
          REQUIRE(projection->unit() * sums[i * table.stride() + c] ==
                  doctest::Approx(sum).epsilon(1e-12).scale(1.0));
        }
    }
  }
}

TEST_CASE("real outputs are multiplied with the matrix") {
  const auto data = small_dataset(Task::regression, {.rows = 20, .outputs = 7});
  const OutputColumns columns{DatasetView(data)};
  for (const auto& kind : projection_kinds()) {
    CAPTURE(kind->description().name);
    ProjectionSetting setting{.size = 7, .outputs = 7, .sparsity = 2.0};
    setting.learned = &columns;
    const auto projection = kind->make(setting, Stream(1), Context{});
    const auto rows = matrix(*projection);
    const auto projected = project(*projection, columns);
    CHECK(projected == project(*projection, data->targets().values()));
    for (std::size_t row = 0; row < 20; ++row)
      for (std::size_t c = 0; c < 7; ++c) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 7; ++j) sum += rows[c][j] * data->targets()[row][j];
        CHECK(projected[row * 7 + c] == doctest::Approx(sum));
      }
  }
}

TEST_CASE("a projection that cannot be made says why") {
  const auto problem = [](const std::string& name, ProjectionSetting setting) {
    return projection_kind(name).problem(setting);
  };
  CHECK(problem("gaussian", {.size = 0, .outputs = 5}) ==
        "size: gaussian projects onto at least 1 component");
  CHECK(problem("gaussian", {.size = 50, .outputs = 5}).empty());
  CHECK(problem("hadamard", {.size = 9, .outputs = 5}) ==
        "size: hadamard gives at most 8 components of 5 outputs (the first power of two that is not below "
        "d), not 9");
  CHECK(problem("hadamard", {.size = 8, .outputs = 5}).empty());
  CHECK(problem("subsample", {.size = 6, .outputs = 5}) ==
        "size: subsample gives at most 5 components of 5 outputs (d without replacement), not 6");
  CHECK(problem("subsample", {.size = 6, .outputs = 5, .replacement = true}).empty());
  CHECK(problem("identity", {.size = 4, .outputs = 5}) ==
        "size: identity keeps all 5 outputs, not 4; leave size out or write size: d");
  CHECK_THROWS_AS(make("pca", {.size = 6, .outputs = 5}), Error);
  CHECK_THROWS_WITH_AS(projection_kind("gausian"),
                       "no projection 'gausian'; did you mean gaussian?; coppice list projections shows them",
                       Error);
}

TEST_CASE("size is rounded to the nearest and identity keeps all outputs") {
  const auto size_of = [](RawParameters raw, double d) {
    const auto parameters = resolve(projection_parameters(), raw, Task::multilabel, {100, 10, d});
    return projection_setting(parameters, static_cast<std::size_t>(d)).size;
  };
  CHECK(size_of({}, 6) == 2);
  CHECK(size_of({}, 983) == 7);
  CHECK(size_of({}, 1) == 1);
  CHECK(size_of({{"size", "ln(d)"}}, 159) == 5);
  CHECK(size_of({{"size", "ln(d)"}}, 3993) == 8);
  CHECK(size_of({{"size", "ln(d)"}}, 1) == 1);
  CHECK(size_of({{"size", "d"}}, 983) == 983);
  CHECK(size_of({{"projection", "identity"}}, 983) == 983);
}

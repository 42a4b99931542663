#include "core/data/prepare/prepare.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/data/encode.h"
#include "core/data/layout.h"
#include "tests/core/data/readers/reading.h"

using namespace coppice;

namespace {

// Golden values of scikit-learn 1.2.1, printed by golden.py beside this file.
const std::vector<double> imputed{1,  0, 2, 5, 3, 0, 4, 5, 3, 2, 3, 5, 10, 0,
                                  -1, 5, 3, 0, 7, 5, 8, 4, 3, 5, 3, 0, 3,  6};
const std::vector<double> standardised{-0.968245837,
                                       -0.5,
                                       -0.383482494,
                                       0,
                                       -0.322748612,
                                       -0.5,
                                       0.383482494,
                                       0,
                                       -0.322748612,
                                       2,
                                       0,
                                       0,
                                       1.93649167,
                                       -0.5,
                                       -1.53392998,
                                       0,
                                       -0.322748612,
                                       -0.5,
                                       1.53392998,
                                       0,
                                       1.29099445,
                                       4.5,
                                       0,
                                       0,
                                       -0.322748612,
                                       -0.5,
                                       0,
                                       1};
const std::vector<double> unit{0.182574186, 0,           0.365148372,   0.912870929, 0.424264069, 0,
                               0.565685425, 0.707106781, 0.437594974,   0.291729983, 0.437594974, 0.729324957,
                               0.890870806, 0,           -0.0890870806, 0.445435403, 0.32929278,  0,
                               0.76834982,  0.5488213,   0.749268649,   0.374634325, 0.280975743, 0.468292906,
                               0.40824829,  0,           0.40824829,    0.816496581};
const std::vector<double> idf{1.40546511, 0,          2.81093022, 0, 0,          0,          5.62186043,
                              1.69314718, 4.21639532, 4.19722458, 0, 1.69314718, 0,          0,
                              0,          0,          1.40546511, 0, 9.83825576, 0,          11.2437209,
                              8.39444915, 0,          0,          0, 2.09861229, 4.21639532, 10.1588831};
const std::vector<double> tf_idf{0.447213595, 0,           0.894427191, 0,           0,           0,
                                 0.957516856, 0.288377306, 0.681648869, 0.678549606, 0,           0.273724775,
                                 0,           0,           0,           0,           0.141421356, 0,
                                 0.989949494, 0,           0.801309686, 0.59824977,  0,           0,
                                 0,           0.187417138, 0.376546324, 0.907241799};
const std::vector<double> targets{-0.953206248, 0, -0.769897354, 0, -0.403279566, 0, 0.329956009, 0,
                                  1.79642716,   0, 4.72936946,   1, -1.13651514,  -1};

const double gap = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> inputs{1,  0, 2,   5, gap, 0, 4, 5, 3,   2, gap, 5, 10, 0,
                                 -1, 5, gap, 0, 7,   5, 8, 4, gap, 5, gap, 0, 3,  6};
const std::vector<double> counts{1, 0, 2, 0, 0, 0, 4, 1, 3, 2, 0, 1, 0, 0,
                                 0, 0, 1, 0, 7, 0, 8, 4, 0, 0, 0, 1, 3, 6};
const std::vector<double> raw_targets{1, 10, 2, 10, 4, 10, 8, 10, 16, 10, 32, 11, 0, 9};
const Rows train{0, 1, 2, 3, 4};

Features columns(const std::vector<double>& values, bool sparse) {
  Features features(7);
  for (std::size_t j = 0; j < 4; ++j) {
    std::vector<std::uint32_t> present;
    std::vector<float> stored;
    std::vector<float> dense;
    for (std::uint32_t row = 0; row < 7; ++row) {
      dense.push_back(static_cast<float>(values[row * 4 + j]));
      if (dense.back() == 0.0F) continue;
      present.push_back(row);
      stored.push_back(dense.back());
    }
    if (sparse)
      features.add_sparse("", present, stored);
    else
      features.add_dense("", dense);
  }
  return features;
}

Dataset regression(const std::vector<double>& values, bool sparse = false) {
  return {"d", columns(values, sparse), RealTargets(2, raw_targets)};
}

void check_inputs(const Dataset& dataset, const std::vector<double>& expected) {
  for (std::size_t row = 0; row < 7; ++row)
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(static_cast<double>(dataset.features().column(j).at(row)) ==
            doctest::Approx(expected[row * 4 + j]).epsilon(1e-6));
}

Dataset prepared(const Dataset& dataset, std::initializer_list<PrepareStep> steps) {
  return prepare(dataset, train, std::span(steps.begin(), steps.size()));
}

}  // namespace

TEST_CASE("impute agrees with scikit-learn, dense and sparse") {
  for (const bool sparse : {false, true}) {
    const Dataset filled = prepared(regression(inputs, sparse), {PrepareStep::impute});
    check_inputs(filled, imputed);
    CHECK_FALSE(filled.features().has_missing());
  }
}

TEST_CASE("standardised inputs and targets agree with scikit-learn") {
  const Dataset data = prepared(regression(inputs), {PrepareStep::impute, PrepareStep::standardise_inputs,
                                                     PrepareStep::standardise_targets});
  check_inputs(data, standardised);
  for (std::size_t i = 0; i < targets.size(); ++i)
    CHECK(data.targets().values()[i] == doctest::Approx(targets[i]).epsilon(1e-9));
}

TEST_CASE("sparse columns are scaled like dense ones and not shifted") {
  const Dataset dense = prepared(regression(counts), {PrepareStep::standardise_inputs});
  const Dataset sparse = prepared(regression(counts, true), {PrepareStep::standardise_inputs});
  CHECK(sparse.features().sparse_columns() == 4);
  for (std::size_t j = 0; j < 4; ++j) {
    const double shift = static_cast<double>(dense.features().column(j).at(3));
    for (std::size_t row = 0; row < 7; ++row)
      CHECK(static_cast<double>(sparse.features().column(j).at(row)) + shift ==
            doctest::Approx(static_cast<double>(dense.features().column(j).at(row))).epsilon(1e-5));
  }
}

TEST_CASE("idf, tf-idf and unit rows agree with scikit-learn, dense and sparse") {
  for (const bool sparse : {false, true}) {
    check_inputs(prepared(regression(counts, sparse), {PrepareStep::idf}), idf);
    check_inputs(prepared(regression(counts, sparse), {PrepareStep::tf_idf}), tf_idf);
    check_inputs(prepared(regression(counts, sparse), {PrepareStep::idf, PrepareStep::unit_rows}), tf_idf);
    check_inputs(prepared(regression(inputs, sparse), {PrepareStep::impute, PrepareStep::unit_rows}), unit);
  }
}

TEST_CASE("nothing is learnt from rows that are not for training") {
  std::vector<double> other = inputs;
  for (std::size_t i = 20; i < 28; ++i) other[i] = 1000.0;
  const auto steps = {PrepareStep::impute, PrepareStep::standardise_inputs, PrepareStep::idf};
  const Dataset a = prepared(regression(inputs), steps);
  const Dataset b = prepared(regression(other), steps);
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(a.features().column(j).at(row) == b.features().column(j).at(row));
}

TEST_CASE("a training row that is drawn twice counts twice") {
  const Rows drawn{0, 2, 2, 2, 3};
  const auto steps = {PrepareStep::impute};
  const Dataset filled = prepare(regression(inputs), drawn, std::span(steps.begin(), steps.size()));
  CHECK(filled.features().column(0).at(1) == 3.0F);
}

TEST_CASE("missing categories become the most frequent one, and nothing else touches categories") {
  const Dataset data = read_dataset(reading("csv", "c,y\nq,1\nr,2\nr,3\np,4\n,5\np,6\np,7\n")).dataset;
  const Dataset filled =
      prepared(data, {PrepareStep::impute, PrepareStep::standardise_inputs, PrepareStep::tf_idf});
  CHECK(column(filled, 0) == std::vector<float>{1, 2, 2, 0, 2, 0, 0});
  CHECK(filled.features().categories(0) == data.features().categories(0));
}

TEST_CASE("labels without a training row are dropped with their names") {
  Features features(3);
  features.add_dense("x", std::vector<float>{1, 2, 3});
  const Dataset data("d", Task::multilabel, features, LabelSets(4, {{0, 2}, {2}, {1, 2, 3}}),
                     {{"a", "b", "c", "d"}, Split{{0, 1}, {2}}, {}});
  const auto steps = {PrepareStep::drop_empty_labels};
  const Dataset kept = prepare(data, data.given_split()->train, std::span(steps.begin(), steps.size()));
  CHECK(kept.output_names() == std::vector<std::string>{"a", "c"});
  CHECK(kept.labels() == LabelSets(2, {{0, 1}, {1}, {1}}));
  CHECK(kept.given_split()->test == Rows{2});
}

TEST_CASE("a step that does not apply is refused") {
  const auto refusal = [](const Dataset& dataset, PrepareStep step) {
    try {
      prepared(dataset, {step});
      return std::string("done");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const Dataset classes = read_dataset(reading("libsvm", "1 1:1\n2 1:1\n1 1:1\n2 1:2\n1 1:1\n")).dataset;
  CHECK(refusal(classes, PrepareStep::standardise_targets) ==
        "standardise-targets: a multi-class task has no real targets");
  CHECK(refusal(classes, PrepareStep::drop_empty_labels) ==
        "drop-empty-labels: a multi-class task has no label sets");
  CHECK(refusal(regression(inputs), PrepareStep::unit_rows) ==
        "rows with missing values have no length, and there are 5 missing values; put 'impute' before it");
}

TEST_CASE("steps have names that are found again") {
  for (const PrepareDescription& description : prepare_steps()) {
    CHECK(parse_prepare_step(description.name) == description.step);
    CHECK(prepare_step_name(description.step) == description.name);
  }
  CHECK_FALSE(parse_prepare_step("whiten"));
}

TEST_CASE("one-hot encoding replaces categorical columns where they stand") {
  ReadOptions options = reading("csv", "a,c,b,y\n1,p,5,1\n2,q,6,2\n3,?,7,3\n4,r,8,4\n");
  const Dataset encoded = one_hot_encoded(read_dataset(options).dataset);
  REQUIRE(encoded.feature_count() == 5);
  CHECK(encoded.features().categorical_columns() == 0);
  CHECK(encoded.features().name(0) == "a");
  CHECK(encoded.features().name(1) == "c=p");
  CHECK(encoded.features().name(3) == "c=r");
  CHECK(encoded.features().name(4) == "b");
  CHECK(column(encoded, 1)[0] == 1.0F);
  CHECK(column(encoded, 1)[1] == 0.0F);
  CHECK(std::isnan(column(encoded, 1)[2]));
  CHECK(column(encoded, 3)[3] == 1.0F);
  CHECK(encoded.targets()[3][0] == 4.0);
}

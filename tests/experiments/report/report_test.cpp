#include "experiments/report/report.h"

#include <set>

#include <doctest/doctest.h>

#include "experiments/report/figure_files.h"
#include "experiments/report/figures.h"
#include "tests/experiments/report/example_report.h"

using namespace coppice;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

const Figure* find_figure(const std::vector<Figure>& figures, const std::string& name) {
  for (const Figure& figure : figures)
    if (figure.name == name) return &figure;
  return nullptr;
}

}  // namespace

TEST_CASE("the report is one page without anything from elsewhere") {
  const std::string page = report_html(example_report_results(), example_report_context());
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(has(page, "Chart.js v3"));
  CHECK_FALSE(has(page, " src=\"http"));
  CHECK_FALSE(has(page, "<link"));
  CHECK_FALSE(has(page, "@import"));
  CHECK(has(page, "default-src 'none'"));
}

TEST_CASE("names from data cannot become markup anywhere in the report") {
  const std::string page = report_html(example_report_results(), example_report_context());
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(has(page, "\\u003cscript>alert(1)"));
  CHECK(has(page, "<h1>an &lt;experiment&gt;</h1>"));
  CHECK(has(page, "  - &lt;b&gt;\n"));
  CHECK_FALSE(has(page, "abc</script>"));
  // Our own three: the figures, Chart.js, the page's script.
  CHECK(occurrences(page, "</script>") == 3);
}

TEST_CASE("without JavaScript every number is in a table") {
  const std::string page = report_html(example_report_results(), example_report_context());
  CHECK(has(page, "<caption>lrap, mean ± std over 4 repeats (rank), higher is better</caption>"));
  CHECK(has(page, "<caption>fit-seconds, mean ± std over 4 repeats (rank), lower is better</caption>"));
  CHECK(has(page, "critical-difference diagram</title>"));
  CHECK(has(page, "Wilcoxon signed-rank p-values"));
  CHECK(occurrences(page, "<noscript>") == 4);
  // What only a chart shows otherwise: the quartiles.
  CHECK(has(page, "<caption>lrap of all trials on data-1</caption>"));
  CHECK(has(page, "<th scope=\"col\">third_quartile</th>"));
  CHECK(has(page, "<caption>lrap by size, mean ± std, higher is better</caption>"));
}

TEST_CASE("an unfinished run says so and what is already decided") {
  ResultSet results = example_report_results(9);
  results.planned_trials += 2;
  ++results.failed_trials;
  results.holes = {{"data-1", "RF", 4, 0, "missing"}, {"data-1", "RF", 5, 0, "failed: no <memory>"}};
  ReportContext context = example_report_context();
  context.refresh_seconds = 5;
  const std::string page = report_html(results, context);
  CHECK(has(page, "Unfinished: 1 of 182 trials have no result yet"));
  CHECK(has(page, "lrap: 10 of 10 pairs decided"));
  CHECK(has(page, "<h2 id=\"failures-heading\">Failures</h2>"));
  CHECK(has(page, "failed: no &lt;memory&gt;"));
  CHECK(has(page, "<meta http-equiv=\"refresh\" content=\"5\">"));
  const std::string finished = report_html(example_report_results(), example_report_context());
  CHECK_FALSE(has(finished, "Unfinished"));
  CHECK_FALSE(has(finished, "http-equiv=\"refresh\""));
  CHECK_FALSE(has(finished, "id=\"failures\""));
}

TEST_CASE("a report of nothing is still a page") {
  ResultSet results;
  results.datasets = {"a"};
  results.algorithms = {"x", "y"};
  results.metrics = {example_metric("lrap")};
  results.planned_trials = 4;
  const std::string page = report_html(results, example_report_context());
  CHECK(has(page, "Unfinished: 4 of 4"));
  CHECK(has(page, "lrap: a comparison needs two algorithms"));
}

TEST_CASE("chosen hyper-parameters are counted") {
  ResultSet results = example_report_results();
  results.chosen = {{"data-1", "RF", 0, 0, {{"k", "2"}}},
                    {"data-1", "RF", 1, 0, {{"k", "2"}}},
                    {"data-1", "RF", 2, 0, {{"k", "5"}}}};
  CHECK(has(report_html(results, example_report_context()), "<td>2 (2×), 5 (1×)</td>"));
}

TEST_CASE("score against cost joins what nothing beats in both") {
  ExampleResults example({"d"}, {"cheap", "good", "bad", "best"}, {example_metric("lrap")});
  const std::vector<std::pair<double, double>> points{{1, 0.5}, {10, 0.7}, {20, 0.6}, {100, 0.9}};
  const ResultSet with_cost = example_report_results();
  example.results.metrics.push_back(with_cost.metrics[1]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string& algorithm = example.results.algorithms[i];
    example.trial_metric("fit-seconds", "d", algorithm, 0, 0, points[i].first);
    example.trial_metric("lrap", "d", algorithm, 0, 0, points[i].second);
  }
  const std::vector<Figure> figures = cost_figures(example.results);
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].name == "cost-fit-seconds-lrap-d");
  CHECK(figures[0].x.logarithmic);
  std::set<std::string> front;
  for (const FigureSeries& series : figures[0].series)
    for (const FigurePoint& point : series.points)
      if (point.on_front) front.insert(point.label);
  CHECK(front == std::set<std::string>{"cheap", "good", "best"});
}

TEST_CASE("a curve for each series of a sweep, a heat map for two parameters, a box for each algorithm") {
  const std::vector<Figure> figures = all_figures(example_report_results());
  const Figure* curve = find_figure(figures, "curve-size-lrap-data-1");
  REQUIRE(curve != nullptr);
  REQUIRE(curve->series.size() == 2);
  CHECK(curve->series[0].name == "RO k=2");
  CHECK(curve->series[0].points[1].x == 100.0);
  CHECK(curve->series[0].points[1].spread.has_value());
  CHECK(curve->x.logarithmic);
  const Figure* heat = find_figure(figures, "heat-ro-size-k-lrap-data-1");
  REQUIRE(heat != nullptr);
  CHECK(heat->x.categories == std::vector<std::string>{"1", "100"});
  CHECK(heat->y.categories == std::vector<std::string>{"2", "5"});
  CHECK(*heat->cells[1][0] == doctest::Approx(0.4 + 0.05 + 0.06 + 0.005).epsilon(0.02));
  const Figure* boxes = find_figure(figures, "boxes-lrap-data-1");
  REQUIRE(boxes != nullptr);
  CHECK(boxes->boxes.size() == 5);
}

TEST_CASE("with three swept parameters there is a heat map for each pair and each value of the third") {
  ExampleResults example({"d"}, {"a", "b"});
  example.repeats("d", "a", {0.1, 0.2}).repeats("d", "b", {0.3, 0.4});
  example.results.algorithm_details = {{"a", "RO", {{"size", "1"}, {"k", "2"}, {"trees", "5"}}},
                                       {"b", "RO", {{"size", "1"}, {"k", "2"}, {"trees", "9"}}}};
  const std::vector<Figure> figures = heat_figures(example.results);
  // size × k for each of two trees, size × trees and k × trees once.
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].title == "score of RO trees=5 over size and k on d");
  CHECK(figures[1].x.categories == std::vector<std::string>{"1"});
  CHECK(figures[1].y.categories == std::vector<std::string>{"5", "9"});
  CHECK(*figures[1].cells[1][0] == doctest::Approx(0.35));
}

TEST_CASE("datasets of several sizes from one generator make learning curves") {
  ExampleResults example({"small", "other", "large"}, {"x"});
  example.repeats("small", "x", {0.1, 0.2}).repeats("other", "x", {0.5}).repeats("large", "x", {0.7, 0.8});
  const auto detail = [](const char* name, std::size_t train, const char* source) {
    return DatasetDetail{name, "regression", train + 10, 5, 2, train, 10, false, source};
  };
  example.results.dataset_details = {detail("large", 4000, "friedman1"), detail("other", 100, "multilabel"),
                                     detail("small", 50, "friedman1")};
  const std::vector<Figure> figures = learning_figures(example.results);
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].title == "score over training rows on friedman1 (5 features, 2 outputs)");
  CHECK(figures[0].x.logarithmic);
  REQUIRE(figures[0].series.size() == 1);
  REQUIRE(figures[0].series[0].points.size() == 2);
  CHECK(figures[0].series[0].points[0].x == 50.0);
  CHECK(figures[0].series[0].points[1].label == "x on large");
  CHECK(figures[0].series[0].points[1].y == doctest::Approx(0.75));
}

TEST_CASE("values that are no numbers are places on the axis") {
  ExampleResults example({"d"}, {"a", "b"});
  example.repeats("d", "a", {0.1, 0.2}).repeats("d", "b", {0.3, 0.4});
  example.results.algorithm_details = {{"a", "RO", {{"size", "1"}}}, {"b", "RO", {{"size", "ln(d)"}}}};
  const std::vector<Figure> figures = curve_figures(example.results);
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].x.categories == std::vector<std::string>{"1", "ln(d)"});
  CHECK(figures[0].series[0].points[1].x == 1.0);
  CHECK(figure_csv(figures[0]) ==
        "series,algorithm,size,score,std\nRO,a,1,0.15000000000000002,0.07071067811865477\n"
        "RO,b,ln(d),0.35,0.07071067811865477\n");
}

TEST_CASE("quartiles, whiskers and outliers of a box are numpy's and Tukey's") {
  // numpy 1.24.2: percentile([1, 2, 3, 4, 5, 30], [25, 50, 75]) = 2.25, 3.5, 4.75; 30 lies beyond 4.75 + 1.5
  // × 2.5.
  const FigureBox box = FigureBox::of("x", {4, 1, 30, 2, 5, 3});
  CHECK(box.first_quartile == 2.25);
  CHECK(box.median == 3.5);
  CHECK(box.third_quartile == 4.75);
  CHECK(box.low == 1.0);
  CHECK(box.high == 5.0);
  CHECK(box.outliers == std::vector<double>{30.0});
}

TEST_CASE("figures for papers come as SVG with their data, under names of their own") {
  ResultSet results = example_report_results();
  // A second dataset whose name gives the same file name as another.
  results.datasets[1] = "data 2";
  for (ResultRow& row : results.rows)
    if (row.dataset == "data-1") row.dataset = "data 2";
  const std::vector<FigureFile> files = figure_files(results, 0.05);
  std::set<std::string> names;
  for (const FigureFile& file : files) {
    CHECK(names.insert(file.name).second);
    CHECK(file.name.find_first_of("/<> ") == std::string::npos);
    CHECK_FALSE(has(file.content, "<script>"));
    if (file.name.ends_with(".svg")) CHECK(file.content.starts_with("<svg "));
  }
  CHECK(names.contains("boxes-lrap-data-2.svg"));
  CHECK(names.contains("boxes-lrap-data-2-2.csv"));
  CHECK(names.contains("critical-difference-lrap.tex"));
}

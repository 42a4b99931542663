#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/base/largest.h"
#include "experiments/store/files.h"
#include "experiments/tables/csv.h"
#include "tools/cli.h"
#include "tools/saved_model.h"
#include "tools/single_dataset.h"

namespace coppice {

namespace {

struct PredictArguments {
  std::string model;
  SingleDataset dataset;
  std::string format = "csv";
  std::string out;
  std::optional<std::size_t> top;
};

/// `row,output,score`: one line per score that is not zero for labels, one per output for real targets. With
/// --top the best labels only, the best first.
void append(std::string& text, const DatasetView& rows, const Predictions& predictions,
            const PredictArguments& options) {
  const Dataset& dataset = rows.dataset();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    nlohmann::ordered_json scores = nlohmann::json::object();
    const auto add = [&](std::size_t output, double score) {
      if (has_labels(dataset.task()) && score == 0.0) return;
      if (options.format == "json")
        scores[dataset.output_name(output)] = score;
      else
        text +=
            fmt::format("{},{},{}\n", rows[i], csv_field(dataset.output_name(output)), number_text(score));
    };
    const bool dense = predictions.is_dense();
    const auto all = dense ? predictions.dense_row(i) : predictions.scores(i);
    const auto add_listed = [&](std::size_t k) { add(dense ? k : predictions.labels(i)[k], all[k]); };
    if (options.top)
      for (const std::uint32_t k : largest(all, *options.top)) add_listed(k);
    else
      for (std::size_t k = 0; k < all.size(); ++k) add_listed(k);
    if (options.format == "json")
      text += nlohmann::ordered_json{{"row", rows[i]}, {"scores", scores}}.dump() + "\n";
  }
}

void predict(const PredictArguments& options) {
  if (options.format != "csv" && options.format != "json")
    throw Error(ErrorKind::usage, fmt::format("--format: expected csv or json, found '{}'", options.format));
  const SavedModel saved = load_model(options.model);
  const auto dataset = suited_to(saved, options.dataset.load());
  if (options.top && !has_labels(dataset->task()))
    throw Error(ErrorKind::usage,
                fmt::format("--top lists the best labels, and dataset '{}' has real outputs; leave it out",
                            dataset->name()));
  const DatasetView rows = options.dataset.view(dataset);
  catch_interrupts();
  Context context{Stream(options.dataset.seed), &stop_flag(), nullptr};
  context.best_labels = options.top;
  std::string text = options.format == "csv" ? "row,output,score\n" : "";
  rows.for_each_batch([&](const DatasetView& batch) {
    append(text, batch, saved.model->predict(batch, context), options);
    if (options.out.empty()) {
      print(text);
      text.clear();
    }
  });
  if (!options.out.empty()) write_atomically(options.out, text);
}

}  // namespace

void add_predict(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "predict", "Apply a saved model: one line per row and output (labels with score 0 left out)");
  const auto options = std::make_shared<PredictArguments>();
  verb->add_option("MODEL", options->model, "A file that 'coppice train' wrote")->required();
  options->dataset.add_to(*verb, "test");
  verb->add_option("--format", options->format, "csv, or json with one object per line");
  verb->add_option("--top", options->top, "So many labels of each row, the best first; all by default")
      ->check(CLI::PositiveNumber);
  verb->add_option("--out", options->out, "A file; standard output by default");
  verb->callback([options] { predict(*options); });
}

}  // namespace coppice

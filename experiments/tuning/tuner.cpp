#include "experiments/tuning/tuner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <new>

#include <fmt/format.h>

#include "core/base/version.h"
#include "experiments/plan/trial_hash.h"
#include "experiments/schedule/error_text.h"
#include "experiments/schedule/score_model.h"
#include "experiments/tuning/inner_splits.h"
#include "experiments/tuning/search.h"

namespace coppice {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The scores of one setting on one validation part.
struct InnerScores {
  std::vector<double> scores;  ///< for every stage, or one
  double nodes = 0.0;          ///< of the model, where it has any
  std::string error;
};

/// A model to be fitted for one setting and one validation part.
struct InnerFit {
  Parameters parameters;
  std::vector<double> stages;  ///< to score it at
  Split split;
  Stream stream;
  std::string hash;
};

/// A setting at a stage, over all validation parts.
struct Point {
  std::size_t proposal = 0;
  double stage = 0.0;      ///< 0 where the staged parameter is not tuned
  double score = nothing;  ///< larger is better
  double error = nothing;  ///< standard error of the mean
  double size = 0.0;       ///< of the model
};

/// One search.
class Tuner {
 public:
  Tuner(const Plan& plan, const Fit& fit, InnerLog* log, const Context& context, std::size_t models_at_once)
      : plan_(plan),
        fit_(fit),
        entry_(plan.experiment.algorithms[fit.entry]),
        space_(*fit.space),
        selection_(plan.experiment.selection()),
        metric_(plan.experiment.selection_metric(plan.datasets[fit.dataset].task).value()),
        sign_(metric_.description->higher_is_better ? 1.0 : -1.0),
        log_(log),
        context_(context),
        models_at_once_(models_at_once),
        original_(plan.pool->get(fit.dataset, fit.repeat)),
        splits_(inner_splits(selection_, *original_, plan.split(fit.dataset, fit.repeat, fit.fold).train,
                             selection_stream(plan.experiment.seed, fit.repeat, fit.fold, *original_))),
        data_(splits_.size()) {
    for (std::size_t i = 0; i < splits_.size(); ++i)
      data_[i] = data_for(*plan.pool, fit.dataset, fit.repeat, splits_[i], entry_.description.capabilities);
  }

  TuningResult run() {
    const auto start = std::chrono::steady_clock::now();
    const auto search = make_search(entry_.tune->search, space_, context_.stream.at("search"));
    while (true) {
      const std::vector<Proposal> proposals = search->next(scores_);
      if (proposals.empty()) break;
      evaluate(proposals);
    }
    const Point chosen = choose();
    // Without refitting, the same rows and the same randomness make the model that was compared once more.
    TuningResult result{
        scores_[chosen.proposal].proposal.parameters,
        selection_.refit ? plan_.split(fit_.dataset, fit_.repeat, fit_.fold).train : splits_[0].train,
        selection_.refit ? context_.stream : inner_stream(0),
        {}};
    if (!space_.stages.empty()) result.parameters.set_number(space_.staged, chosen.stage);
    result.report = report(chosen, result.parameters);
    result.report["seconds"] = seconds_since(start);
    return result;
  }

 private:
  void evaluate(const std::vector<Proposal>& proposals) {
    const std::size_t parts = splits_.size();
    // Searches draw a setting more than once; it is fitted once.
    std::vector<std::string> hashes(proposals.size() * parts);
    parallel_for(context_, hashes.size(),
                 [&](std::size_t i) { hashes[i] = make_fit(proposals[i / parts], i % parts).hash; });
    std::vector<std::size_t> fresh;
    for (std::size_t i = 0; i < hashes.size(); ++i)
      if (found_.try_emplace(hashes[i]).second) fresh.push_back(i);
    for (std::size_t done = 0; done < fresh.size();) {
      const std::size_t count = std::min(models_at_once_, fresh.size() - done);
      parallel_for(context_, count, [&](std::size_t i) {
        const std::size_t place = fresh[done + i];
        found_.at(hashes[place]) = look_up(proposals[place / parts], place % parts);
      });
      done += count;
    }
    for (std::size_t p = 0; p < proposals.size(); ++p) {
      std::vector<const InnerScores*> own;
      for (std::size_t part = 0; part < parts; ++part) own.push_back(&found_.at(hashes[p * parts + part]));
      add_points(proposals[p], own);
    }
  }

  void add_points(const Proposal& proposal, std::span<const InnerScores* const> own) {
    const std::vector<double> stages = stages_of(proposal);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t stage = 0; stage < std::max<std::size_t>(1, stages.size()); ++stage) {
      const Point point = mean_over(own, stage);
      if (std::isnan(point.score)) continue;
      best = std::max(best, point.score);
      if (!proposal.is_full()) continue;
      points_.push_back(point);
      points_.back().proposal = scores_.size();
      if (stages.empty()) continue;
      points_.back().stage = stages[stage];
      points_.back().size *= stages[stage] / space_.last_stage();
    }
    std::string error;
    for (const InnerScores* inner : own)
      if (error.empty()) error = inner->error;
    scores_.push_back({proposal, best});
    errors_.push_back(std::move(error));
  }

  /// The stages that a proposal is scored at; none where the staged parameter is not tuned.
  std::vector<double> stages_of(const Proposal& proposal) const {
    if (space_.stages.empty()) return {};
    const double last =
        std::min(proposal.stage.value_or(space_.last_stage()), space_.limit_of(proposal.parameters));
    std::vector<double> stages;
    for (const double stage : space_.stages)
      if (stage <= last) stages.push_back(stage);
    if (stages.empty()) stages.push_back(last);
    return stages;
  }

  Point mean_over(std::span<const InnerScores* const> parts, std::size_t stage) const {
    Point point;
    std::vector<double> values;
    for (const InnerScores* part : parts) {
      // A setting that fails on one part is not a setting to choose.
      if (part->scores.size() <= stage) return point;
      if (!std::isnan(part->scores[stage])) values.push_back(sign_ * part->scores[stage]);
      point.size += part->nodes;
    }
    if (values.empty()) return point;
    const auto count = static_cast<double>(values.size());
    double sum = 0.0;
    for (const double value : values) sum += value;
    point.score = sum / count;
    if (values.size() < 2) return point;
    double squares = 0.0;
    for (const double value : values) squares += (value - point.score) * (value - point.score);
    point.error = std::sqrt(squares / (count - 1.0) / count);
    return point;
  }

  InnerFit make_fit(const Proposal& proposal, std::size_t part) const {
    InnerFit fit{proposal.parameters, stages_of(proposal), splits_[part], inner_stream(part), ""};
    if (proposal.stage) fit.parameters.set_number(space_.staged, *proposal.stage);
    if (!fit.stages.empty()) fit.parameters.set_number(space_.staged, fit.stages.back());
    if (proposal.rows < 1.0)
      fit.split.train = some_rows(fit.split.train, proposal.rows, fit.stream.at("rows"));
    fit.hash = inner_hash(entry_, fit.parameters, fit.stages, metric_.name, *original_,
                          plan_.pool->source(fit_.dataset).preparation(), fit.split, splits_[part].train,
                          fit.stream);
    return fit;
  }

  InnerScores look_up(const Proposal& proposal, std::size_t part) const {
    const InnerFit fit = make_fit(proposal, part);
    if (log_ != nullptr)
      if (const TrialRecord* record = log_->find(fit.hash))
        if (const auto known = from_record(*record)) return *known;
    const InnerScores scores = fit_and_score(fit, part);
    if (log_ != nullptr) log_->add(to_record(fit, part, proposal, scores));
    return scores;
  }

  Stream inner_stream(std::size_t part) const { return context_.stream.at("inner", part); }

  /// The first rows of a random order, so that a smaller share is a part of a larger one.
  static Rows some_rows(const Rows& rows, double share, Stream stream) {
    Rows shuffled = rows;
    stream.shuffle(std::span(shuffled));
    const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows.size())));
    shuffled.resize(std::max<std::size_t>(1, wanted));
    std::sort(shuffled.begin(), shuffled.end());
    return shuffled;
  }

  /// What goes wrong with a setting speaks against it. Not so a lack of memory or of time, which has to do
  /// with the machine: they end the search, or the choice would depend on them.
  InnerScores fit_and_score(const InnerFit& fit, std::size_t part) const {
    InnerScores result;
    try {
      const DatasetView train(data_[part], fit.split.train);
      const Context context = context_.with(fit.stream);
      const auto model = entry_.algorithm->fit(train, fit.parameters, context);
      const ModelScores scores = score_model(*model, train, DatasetView(data_[part], fit.split.test),
                                             {metric_}, fit.stages, context);
      for (const auto& at_stage : scores.metrics) result.scores.push_back(at_stage.at(metric_.name));
      const auto facts = model->facts();
      if (const auto nodes = facts.find("nodes"); nodes != facts.end()) result.nodes = nodes->second;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      result.error = error_text();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      result.error = error_text();
    }
    return result;
  }

  TrialRecord to_record(const InnerFit& fit, std::size_t part, const Proposal& proposal,
                        const InnerScores& scores) const {
    TrialRecord record;
    record.trial = fit.hash;
    record.outcome = scores.error.empty() ? TrialRecord::Outcome::done : TrialRecord::Outcome::failed;
    record.error = scores.error;
    record.dataset = plan_.datasets[fit_.dataset].name;
    record.algorithm = plan_.algorithms[plan_.trials[fit_.trials[0]].algorithm].id;
    record.repeat = fit_.repeat;
    record.fold = fit_.fold;
    record.parameters = space_.tuned_json(fit.parameters);
    if (!scores.scores.empty()) record.metrics[metric_.name] = scores.scores.back();
    nlohmann::json values = nlohmann::json::array();
    for (const double score : scores.scores)
      values.push_back(std::isnan(score) ? nlohmann::json(nullptr) : nlohmann::json(score));
    record.details = {{"validation-part", part},
                      {"rows", proposal.rows},
                      {"scores", std::move(values)},
                      {"nodes", scores.nodes},
                      {"coppice", version_text()}};
    return record;
  }

  static std::optional<InnerScores> from_record(const TrialRecord& record) {
    if (record.outcome != TrialRecord::Outcome::done || !record.details.contains("scores"))
      return std::nullopt;
    InnerScores scores;
    for (const auto& score : record.details.at("scores"))
      scores.scores.push_back(score.is_null() ? nothing : score.get<double>());
    scores.nodes = record.details.value("nodes", 0.0);
    return scores;
  }

  Point choose() const {
    const auto failed =
        std::find_if(errors_.begin(), errors_.end(), [](const std::string& error) { return !error.empty(); });
    if (points_.empty())
      throw Error(ErrorKind::fit,
                  failed == errors_.end()
                      ? fmt::format("no setting could be chosen: {} is undefined on every validation part; "
                                    "select by another metric or make the parts larger",
                                    metric_.name)
                      : fmt::format("every setting failed; the first with: {}", *failed));
    Point best = points_.front();
    for (const Point& point : points_)
      if (point.score > best.score) best = point;
    if (!selection_.one_standard_error) return best;
    const double enough = best.score - (std::isnan(best.error) ? 0.0 : best.error);
    Point smallest = best;
    for (const Point& point : points_) {
      if (point.score < enough) continue;
      const bool smaller =
          point.size < smallest.size || (point.size == smallest.size && point.stage < smallest.stage);
      if (smaller) smallest = point;
    }
    return smallest;
  }

  nlohmann::json report(const Point& chosen, const Parameters& parameters) const {
    nlohmann::json json{{"metric", metric_.name},
                        {"validation", selection_.text()},
                        {"search", search_text(entry_.tune->search)},
                        {"fits", found_.size()},
                        {"chosen", space_.tuned_json(parameters)},
                        {"score", sign_ * chosen.score},
                        {"standard-error",
                         std::isnan(chosen.error) ? nlohmann::json(nullptr) : nlohmann::json(chosen.error)}};
    json["tried"] = nlohmann::json::array();
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const Proposal& proposal = scores_[i].proposal;
      Parameters tried = proposal.parameters;
      if (proposal.stage) tried.set_number(space_.staged, *proposal.stage);
      const Point* best = nullptr;
      for (const Point& point : points_)
        if (point.proposal == i && (best == nullptr || point.score > best->score)) best = &point;
      if (best != nullptr && !space_.stages.empty()) tried.set_number(space_.staged, best->stage);
      nlohmann::json one{{"parameters", space_.tuned_json(tried)},
                         {"score", std::isinf(scores_[i].score) ? nlohmann::json(nullptr)
                                                                : nlohmann::json(sign_ * scores_[i].score)}};
      if (proposal.rows < 1.0) one["rows"] = proposal.rows;
      if (!errors_[i].empty()) one["error"] = errors_[i];
      json["tried"].push_back(std::move(one));
    }
    return json;
  }

  const Plan& plan_;
  const Fit& fit_;
  const AlgorithmEntry& entry_;
  const SearchSpace& space_;
  Selection selection_;
  Metric metric_;
  double sign_;
  InnerLog* log_;
  const Context& context_;
  std::size_t models_at_once_;
  std::shared_ptr<const Dataset> original_;
  std::vector<Split> splits_;
  std::vector<std::shared_ptr<const Dataset>> data_;
  std::map<std::string, InnerScores> found_;  ///< by the hash of the fit
  std::vector<ProposalScore> scores_;
  std::vector<std::string> errors_;  ///< of the proposals; empty where nothing went wrong
  std::vector<Point> points_;
};

}  // namespace

TuningResult tune(const Plan& plan, const Fit& fit, InnerLog* log, const Context& context,
                  std::size_t models_at_once) {
  return Tuner(plan, fit, log, context, models_at_once).run();
}

}  // namespace coppice

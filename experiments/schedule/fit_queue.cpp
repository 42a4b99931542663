#include "experiments/schedule/fit_queue.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/schedule/run_fit.h"
#include "experiments/schedule/score_model.h"

namespace coppice {

namespace {

/// How many models a fit has at the same time if there is memory for them.
std::size_t most_models(const Plan& plan, const Fit& fit, const ScheduleOptions& options) {
  if (fit.space == nullptr || options.isolate) return 1;
  return std::min(static_cast<std::size_t>(options.jobs), inner_fits(plan, fit));
}

}  // namespace

FitQueue::FitQueue(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, Progress& progress,
                   const ScheduleOptions& options)
    : plan_(plan), fits_(fits), journal_(journal), progress_(progress), options_(options) {
  for (std::size_t i = 0; i < fits.size(); ++i) {
    plan.pool->expect_use(fits[i].dataset, fits[i].repeat);
    const double bytes = options.memory ? fit_memory(plan, fits[i]) : 0.0;
    const std::size_t most = most_models(plan, fits[i], options);
    const bool all = !options.memory || bytes * static_cast<double>(most) <= *options.memory;
    const std::size_t models = all ? most : static_cast<std::size_t>(std::max(1.0, *options.memory / bytes));
    models_.push_back(all ? any_number : models);
    memory_.push_back(bytes * static_cast<double>(models));
    waiting_.push_back(fits.size() - 1 - i);  // the next one is at the end
  }
}

bool FitQueue::has_time(std::size_t index) const {
  if (!options_.run_seconds) return true;
  const double left = *options_.run_seconds - seconds_since(start_);
  const auto expected = options_.expected_seconds.find(plan_.trials[fits_[index].trials[0]].hash);
  if (left <= 0.0 || expected == options_.expected_seconds.end()) return left > 0.0;
  // Threads are shared with the fits that run already.
  const double threads = options_.isolate ? 1.0 : options_.jobs / (1.0 + static_cast<double>(running_));
  return expected->second / std::max(1.0, threads) <= left;
}

void FitQueue::leave_out_rest() {
  for (const std::size_t index : waiting_) summary_.not_started += fits_[index].trials.size();
  waiting_.clear();
}

std::optional<std::size_t> FitQueue::take() {
  const std::scoped_lock lock(mutex_);
  for (auto next = waiting_.rbegin(); next != waiting_.rend(); ++next) {
    const std::size_t index = *next;
    if (!has_time(index)) continue;
    const bool fits_in = !options_.memory || reserved_ + memory_[index] <= *options_.memory;
    if (!fits_in && running_ > 0) {
      // It goes first as soon as the others are through: whoever overtook it for ever would starve it.
      if (next == waiting_.rbegin() && memory_[index] > *options_.memory) return std::nullopt;
      continue;
    }
    waiting_.erase(std::next(next).base());
    ++running_;
    reserved_ += memory_[index];
    progress_.started(fit_name(plan_, fits_[index]));
    return index;
  }
  // Alone, with all memory and threads, none of them can start: there is no time left for them.
  if (running_ == 0) leave_out_rest();
  return std::nullopt;
}

bool FitQueue::starved() const {
  const std::scoped_lock lock(mutex_);
  return !waiting_.empty();
}

void FitQueue::release(std::size_t index) {
  plan_.pool->finish_use(fits_[index].dataset, fits_[index].repeat);
  --running_;
  reserved_ -= memory_[index];
}

void FitQueue::finish(std::size_t index, const std::vector<TrialRecord>& records) {
  std::size_t failed = 0;
  for (const TrialRecord& record : records) {
    journal_.append(record);
    failed += record.outcome == TrialRecord::Outcome::failed ? 1 : 0;
  }
  if (failed > 0)
    progress_.note(fmt::format("failed: {} on {}, repeat {}, fold {}: {}", records[0].algorithm,
                               records[0].dataset, records[0].repeat, records[0].fold, records[0].error));
  progress_.finished(fit_name(plan_, fits_[index]), records.size() - failed, failed);
  const std::scoped_lock lock(mutex_);
  release(index);
  summary_.done += records.size() - failed;
  summary_.failed += failed;
}

void FitQueue::drop(std::size_t index) {
  progress_.finished(fit_name(plan_, fits_[index]), 0, 0);
  const std::scoped_lock lock(mutex_);
  release(index);
}

void FitQueue::close() {
  const std::scoped_lock lock(mutex_);
  waiting_.clear();
}

RunSummary FitQueue::summary() const {
  const std::scoped_lock lock(mutex_);
  return summary_;
}

}  // namespace coppice

#include "experiments/schedule/fit_queue.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/schedule/run_fit.h"
#include "experiments/schedule/score_model.h"

namespace coppice {

FitQueue::FitQueue(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, Progress& progress,
                   const ScheduleOptions& options)
    : plan_(plan), fits_(fits), journal_(journal), progress_(progress), options_(options) {
  for (std::size_t i = 0; i < fits.size(); ++i) {
    plan.pool->expect_use(fits[i].dataset, fits[i].repeat);
    memory_.push_back(options.memory ? fit_memory(plan, fits[i]) : 0.0);
    waiting_.push_back(fits.size() - 1 - i);  // the next one is at the end
  }
}

bool FitQueue::time_is_over() const {
  return options_.run_seconds && seconds_since(start_) > *options_.run_seconds;
}

std::optional<std::size_t> FitQueue::take() {
  const std::scoped_lock lock(mutex_);
  if (time_is_over()) {
    for (const std::size_t index : waiting_) summary_.not_started += fits_[index].trials.size();
    waiting_.clear();
  }
  for (auto next = waiting_.rbegin(); next != waiting_.rend(); ++next) {
    const std::size_t index = *next;
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

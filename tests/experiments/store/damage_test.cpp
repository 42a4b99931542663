// What becomes of a results folder whose journal was cut, scratched or swapped.

#include <algorithm>
#include <fstream>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "experiments/store/journal.h"
#include "experiments/store/result_folder.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::replaced_in;
using coppice::testing::run_quietly;

namespace {

/// Nothing is written to standard error while it lives: thousands of damaged records are named below.
class Silence {
 public:
  Silence() : kept_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  ~Silence() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_;
};

}  // namespace

TEST_CASE("a damaged journal is named, set aside and computed again to the same results") {
  const testing::TemporaryFolder clean;
  const testing::TemporaryFolder scratched;
  run_quietly(plan_of(testing::small_experiment), clean.path());
  const std::string text = read_text(clean.path() / "trials.jsonl");
  for (std::size_t i = 1; i <= 6; ++i) {
    std::filesystem::copy(
        clean.path(), scratched.path(),
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    std::string spoilt = text;
    const std::size_t at = text.size() * i / 7;
    spoilt[at] = static_cast<char>(spoilt[at] ^ 4);
    if (i % 2 == 0) spoilt.insert(at, "half a record from somewhere else\n{\"trial\":");
    write_atomically(scratched.path() / "trials.jsonl", spoilt);
    const RunSummary again = run_quietly(plan_of(testing::small_experiment), scratched.path());
    CHECK(again.done >= 1);
    CHECK(again.done <= 2);
    CHECK(read_text(scratched.path() / "results.csv") == read_text(clean.path() / "results.csv"));
    CHECK(std::filesystem::exists(scratched.path() / "trials.damaged"));
  }
}

TEST_CASE(
    "a run goes on from a journal that was cut at any byte, or has a flipped bit, to the same results") {
  const testing::TemporaryFolder clean;
  const testing::TemporaryFolder spoilt;
  const std::string tiny =
      "name: tiny\nseed: 1\ndatasets: [friedman1: {train: 9, test: 5}]\nprotocol: {repeats: 2}\nalgorithms: "
      "[constant]\nmetrics: [mse]\n";
  const Plan plan = plan_of(tiny);
  run_quietly(plan, clean.path());
  const std::string text = read_text(clean.path() / "trials.jsonl");
  const std::string results = read_text(clean.path() / "results.csv");
  const std::filesystem::path journal = spoilt.path() / "trials.jsonl";
  const auto spoil = [&](const std::string& with) { std::ofstream(journal, std::ios::binary) << with; };
  // What a run makes of a journal depends on the records it reads, so that some runs stand for all.
  const auto go_on = [&] {
    std::filesystem::remove(spoilt.path() / "trials.damaged");
    const std::size_t again = run_quietly(plan, spoilt.path()).done;
    CHECK(read_text(spoilt.path() / "results.csv") == results);
    CHECK(read_journal(journal).records.size() == 2);
    return again;
  };
  run_quietly(plan, spoilt.path());
  const Silence silence;
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(length);
    const auto whole = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
    const bool torn = length > 0 && text[length - 1] != '\n';
    spoil(text.substr(0, length));
    const JournalContent content = read_journal(journal);
    CHECK(content.records.size() == whole);
    CHECK(content.damaged.size() == (torn ? 1 : 0));
    const bool at_an_end = std::count(end, std::min(end + 2, text.end()), '\n') > 0 || (length > 0 && !torn);
    if (length % 32 == 0 || at_an_end) CHECK(go_on() == 2 - whole);
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    CAPTURE(at);
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    spoil(flipped);
    CHECK(read_journal(journal).records.size() <= 1);
    if (at % 64 == 0) CHECK(go_on() >= 1);
  }
}

TEST_CASE("a damaged plan is named by who reads it and written anew by the next run") {
  const testing::TemporaryFolder folder;
  const Plan plan = plan_of(testing::small_experiment);
  run_quietly(plan, folder.path());
  const std::string whole = read_text(folder.path() / "plan.json");
  const std::string results = read_text(folder.path() / "results.csv");
  for (const std::string& spoilt : {std::string(), whole.substr(0, whole.size() / 2), std::string("{{{"),
                                    std::string(R"({"experiment":7,"trials":[{"dataset":"x"}]})"),
                                    replaced_in(whole, "\"algorithm\":0", "\"algorithm\":99")}) {
    write_atomically(folder.path() / "plan.json", spoilt);
    CHECK_THROWS_WITH_AS(load_results(folder.path()), doctest::Contains("plan.json' is damaged; run"), Error);
    CHECK(run_quietly(plan, folder.path()).done == 0);
    CHECK(read_text(folder.path() / "plan.json") == whole);
    CHECK(read_text(folder.path() / "results.csv") == results);
  }
}

TEST_CASE("a trial whose data, parameters or protocol changed is another one: nothing is mixed") {
  const testing::TemporaryFolder folder;
  run_quietly(plan_of(testing::small_experiment), folder.path());
  std::size_t runs = 0;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"targets: 3", "targets: 4"},
                                                        {"features: 1, sweep", "features: 2, sweep"},
                                                        {"test: given", "test: {holdout: 0.4}"},
                                                        {"seed: 3", "seed: 4"}}) {
    runs +=
        run_quietly(plan_of(testing::replaced_in(testing::small_experiment, from, to)), folder.path()).done;
    CHECK(load_results(folder.path()).holes.empty());
  }
  CHECK(runs == 12 + 12 + 24 + 24);
  CHECK(run_quietly(plan_of(testing::small_experiment), folder.path()).done == 0);
}

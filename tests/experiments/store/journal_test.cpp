#include "experiments/store/journal.h"

#include <cmath>
#include <csignal>
#include <limits>

#include <doctest/doctest.h>
#include <sys/resource.h>

#include "core/base/error.h"
#include "experiments/store/files.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;

namespace {

TrialRecord record(int number) {
  TrialRecord made;
  made.trial = "trial-" + std::to_string(number);
  made.dataset = "data, \"quoted\"";
  made.algorithm = "RF trees=10";
  made.repeat = number;
  made.metrics = {{"lrap", 0.1 * number}, {"undefined", std::numeric_limits<double>::quiet_NaN()}};
  made.parameters = {{"trees", 10}};
  if (number % 2 == 1) made.stage = 10.0;
  return made;
}

std::string journal_text(int records) {
  std::string text;
  for (int i = 0; i < records; ++i) text += record(i).line();
  return text;
}

}  // namespace

TEST_CASE("a record survives its line") {
  const TrialRecord original = record(3);
  const std::string line = original.line();
  const auto read = TrialRecord::parse(std::string_view(line).substr(0, line.size() - 1));
  REQUIRE(read);
  CHECK(read->trial == original.trial);
  CHECK(read->dataset == original.dataset);
  CHECK(read->stage == original.stage);
  CHECK(read->metrics.at("lrap") == original.metrics.at("lrap"));
  CHECK(std::isnan(read->metrics.at("undefined")));
  CHECK(read->parameters == original.parameters);
}

TEST_SUITE("scheduler") {
  TEST_CASE("what is appended from several threads is there after a flush") {
    const testing::TemporaryFolder folder;
    const auto path = folder.path() / "trials.jsonl";
    {
      Journal journal(path);
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
          for (int i = 0; i < 50; ++i) journal.append(record(100 * t + i));
        });
      for (std::thread& thread : threads) thread.join();
      journal.flush();
      CHECK(read_journal(path).records.size() == 200);
    }
    CHECK(Journal(path).content().records.size() == 200);
  }
}

TEST_CASE("a journal cut off at any byte keeps every whole record and sets the rest aside") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "trials.jsonl";
  const std::string whole = journal_text(3);
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string text = whole.substr(0, length);
    write_atomically(path, text);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const bool torn = !text.empty() && text.back() != '\n';
    const JournalContent content = read_journal(path);
    CHECK(content.records.size() == lines);
    CHECK(content.damaged.size() == (torn ? 1 : 0));
  }
}

TEST_CASE("a flipped bit costs the record it is in and no other") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "trials.jsonl";
  const std::string whole = journal_text(3);
  const std::size_t first = record(0).line().size();
  const std::size_t second = first + record(1).line().size();
  for (std::size_t position = first; position + 1 < second; ++position) {
    std::string damaged = whole;
    damaged[position] = static_cast<char>(damaged[position] ^ 1);
    if (damaged[position] == '\n') continue;
    write_atomically(path, damaged);
    const JournalContent content = read_journal(path);
    CHECK(content.records.size() == 2);
    CHECK(content.damaged_lines == std::vector<std::size_t>{2});
  }
}

TEST_CASE("opening a damaged journal moves the damage aside and appends behind whole records") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "trials.jsonl";
  write_atomically(path, journal_text(2) + "garbage\n" + record(2).line() + record(3).line().substr(0, 40));
  {
    Journal journal(path);
    CHECK(journal.content().damaged_lines == std::vector<std::size_t>{3, 5});
    journal.append(record(9));
    journal.flush();
  }
  const JournalContent content = read_journal(path);
  CHECK(content.records.size() == 4);
  CHECK(content.damaged.empty());
  CHECK(read_text(folder.path() / "trials.damaged") == "garbage\n" + record(3).line().substr(0, 40) + "\n");
}

TEST_CASE("a write that fails half-way is said and leaves no torn record") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "trials.jsonl";
  // A limit on the size of files makes a write fail after some of its bytes, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limited{record(0).line().size() * 3 / 2, before.rlim_max};
  {
    Journal journal(path);
    journal.append(record(0));
    journal.flush();
    setrlimit(RLIMIT_FSIZE, &limited);
    journal.append(record(1));
    CHECK_THROWS_WITH_AS(journal.flush(),
                         doctest::Contains("File too large; what was finished before is saved"), Error);
    CHECK_THROWS_AS(journal.append(record(2)), Error);
    setrlimit(RLIMIT_FSIZE, &before);
  }
  CHECK(read_text(path) == record(0).line());
}

TEST_CASE("a file is replaced as a whole or not at all") {
  const testing::TemporaryFolder folder;
  write_atomically(folder.path() / "a", "first");
  write_atomically(folder.path() / "a", "second");
  CHECK(read_text(folder.path() / "a") == "second");
  CHECK_THROWS_AS(write_atomically(folder.path() / "no" / "such", "text"), Error);
}

TEST_CASE("a folder is locked for one process at a time") {
  const testing::TemporaryFolder folder;
  const FolderLock first(folder.path());
  CHECK_THROWS_WITH_AS(FolderLock(folder.path()), doctest::Contains("another coppice is running"), Error);
}

TEST_CASE("reading the scores alone gives the same scores, and the choice of tuned trials") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "trials.jsonl";
  TrialRecord plain;
  plain.trial = "plain";
  plain.dataset = "émotions 2";
  plain.algorithm = "RF trees=10";
  plain.repeat = 3;
  plain.fold = 7;
  plain.metrics = {{"depth", 12},     {"large", 1e300},      {"lrap", 0.1 + 0.2},
                   {"loss", -2.5e-9}, {"mse", std::nan("")}, {"tiny", 5e-324}};
  plain.parameters = {{"trees", 10}};
  plain.details = {{"seconds", 1.5}};
  std::vector<TrialRecord> records(6, plain);
  records[1].trial = "staged";
  records[1].stage = 0.25;
  records[2].trial = "escaped";
  records[2].dataset = "a,\"parameters\":{}";
  records[3].trial = "tuned";
  records[3].details["tuning"] = {{"chosen", {{"trees", 10}}}};
  records[4].trial = "failed";
  records[4].outcome = TrialRecord::Outcome::failed;
  records[4].error = "out of \"memory\"";
  records[4].metrics.clear();
  records[5].trial = "nothing measured";
  records[5].metrics.clear();
  std::string text;
  for (const TrialRecord& record : records) text += record.line();
  write_atomically(path, text);
  const JournalContent content = read_journal(path, RecordParts::scores);
  CHECK(content.damaged.empty());
  REQUIRE(content.records.size() == records.size());
  for (const TrialRecord& wanted : records) {
    CAPTURE(wanted.trial);
    TrialRecord read = content.records.at(wanted.trial);
    read.parameters = wanted.parameters;
    read.details = wanted.details;
    CHECK(read.line() == wanted.line());
  }
  CHECK(content.records.at("plain").parameters.empty());
  CHECK(content.records.at("tuned").details["tuning"]["chosen"]["trees"] == 10);
}

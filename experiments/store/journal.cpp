#include "experiments/store/journal.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/context.h"
#include "core/base/error.h"
#include "core/base/fingerprint.h"
#include "experiments/store/files.h"
#include "experiments/store/json_scanner.h"

namespace coppice {

namespace {

constexpr std::string_view checksum_key = ",\"checksum\":\"";
constexpr std::size_t checksum_digits = 16;

/// JSON has no NaN: an undefined value is null.
nlohmann::json number_json(double value) {
  return std::isnan(value) ? nlohmann::json(nullptr) : nlohmann::json(value);
}

bool scan_metrics(JsonScanner& scanner, std::map<std::string, double>& values) {
  if (scanner.skip("}")) return true;
  std::string name;
  do {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!scanner.string(name) || !scanner.skip(":") || !(scanner.skip("null") || scanner.number(value)))
      return false;
    values.emplace_hint(values.end(), name, value);
  } while (scanner.skip(","));
  return scanner.skip("}");
}

/// The part of a record before its parameters as `line` writes it; empty for failures and names with escapes.
std::optional<TrialRecord> scan_scores(std::string_view text) {
  JsonScanner scanner(text);
  TrialRecord record;
  const bool read =
      scanner.skip("{\"trial\":") && scanner.string(record.trial) &&
      scanner.skip(",\"outcome\":\"done\",\"dataset\":") && scanner.string(record.dataset) &&
      scanner.skip(",\"algorithm\":") && scanner.string(record.algorithm) && scanner.skip(",\"repeat\":") &&
      scanner.number(record.repeat) && scanner.skip(",\"fold\":") && scanner.number(record.fold) &&
      scanner.skip(",\"stage\":") && (scanner.skip("null") || scanner.number(record.stage.emplace())) &&
      scanner.skip(",\"metrics\":{") && scan_metrics(scanner, record.metrics) && scanner.at_end();
  return read ? std::optional(std::move(record)) : std::nullopt;
}

}  // namespace

std::string TrialRecord::line() const {
  nlohmann::ordered_json json{{"trial", trial},     {"outcome", outcome == Outcome::done ? "done" : "failed"},
                              {"dataset", dataset}, {"algorithm", algorithm},
                              {"repeat", repeat},   {"fold", fold}};
  json["stage"] = stage ? nlohmann::json(*stage) : nlohmann::json(nullptr);
  if (outcome == Outcome::failed) json["error"] = error;
  json["metrics"] = nlohmann::json::object();
  for (const auto& [name, value] : metrics) json["metrics"][name] = number_json(value);
  json["parameters"] = parameters;
  json["details"] = details;
  std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.pop_back();  // the closing brace comes after the checksum
  return fmt::format("{}{}{}\"}}\n", text, checksum_key, checksum(text));
}

std::optional<TrialRecord> TrialRecord::parse(std::string_view line, RecordParts parts) {
  const std::size_t tail = checksum_key.size() + checksum_digits + 2;
  if (line.size() < tail || line.substr(line.size() - tail, checksum_key.size()) != checksum_key)
    return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - tail);
  if (checksum(body) != line.substr(line.size() - checksum_digits - 2, checksum_digits)) return std::nullopt;
  // Inside a string a quote has a backslash before it, so that these are keys and nothing else.
  const std::size_t scores_end = body.find(",\"parameters\":");
  if (parts == RecordParts::scores && scores_end != std::string_view::npos &&
      body.find("\"tuning\":", scores_end) == std::string_view::npos) {
    if (auto record = scan_scores(body.substr(0, scores_end))) return record;
  }
  auto json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    TrialRecord record;
    record.trial = json.at("trial");
    record.outcome = json.at("outcome") == "done" ? Outcome::done : Outcome::failed;
    record.error = json.value("error", "");
    record.dataset = json.at("dataset");
    record.algorithm = json.at("algorithm");
    record.repeat = json.at("repeat");
    record.fold = json.at("fold");
    if (!json.at("stage").is_null()) record.stage = json.at("stage").get<double>();
    for (const auto& [name, value] : json.at("metrics").items())
      record.metrics[name] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    record.parameters = std::move(json.at("parameters"));
    record.details = std::move(json.at("details"));
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

JournalContent read_journal(const std::filesystem::path& path, RecordParts parts) {
  JournalContent content;
  if (!std::filesystem::exists(path)) return content;
  const std::string text = read_text(path);
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
  std::vector<std::optional<TrialRecord>> records(lines.size());
  parallel_blocks({}, lines.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) records[i] = TrialRecord::parse(lines[i], parts);
  });
  // A last line without its end was being written when the process died.
  if (!text.empty() && text.back() != '\n') records.back().reset();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (records[i]) {
      content.records[records[i]->trial] = std::move(*records[i]);
    } else {
      content.damaged.emplace_back(lines[i]);
      content.damaged_lines.push_back(i + 1);
    }
  }
  return content;
}

Journal::Journal(const std::filesystem::path& path) : path_(path), content_(read_journal(path)) {
  if (!content_.damaged.empty()) repair();
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw Error(ErrorKind::input_output,
                fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
  sync_folder(path_.parent_path());
  writer_.emplace(mutex_, [this](std::unique_lock<std::mutex>& lock) { write_loop(lock); });
}

Journal::~Journal() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  writer_.reset();
  ::close(descriptor_);
}

void Journal::repair() {
  const std::filesystem::path aside = path_.parent_path() / (path_.stem().string() + ".damaged");
  std::string damaged = std::filesystem::exists(aside) ? read_text(aside) : "";
  for (const std::string& line : content_.damaged) damaged += line + '\n';
  write_atomically(aside, damaged);

  // Every whole line stays as it was, in its order.
  const std::string text = read_text(path_);
  std::string whole;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (TrialRecord::parse(line)) whole.append(line).push_back('\n');
    start = end + 1;
  }
  write_atomically(path_, whole);
}

void Journal::append(const TrialRecord& record) {
  std::string line = record.line();
  {
    const std::scoped_lock lock(mutex_);
    if (!failure_.empty()) throw Error(ErrorKind::input_output, failure_);
    pending_ += line;
  }
  changed_.notify_all();
}

void Journal::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !failure_.empty() || (pending_.empty() && !writing_); });
  if (!failure_.empty()) throw Error(ErrorKind::input_output, failure_);
}

void Journal::write_loop(std::unique_lock<std::mutex>& lock) {
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !pending_.empty(); });
    if (pending_.empty() || !failure_.empty()) return;
    const std::string batch = std::exchange(pending_, {});
    writing_ = true;
    lock.unlock();
    std::string problem = write_batch(batch);
    lock.lock();
    writing_ = false;
    failure_ = std::move(problem);
    changed_.notify_all();
    if (!failure_.empty()) return;
  }
}

std::string Journal::write_batch(std::string_view batch) {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0)
    return fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno));
  const off_t before = status.st_size;
  int code = write_all(descriptor_, batch);
  if (code == 0 && fdatasync(descriptor_) != 0) code = errno;
  if (code == 0) return "";
  const bool restored = ftruncate(descriptor_, before) == 0;
  return fmt::format(
      "cannot write '{}': {}; what was finished before is {}. Make room or choose another folder, and run "
      "the same "
      "command again",
      path_.string(), std::strerror(code), restored ? "saved" : "saved but for a torn last line");
}

}  // namespace coppice

#include "experiments/store/journal.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/fingerprint.h"
#include "experiments/store/files.h"

namespace coppice {

namespace {

constexpr std::string_view checksum_key = ",\"checksum\":\"";
constexpr std::size_t checksum_digits = 16;

/// JSON has no NaN: an undefined value is null.
nlohmann::json number_json(double value) {
  return std::isnan(value) ? nlohmann::json(nullptr) : nlohmann::json(value);
}

/// Reads the part of a record before its parameters without making a tree of it: tables of large runs are
/// waited for. The checksum has vouched for the line.
class ScoreReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  TrialRecord record;

  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool string(string_t& text) override {
    if (key_ == "trial") record.trial = text;
    if (key_ == "outcome")
      record.outcome = text == "done" ? TrialRecord::Outcome::done : TrialRecord::Outcome::failed;
    if (key_ == "error") record.error = text;
    if (key_ == "dataset") record.dataset = text;
    if (key_ == "algorithm") record.algorithm = text;
    return true;
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return number(value); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool null() override {
    if (depth_ == 2) record.metrics[key_] = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  bool boolean(bool /*value*/) override { return false; }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override {
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*count*/) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  bool number(double value) {
    if (depth_ == 2) record.metrics[key_] = value;
    if (depth_ != 1) return true;
    if (key_ == "repeat") record.repeat = static_cast<int>(value);
    if (key_ == "fold") record.fold = static_cast<int>(value);
    if (key_ == "stage") record.stage = value;
    return true;
  }

  std::string key_;
  int depth_ = 0;
};

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
    std::string scores(body.substr(0, scores_end));
    ScoreReader reader;
    if (!nlohmann::json::sax_parse(scores += '}', &reader)) return std::nullopt;
    return std::move(reader.record);
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
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++number;
    const std::size_t end = text.find('\n', start);
    const std::string_view line = std::string_view(text).substr(start, end - start);
    // A last line without its end was being written when the process died.
    auto record = end == std::string::npos ? std::nullopt : TrialRecord::parse(line, parts);
    if (record) {
      content.records[record->trial] = std::move(*record);
    } else {
      content.damaged.emplace_back(line);
      content.damaged_lines.push_back(number);
    }
    if (end == std::string::npos) break;
    start = end + 1;
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
  writer_ = std::thread([this] { write_loop(); });
}

Journal::~Journal() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  writer_.join();
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

void Journal::write_loop() {
  std::unique_lock lock(mutex_);
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
  int code = 0;
  while (!batch.empty() && code == 0) {
    const ssize_t written = ::write(descriptor_, batch.data(), batch.size());
    if (written >= 0)
      batch.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      code = errno;
  }
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

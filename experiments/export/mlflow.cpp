#include "experiments/export/mlflow.h"

#include <cctype>
#include <chrono>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/fingerprint.h"
#include "experiments/store/files.h"
#include "experiments/tables/csv.h"

namespace coppice {

namespace {

namespace fs = std::filesystem;

// Codes of MLflow's own enumerations.
constexpr int run_finished = 3;
constexpr int run_failed = 4;
constexpr int source_local = 4;

/// Names may have letters, digits, '_', '-', '.', ' ' and '/'; the slash would be a folder here.
std::string mlflow_name(const std::string& name) {
  std::string clean;
  for (const char character : name) {
    const auto code = static_cast<unsigned char>(character);
    const bool allowed = std::isalnum(code) != 0 || character == '_' || character == '-' ||
                         character == '.' || character == ' ';
    clean += allowed ? character : '_';
  }
  return clean;
}

/// An export is made anew when it is lost: no need to sync thousands of small files.
void write_small(const fs::path& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream) throw Error(ErrorKind::input_output, fmt::format("cannot write '{}'", path.string()));
}

/// A YAML string that needs no knowledge of YAML's plain ones.
std::string yaml_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string parameter_value_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

long long milliseconds(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::milliseconds>(system.time_since_epoch()).count();
}

/// One run folder.
class RunWriter {
 public:
  RunWriter(const fs::path& experiment, const std::string& experiment_id, const TrialRecord& record,
            long long time)
      : folder_(experiment / record.trial), record_(record), time_(time) {
    fs::remove_all(folder_);
    for (const char* part : {"metrics", "params", "tags", "artifacts"}) make_folder(folder_ / part);
    write_meta(experiment_id);
  }

  void write() const {
    for (const auto& [name, value] : record_.metrics)
      if (!std::isnan(value))
        put("metrics", name, fmt::format("{} {} {}\n", time_, number_text(value), step()));
    for (const auto& [name, value] : record_.parameters.items())
      put("params", name, parameter_value_text(value));
    put("params", "dataset", record_.dataset);
    put("params", "algorithm", record_.algorithm);
    put("params", "repeat", fmt::format("{}", record_.repeat));
    put("params", "fold", fmt::format("{}", record_.fold));
    put("tags", "mlflow.runName", run_name());
    put("tags", "mlflow.source.name", "coppice");
    if (!record_.error.empty()) put("tags", "mlflow.note.content", record_.error);
  }

 private:
  bool done() const { return record_.outcome == TrialRecord::Outcome::done; }
  std::string run_name() const {
    return fmt::format("{} on {}, repeat {}, fold {}", record_.algorithm, record_.dataset, record_.repeat,
                       record_.fold);
  }
  /// MLflow's steps are whole numbers: the staged value, such as the number of trees.
  long long step() const { return record_.stage ? static_cast<long long>(*record_.stage) : 0; }

  void put(const std::string& kind, const std::string& name, const std::string& content) const {
    write_small(folder_ / kind / mlflow_name(name), content);
  }

  void write_meta(const std::string& experiment_id) const {
    std::string meta;
    meta += fmt::format("artifact_uri: {}\n", yaml_quoted((folder_ / "artifacts").string()));
    meta += fmt::format("end_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\n", time_, experiment_id);
    meta += fmt::format("lifecycle_stage: active\nrun_id: {0}\nrun_name: {1}\nrun_uuid: {0}\n",
                        yaml_quoted(record_.trial), yaml_quoted(run_name()));
    meta += fmt::format("source_name: ''\nsource_type: {}\nsource_version: ''\nstart_time: {}\n",
                        source_local, time_);
    meta += fmt::format("status: {}\ntags: []\nuser_id: coppice\n", done() ? run_finished : run_failed);
    write_small(folder_ / "meta.yaml", meta);
  }

  fs::path folder_;
  const TrialRecord& record_;
  long long time_;
};

/// MLflow numbers its experiments: a number that follows from the name, so that exporting again finds it.
std::string experiment_number(const std::string& name) {
  return std::to_string(Fingerprinter().add(name).value().high >> 4);
}

}  // namespace

std::size_t export_mlflow(const ResultFolder& folder, const fs::path& store) {
  const nlohmann::json plan = read_plan(folder);
  const JournalContent journal = read_journal(folder.journal());
  const std::string name = plan["experiment"];
  const std::string id = experiment_number(name);
  const fs::path absolute = fs::absolute(store);
  const fs::path experiment = absolute / id;
  make_folder(experiment);
  // The journal does not keep the time of a trial: all of them get that of its last line.
  const long long time =
      fs::exists(folder.journal()) ? milliseconds(fs::last_write_time(folder.journal())) : 0;
  write_small(experiment / "meta.yaml",
              fmt::format("artifact_location: {}\ncreation_time: {}\nexperiment_id: '{}'\n"
                          "last_update_time: {}\nlifecycle_stage: active\nname: {}\n",
                          yaml_quoted(experiment.string()), time, id, time, yaml_quoted(name)));
  std::size_t runs = 0;
  for (const auto& trial : plan["trials"]) {
    const auto record = journal.records.find(trial["trial"].get<std::string>());
    if (record == journal.records.end()) continue;
    RunWriter(experiment, id, record->second, time).write();
    ++runs;
  }
  return runs;
}

}  // namespace coppice

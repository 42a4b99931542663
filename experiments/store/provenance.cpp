#include "experiments/store/provenance.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/version.h"

namespace coppice {

namespace {

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

nlohmann::ordered_json machine() {
  utsname name{};
  uname(&name);
  double load[1] = {0.0};
  getloadavg(load, 1);
  const auto pages =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return {{"host", name.nodename},
          {"system", fmt::format("{} {}", name.sysname, name.release)},
          {"architecture", name.machine},
          {"processor", processor_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"memory-bytes", static_cast<std::uint64_t>(pages)},
          {"load-at-start", load[0]}};
}

}  // namespace

std::string host_name() {
  utsname name{};
  uname(&name);
  return name.nodename;
}

std::string utc_time() {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
}

nlohmann::ordered_json make_provenance(const Plan& plan, const std::string& command, int jobs,
                                       const nlohmann::json& previous) {
  const BuildInfo& build = build_info();
  nlohmann::ordered_json json{{"coppice", build.version},
                              {"commit", build.commit},
                              {"compiler", build.compiler},
                              {"flags", build.flags},
                              {"result-format", result_format_version},
                              {"seed", plan.experiment.seed},
                              {"config", std::filesystem::absolute(plan.experiment.file).string()}};
  for (const PlannedDataset& dataset : plan.datasets)
    json["datasets"].push_back({{"name", dataset.name},
                                {"fingerprints", dataset.fingerprints},
                                {"features", dataset.features},
                                {"one-hot-encoded-features", dataset.encoded_features},
                                {"notes", dataset.notes}});
  json["runs"] =
      previous.is_object() && previous.contains("runs") ? previous["runs"] : nlohmann::json::array();
  json["runs"].push_back({{"started", utc_time()},
                          {"command", command},
                          {"threads", jobs},
                          {"coppice", version_text()},
                          {"machine", machine()}});
  return json;
}

void finish_provenance(nlohmann::ordered_json& provenance, std::size_t done, std::size_t failed,
                       bool interrupted) {
  auto& run = provenance["runs"].back();
  run["finished"] = utc_time();
  run["trials-done"] = done;
  run["trials-failed"] = failed;
  run["interrupted"] = interrupted;
}

}  // namespace coppice

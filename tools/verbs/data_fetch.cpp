#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/nearest_name.h"
#include "experiments/data/fetch.h"
#include "tools/verbs/data.h"

namespace coppice {

namespace {

void show_progress(const std::string& part, std::uintmax_t done, std::uintmax_t total) {
  const auto megabytes = [](std::uintmax_t bytes) { return static_cast<double>(bytes) / 1e6; };
  fmt::print(stderr, "\r{}: {:.1f} MB", part, megabytes(done));
  if (total > 0) fmt::print(stderr, " of {:.1f} MB", megabytes(total));
}

void fetch(const std::string& name, const std::string& folder) {
  const auto entry = find_in_catalogue(name);
  if (!entry)
    throw Error(ErrorKind::usage, fmt::format("no dataset '{}' in the catalogue{}", name,
                                              did_you_mean(name, catalogue_names())));
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto files =
      fetch_dataset(*entry, folder.empty() ? catalogue_folder() / "files" : std::filesystem::path(folder),
                    terminal ? FetchProgress(show_progress) : FetchProgress());
  if (terminal) fmt::print(stderr, "\n");
  for (const FetchedFile& file : files)
    print(fmt::format("{}: {}{}\n", file.part, file.path.string(),
                      file.was_there ? " (was there, checksum is right)" : ""));
}

}  // namespace

void add_data_fetch(CLI::App& data) {
  struct DataFetchArguments {
    std::string name;
    std::string folder;
  };
  CLI::App* verb =
      data.add_subcommand("fetch", "Download a dataset of the catalogue and check its checksums");
  const auto options = std::make_shared<DataFetchArguments>();
  verb->add_option("NAME", options->name, "As in 'coppice list datasets'")->required();
  verb->add_option("--to", options->folder,
                   "The folder it gets a folder of its own in; datasets/files by default");
  verb->callback([options] { fetch(options->name, options->folder); });
}

}  // namespace coppice

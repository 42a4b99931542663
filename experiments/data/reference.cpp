#include "experiments/data/reference.h"

#include <fmt/format.h>

#include "core/data/generators/generator.h"
#include "core/data/prepare/prepare.h"
#include "core/parameters/reference.h"
#include "experiments/data/catalogue.h"
#include "experiments/data/file_options.h"

namespace coppice {

namespace {

constexpr const char* introduction = R"(# Datasets

Tables on this page are made from the program's own declarations; a test keeps it up to date.

| verb | does |
| --- | --- |
| `coppice list datasets` | Generators and catalogue, and which files are on this machine. |
| `coppice data info DATASET [--json]` | Sizes, kinds of features, missing values, labels, duplicates, label support in each fold. |
| `coppice data convert DATASET --out FILE` | Writes ARFF (sparse), CSV, extreme text or LibSVM. |
| `coppice data generate GENERATOR --out FILE` | Writes made-up data; `extreme` row by row, at any size. |
| `coppice data split DATASET --out FILE` | Writes the folds that an experiment with the same seed uses. |
| `coppice data fetch NAME` | Downloads a dataset of the catalogue and checks its SHA-256. |

DATASET is a name of the catalogue, a generator with parameters (`friedman1-chain:train=300,targets=4`), or a file with options
(`mine.arff:labels=mine.xml`; several values are separated by `;`). In a config the same is written
`- friedman1-chain: {train: 300, targets: 4}` and `- mine: {file: mine.arff, labels: mine.xml}`.

## Files

Every file may be plain or compressed with gzip, xz, bzip2 or zstd; the first bytes tell. Reading is strict: whatever is not as it should be is
refused in one line with file, line, column and what was expected, and the program ends with 2.

| format | suffix | what is read |
| --- | --- | --- |
| `arff` | `.arff` | Dense and sparse ARFF, rows mixed as they come. Labels: a Mulan XML file (`labels`), MEKA's `-C n` in the relation, the columns named by `targets`, or the last so many. An attribute `class hierarchical` (Clus) becomes one label for each node, ancestors included. |
| `csv` | `.csv`, `.tsv` | Fields may be quoted; outputs by `targets`, else the last column. A column with a value that is no number is categorical. Empty, `?` and `NA` are missing. |
| `extreme-text` | `.txt` with a first line `n p d` | `l1,l2 f:v f:v …`, labels and features from 0. |
| `libsvm` | `.svm`, `.libsvm`, `.svmlight` | `label f:v …` or `l1,l2 f:v …`; features from 0 or 1, which is detected and reported. |
| `vowpal-wabbit` | `.vw` | `class \| f:v …`. |

Options of a file are `file`, `test` and `valid` (more files with the same columns; `test` makes the given split, `valid` goes to the training rows),
`labels`, and those that say how it is read:

| option | meaning |
| --- | --- |
)";

constexpr const char* after_options = R"(
A nominal column with two values becomes 0 and 1. One with more stays categorical for algorithms that handle categories and is one-hot encoded for
the others; `data info` and `provenance.json` say how many features that gives.

## Where files are looked for

A dataset of the catalogue is looked for in `--data DIR`, then in `$COPPICE_DATA`, then in `datasets/files`; in each first in a folder of the dataset's
own name. Another compression than the catalogue's will do. The catalogue is `datasets/*.yaml`, or the folder `$COPPICE_CATALOGUE`.

## The cache

What was read from files of 100 kB or more is kept in binary form in `$COPPICE_CACHE`, else in `coppice` below `$XDG_CACHE_HOME` or `~/.cache`. An entry
is found by the content of the files and the options they were read with, is mapped into memory, and carries a version and a checksum: a damaged one
is made anew, with a note. `COPPICE_CACHE=off` switches the cache off. Beyond 20 GiB the entries that were not used for longest are removed.

## Splits

`protocol.test` of a config and `--test` of `data info` and `data split` take the protocols of [config.md](config.md). Splits are plainly random
unless `stratify: true` is said: classes then have their share in every part, and label sets are spread by iterative stratification. A dataset with
`groups` is always cut between groups. Folds that leave a label without a training or test row are told by `check`, `plan` and `run`.
`data split` writes a CSV file with the columns `split`, `part` (`train` or `test`) and `row` (from 0, in the order of the files), and
`test: {folds: FILE}` reads it.

## Preparation

`prepare` of a dataset lists steps that are fitted on the training part of each split only.

| step | what it does |
| --- | --- |
)";

std::string catalogue_table() {
  std::string table =
      "\n## Catalogue\n\n| name | task | rows | features | outputs | domain | origin |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const std::string& name : catalogue_names()) {
    const CatalogueEntry entry = *find_in_catalogue(name);
    const auto size = [&](const char* key) {
      const auto found = entry.shape.find(key);
      return found == entry.shape.end() ? std::string() : std::to_string(found->second);
    };
    const std::string rows =
        entry.shape.contains("test") ? fmt::format("{} + {}", size("train"), size("test")) : size("rows");
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, task_name(entry.task), rows,
                         size("features"), size("outputs"), entry.domain, entry.origin);
  }
  return table;
}

}  // namespace

std::string datasets_reference() {
  std::string page = introduction;
  for (const auto& [name, meaning] : reading_option_meanings())
    page += fmt::format("| `{}` | {} |\n", name, meaning);
  page += after_options;
  for (const PrepareDescription& step : prepare_steps())
    page += fmt::format("| `{}` | {} |\n", step.name, step.summary);
  page += "\n## Generators\n";
  for (const auto& generator : generators()) {
    const GeneratorDescription& description = generator->description();
    page += fmt::format("\n### {}\n\n{} Task: {}. Reference: {}.\n", description.name, description.summary,
                        task_name(description.task), description.reference);
    page += parameter_table(description.parameters);
  }
  return page + catalogue_table();
}

}  // namespace coppice

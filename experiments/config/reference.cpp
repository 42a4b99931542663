#include "experiments/config/reference.h"

#include <fmt/format.h>

#include "experiments/config/protocols.h"

namespace coppice {

namespace {

constexpr const char* introduction = R"(# The config

One YAML file is one experiment. This page is made from the program's own declarations; a test keeps it up to date.
`coppice check FILE` reports every problem of a config at once, `coppice schema` prints its JSON Schema for editors.

| key | meaning |
| --- | --- |
| `name` | Names the experiment; results go to `results/<name>`. Letters, digits, `-`, `_`, `.`. |
| `seed` | A whole number from which all randomness follows. |
| `datasets` | A list. An item is a name of the catalogue, a generator, or a name with options: `- friedman1-chain: {train: 300}`, `- my-data: {file: data/mine.arff}`. See [datasets.md](datasets.md). |
| `datasets[].prepare` | A list of steps, fitted on the training part only: `prepare: [impute, standardise-inputs]`; see [datasets.md](datasets.md). |
| `datasets[].training_rows` | Trains on so many rows of each training part (or on a share of them, below 1), drawn at random; smaller numbers get parts of larger ones. A list makes a dataset of each, `yeast training_rows=100`, and the report draws the learning curve: `- yeast: {training_rows: [100, 300, 1000]}`. |
| `datasets[].data` | The name in the catalogue (and in the names of fold files) where the entry is called otherwise: `- yeast-small: {data: yeast, training_rows: 0.1}`. |
| `absent` | What to do about datasets of the catalogue whose files are not on this machine: `error` (the default), or `skip`: they are reported and the rest runs. |
| `protocol.test` | How test rows are chosen, see below; `given` by default. |
| `protocol.repeats` | How often everything is repeated with a fresh split and a fresh model seed; 1 by default. |
| `algorithms` | A list. An item is a name or a name with settings: `- random-forest: {id: RF, trees: 100}`. `id` is the name in the tables. Parameters: see [algorithms.md](algorithms.md). |
| `algorithms[].sweep` | Parameters with lists of values; every combination is its own row: `sweep: {trees: [10, 100]}`. Values of a staged parameter are answered by one fit, unless a metric measures the fit itself (seconds, bytes). |
| `algorithms[].tune` | Parameters whose best values are found inside the training part: `tune: {learning_rate: [1, 0.1], max_leaves: {integer: [2, 8]}, iterations: {upto: 1000}, search: {random: 20}}`. See below and [sweeps.md](sweeps.md). |
| `protocol.select` | How `tune` compares values: `{holdout: 0.2, metric: lrap}` or `{kfold: 5, repeats: 2, stratify: true, metric: [lrap, r2-macro], rule: one-standard-error}`. By default a fifth is held out and the first metric of the experiment that is a score decides. The chosen setting is then fitted on the whole training part; with `refit: false` (one held-out part only) the model that was compared is tested itself. |
| `algorithms[].budget` | `{times: 100, of: ID}`: as many iterations (or trees) as take 100 times as long as one of the entry `ID`. The number is measured once for every dataset, setting and folder, and kept in `budgets.json` there. With `tune` every setting of the grid has its own. |
| `timing` | `shared` (the default), or `exclusive`: one trial at a time, for benchmarks. |
| `plugins` | Shared libraries with algorithms of your own: `plugins: [./libmine.so]`, relative to the config. See [adding-an-algorithm.md](adding-an-algorithm.md). |
| `include` | A file or a list of files whose content holds unless it is given here. Mappings are put together, lists replaced. YAML's own anchors and `<<` work too. |
| `metrics` | A list of names, see [metrics.md](metrics.md). A metric is computed on the datasets whose task it is defined for. |
| `expect` | Published figures: `source: "…"`, then `metric: {dataset: {algorithm: 0.384 ± 0.004}}`. |

Numbers may be expressions of n (training rows), p (features) and d (outputs): `sqrt(p)`, `ln(d)`, `p/3`, `max(1, 0.1*p)`. Functions: sqrt, ln, log2,
log10, exp, abs, floor, ceil, round, min, max. A key that nobody knows, a value of the wrong type or out of range is an error with its
place, never a silent default.

## Values to sweep or tune

| form | values |
| --- | --- |
| `[1, 2, 5]` | these |
| `{from: 1, to: 9, step: 2}` | 1, 3, 5, 7, 9 |
| `{from: 1, to: 64, times: 2}` | 1, 2, 4, … 64 |
| `{uniform: [0, 1]}`, `{log-uniform: [0.001, 1]}` | drawn; in a sweep with `draws: 5` |
| `{integer: [1, 9]}`, `{log-integer: [1, 1000]}` | drawn whole numbers, both ends included |
| `{upto: 1000}` | every stage of a staged parameter, from one fit; `tune` only |

`search` of `tune` is `grid`, `{random: 50}`, `{halving: {trials: 27, factor: 3, resource: rows}}`, `{hyperband: {factor: 3}}` or `{bayes: 30}`.

## Protocols
)";

}  // namespace

std::string config_reference() {
  std::string page = introduction;
  page += "\n| protocol | in a config | meaning |\n| --- | --- | --- |\n";
  for (const ProtocolDescription& protocol : protocol_descriptions())
    page += fmt::format("| {} | `{}` | {} |\n", protocol.name, protocol.form, protocol.summary);
  return page;
}

}  // namespace coppice

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
| `absent` | What to do about datasets of the catalogue whose files are not on this machine: `error` (the default), or `skip`: they are reported and the rest runs. |
| `protocol.test` | How test rows are chosen, see below; `given` by default. |
| `protocol.repeats` | How often everything is repeated with a fresh split and a fresh model seed; 1 by default. |
| `algorithms` | A list. An item is a name or a name with settings: `- random-forest: {id: RF, trees: 100}`. `id` is the name in the tables. Parameters: see [algorithms.md](algorithms.md). |
| `algorithms[].sweep` | Parameters with lists of values; every combination is its own row: `sweep: {trees: [10, 100]}`. Values of a staged parameter are answered by one fit, unless a metric measures the fit itself (seconds, bytes). |
| `metrics` | A list of names, see [metrics.md](metrics.md). A metric is computed on the datasets whose task it is defined for. |
| `expect` | Published figures: `source: "…"`, then `metric: {dataset: {algorithm: 0.384 ± 0.004}}`. |

Numbers may be expressions of n (training rows), p (features) and d (outputs): `sqrt(p)`, `ln(d)`, `p/3`, `max(1, 0.1*p)`. Functions: sqrt, ln, log2,
log10, exp, abs, floor, ceil, round, min, max. A key that nobody knows, a value of the wrong type or out of range is an error with its
place, never a silent default.

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

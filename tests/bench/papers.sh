#!/usr/bin/env bash
# Writes docs/papers.md: every published figure beside ours. With --run it runs the experiments first, which takes about an hour
# of CPU and continues where it was stopped; without, it prints what the folder has.
#   COPPICE_DATA=… tests/bench/papers.sh [--run] [BINARY] [RESULTS] > docs/papers.md
set -euo pipefail
run=false
[ "${1:-}" != --run ] || { run=true; shift; }
project=$(cd "$(dirname "$0")/../.." && pwd)
coppice=$(readlink -f "${1:-$project/build/release/coppice}")
results=${2:-$project/results}
cd "$project"

# section CONFIG WHAT OPTION…: one experiment.
section() {
  local config=$1 what=$2 name folder
  shift 2
  name=$(basename "$config" .yaml)
  folder=$results/$name
  ! $run || "$coppice" run "$config" --out "$folder" "$@" >&2
  [ -e "$folder/plan.json" ] || { printf '\n## %s\n\n%s\n\nNot run.\n' "$name" "$what"; return; }
  printf '\n## %s\n\n%s\n\n```\ncoppice run %s' "$name" "$what" "$config"
  [ $# -eq 0 ] || printf " '%s'" "$@" | sed "s/'\(--[a-z]*\)'/\1/g"
  printf '\ncoppice table results/%s --published\n```\n\n' "$name"
  "$coppice" table "$folder" --published --format markdown | sed 's/^\*\*\([^|]*\)\*\*$/### \1/' | grep -v '| no result |'
}

cat <<'TEXT'
# Reproduced papers

Every figure of a paper that a config of ours can answer with the data at hand, beside ours. Made by `tests/bench/papers.sh`; the rows without a result of
ours (datasets that cannot be had here) are left out.

**In std** is the difference over √(std of ours² + std of theirs²). **agrees**: at most one; **within 2 std**; beyond that **ours is better** or **worse**. Papers that print no
deviation are judged by ours alone, which is strict: what another split or seed does to *their* figure is not known.
TEXT
section configs/papers/joly-2014-table1.yaml 'Random forests on gaussian output spaces, label ranking average precision, ten random splits of the published sizes (bibtex: one of them).' \
  --only dataset=emotions,dataset=scene,dataset=yeast,dataset=genbase,dataset=enron,dataset=bibtex
section configs/papers/joly-2014-extra-trees.yaml 'The same with extra-trees.' \
  --only dataset=emotions,dataset=scene,dataset=yeast,dataset=genbase,dataset=enron
section configs/papers/joly-2014-table1-official.yaml 'The same table on the official splits, five seeds: the paper draws its splits, so its deviations have them and ours only the seeds. The official split of diatoms is a hard one; on random splits of the same sizes its figures are the paper'"'"'s.'
section configs/papers/joly-2012-l1-table7-1.yaml 'L1-compressed extra-trees, t by ten-fold cross-validation. The thesis prints no deviations; SEFTi is not public. [compressed-forests.md](compressed-forests.md) tells more.'
section configs/papers/joly-2012-l1-figure7-2.yaml 'Error and size along the path, 50 runs.'
section configs/papers/zhang-2010-table3.yaml 'Random decision trees, five folds.'
section configs/papers/siblini-2018-table2.yaml 'CRAFTML, given splits, three seeds. The paper has another split of delicious. [craftml.md](craftml.md) tells what its inputs need.' \
  --only dataset=bibtex,dataset=delicious
section configs/papers/joly-2016-chapter6-table6-1.yaml 'Boosting on the friedman1 tasks, macro-r², five draws, a reduced grid; the model that was compared is tested. [boosting.md](boosting.md#beside-the-thesis) tells more.'
section configs/papers/joly-2016-chapter6-table6-3.yaml 'The same with 16 outputs more that are pure noise; the score is over all 32. The order of the methods is the thesis'"'"' on all three.'
section configs/papers/joly-2016-chapter6-table6-5-small.yaml 'Boosting and forests on multi-label sets, five random splits, 100 times the time of a step of gbmort with stumps, a reduced grid.'
section configs/papers/joly-2016-chapter6-table6-5-bibtex.yaml 'The same on bibtex, with a budget in steps, since our stumps of sparse data are so fast that the thesis'"'"' budget in time would leave 13 to 75 steps of gbmort.'
section configs/papers/joly-2016-chapter6-table6-5-delicious.yaml 'The same on delicious. The random forest of one split is 0.014 above the thesis, too; what the methods gain over it is what they gain there.'
section configs/papers/joly-2016-chapter6-table6-8.yaml 'The same on multi-output regression sets, 500 times that time.'
section configs/papers/joly-2014-timing.yaml 'CPU seconds of training on delicious; the paper has a Mac Pro of 2009 and counts reading the data.'
cat <<'TEXT'

## Statistics of the thesis

Tables 6.5 to 6.9 of Joly's thesis: from the published means our Friedman test, critical difference and Wilcoxon tests give its figures. The thesis prints three or four digits
but tested unrounded means, and our copy of the text has lost nine of them; so the test asks that among means that round to the printed ones some give the printed p-values, and all lead to the same conclusions.

| figure | theirs | ours | verdict | command |
| --- | --- | --- | --- | --- |
| Friedman p, 21 multi-label datasets, 8 methods (Tables 6.5, 6.6) | 1.36e-10 | 1.36e-10 is among them, all below 1e-7 | agrees | `unit_tests --test-case='the thesis*'` |
| critical difference | 2.29 | 2.29 | agrees | the same |
| 28 Wilcoxon p-values (Table 6.7) | | each is among them, with its direction | agrees | the same |
| Friedman p, 8 regression datasets (Table 6.8) | 0.3 | 0.3 is among them, all above 0.05 | agrees | the same |
| 28 Wilcoxon p-values (Table 6.9) | | each is among them, with its direction | agrees | the same |

## Curves without numbers

These configs draw a figure of a paper that prints no numbers: there is nothing to judge, and none was run for this page. `coppice run CONFIG`, then `coppice report`, shows the curve.
[random-output-forests.md](random-output-forests.md) has numbers of the bias and variance experiment.

| config | figure |
| --- | --- |
TEXT
for config in configs/papers/*.yaml; do
  grep -q '^expect:' "$config" || printf '| `%s` | %s |\n' "$config" "$(sed -n '/^#/!q; s/^# *//p' "$config" | tr '\n' ' ' | sed -E 's/^(.{0,140}[.:]) .*/\1/')"
done
cat <<'TEXT'

## Not run

- Datasets of Table 1 and Table 5.2 (thesis) that cannot be had here: tmc2007, reuters, medical, mediamill, yeast-go, cal500, wipo, eurlex, bookmarks, corel5k, scop-go, drug- and protein-interaction,
  expression-go. Those of CRAFTML: mediamill, eurlex-4k, wiki10-31k and the five large ones, and so its Table 3 (`siblini-2018-table3.yaml`).
- diatoms and delicious of Table 5.2 and with q = d of Table 1, bibtex of Table 5.2: they run, but were left out here for time.
- `siblini-2018-scale.yaml`: see [benchmarks.md](benchmarks.md).
TEXT

#!/usr/bin/env bash
# Tables, comparisons, report and exports as a user asks for them: every option, an unfinished run, a hostile name, a narrow terminal.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$(dirname "$0")/support.sh"

cat > mine.yaml <<'YAML'
name: mine
seed: 5
datasets:
  - '<script>alert(1)</script>': {generator: multilabel, train: 40, test: 40, labels: 5}
  - small: {generator: multilabel, train: 60, test: 40, labels: 5}
  - large: {generator: multilabel, train: 120, test: 40, labels: 5}
protocol: {test: given, repeats: 3}
algorithms:
  - constant
  - random-forest: {id: RF, sweep: {trees: [2, 8], max_depth: [1, 4]}}
metrics: [lrap, precision@1, nodes]
expect:
  source: "A paper, Table 1"
  lrap: {small: {constant: 0.5 ± 0.1, RF trees=2 max_depth=1: 0.6}}
YAML

# An unfinished run: what is there is shown, what is missing marked.
"$coppice" run mine.yaml --quiet --only dataset=small
expect_exit 0 "$coppice" table results/mine --metric lrap
expect_out '† not all trials'
expect_exit 0 "$coppice" report results/mine
expect_out '15 of 45 trials so far; make it again later, or use --watch'
grep -qF 'Unfinished: 30 of 45 trials have no result yet' results/mine/report.html || fail 'the report does not say that it is unfinished'
grep -qF 'Already decided' results/mine/report.html || fail 'the report does not say what is decided'
expect_exit 0 "$coppice" export results/mine --out early
[ "$(wc -l < early/results.csv)" -eq 46 ] || fail 'export of an unfinished run: 15 trials × 3 metrics and a header'

# The page follows the run and stops with it.
"$coppice" report results/mine --watch --every 1 > watch.txt &
watcher=$!
for ((i = 0; i < 100; i++)); do [ ! -s watch.txt ] || break; sleep 0.1; done
grep -qF '<meta http-equiv="refresh" content="1">' results/mine/report.html || fail 'a watched page does not follow'
"$coppice" run mine.yaml --quiet
wait "$watcher" || fail 'report --watch did not end well'
grep -qF '45 of 45 trials, 0 failed' watch.txt || fail 'report --watch did not see the end'
grep -qF 'http-equiv="refresh"' results/mine/report.html && fail 'a finished page still loads itself anew'
"$coppice" run mine.yaml --quiet --out part --only dataset=small
"$coppice" report part --watch > /dev/null &
watcher=$!
sleep 1
kill -INT "$watcher"
code=0
wait "$watcher" || code=$?
[ "$code" -eq 130 ] || fail "an interrupted --watch ends with $code instead of 130"

# Tables.
expect_exit 0 "$coppice" table results/mine
expect_out 'lrap: ours beside published'
expect_exit 0 "$coppice" table results/mine --published --format csv
expect_out 'dataset,'
expect_exit 2 "$coppice" table results/mine --published --metric nodes
expect_err "the config's 'expect'"
expect_exit 0 "$coppice" table results/mine --metric lrap --pivot trees
expect_out 'trees=8'
expect_exit 0 "$coppice" table results/mine --metric lrap --pivot trees --rows algorithms
expect_exit 2 "$coppice" table results/mine --pivot tres
expect_err 'did you mean trees?'
expect_exit 0 "$coppice" table results/mine --joined
expect_out 'precision@1, small'
expect_exit 0 "$coppice" table results/mine --only dataset=small,algorithm=RF --no-ranks --metric lrap
if grep -qF -e constant -e large -e '(rank)' out.txt; then fail '--only and --no-ranks left something in'; fi
expect_exit 2 "$coppice" table results/mine --only dataset=smal
expect_err 'did you mean small?'
expect_exit 0 "$coppice" table results/mine --metric lrap --baseline constant --alpha 0.2
expect_out 'better, worse than constant'
expect_exit 2 "$coppice" table results/mine --alpha 2
expect_exit 0 "$coppice" table results/mine --metric lrap --format html
expect_out '&lt;script&gt;'
[ -s results/mine/tables/lrap-published.tex ] || fail 'tables/ lacks the published values'

# A narrow terminal: no line is wider than it.
if ! script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
  echo 'skipped: a narrow terminal (this machine gives no pseudo-terminal)'
else
  script -qec "stty cols 60; '$coppice' table results/mine --metric lrap --no-ranks" /dev/null < /dev/null |
    sed 's/\x1b\[[0-9;]*m//g' | tr -d '\r' > narrow.txt
  [ -s narrow.txt ] || fail 'nothing on a narrow terminal'
  [ "$(LC_ALL=C.UTF-8 wc -L < narrow.txt)" -le 60 ] || { cat narrow.txt >&2; fail 'a line is wider than the terminal'; }
fi

# Comparisons.
expect_exit 0 "$coppice" compare results/mine --metric lrap --zeros pratt --rope 0.05 --table ranks --table datasets
expect_out 'average ranks over 3 datasets'
expect_out 'paired t-tests on each dataset'
expect_exit 2 "$coppice" compare results/mine --zeros none
expect_exit 2 "$coppice" compare results/mine --rope -1
expect_exit 2 "$coppice" compare results/mine --table rank
expect_err 'did you mean ranks?'
for name in cd.svg cd.tex; do
  expect_exit 0 "$coppice" compare results/mine --metric lrap --diagram "$name"
  [ -s "$name" ] || fail "$name was not written"
done
expect_exit 2 "$coppice" compare results/mine --metric lrap --diagram cd.png
expect_err '.svg, .tex or .tikz'
expect_exit 2 "$coppice" compare results/mine --diagram cd.svg

# The report.
expect_exit 0 "$coppice" report results/mine --figures figures
for name in cost-nodes-lrap-small curve-trees-lrap-small heat-rf-trees-max-depth-lrap-small boxes-lrap-small \
  learning-lrap-multilabel--30-features--5-outputs- critical-difference-lrap; do
  [ -s "figures/$name.svg" ] && [ -s "figures/$name.csv" ] || { ls figures >&2; fail "figures/$name is missing"; }
done
if grep -qF '<script>alert' results/mine/report.html figures/*.svg; then fail 'a name became markup'; fi
expect_exit 2 "$coppice" report results/mine --watch --every 0

# Exports.
expect_exit 0 "$coppice" schema results
expect_exit 2 "$coppice" schema result
expect_err 'did you mean results?'
expect_exit 0 "$coppice" export results/mine --out tidy
expect_exit 0 "$coppice" export results/mine --format json --out tidy
expect_exit 0 "$coppice" export results/mine --format mlflow --out mlruns
expect_out 'mlruns: 45 runs'
expect_exit 2 "$coppice" export results/mine --format xml --out tidy
cmp tidy/results.csv results/mine/results.csv
cmp tidy/results.json results/mine/results.json
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import pandas' 2> /dev/null; then python=$candidate; fi
done
if [ -n "$python" ]; then
  expect_exit 0 "$python" "$project/docs/examples/read_results.py" tidy lrap
  expect_out 'RF trees=8 max_depth=4'
else
  echo 'skipped: python3 has no pandas, so docs/examples/read_results.py was not tried'
fi

# A learning curve of one dataset.
cat > curve.yaml <<'YAML'
name: curve
seed: 5
datasets: [multilabel: {train: 120, test: 40, labels: 5, seed: 1, training_rows: [10, 40, 0.9]}]
protocol: {test: given, repeats: 2}
algorithms: [decision-tree]
metrics: [lrap]
YAML
expect_exit 0 "$coppice" run curve.yaml
expect_out 'multilabel training_rows=10'
expect_exit 0 "$coppice" report results/curve --figures curves
grep -qF 'lrap over training rows on multilabel' results/curve/report.html || fail 'the report has no learning curve'
[ "$(cut -d, -f3 curves/*learning*.csv | grep -cE '^(10|40|108)$')" -eq 3 ] || { cat curves/*learning*.csv >&2; fail 'the learning curve has not its three points'; }
expect_exit 2 "$coppice" data info multilabel:train=20,training_rows=5
expect_err 'is for the datasets of a config'
echo "report: tables, comparisons, pages and exports as expected"

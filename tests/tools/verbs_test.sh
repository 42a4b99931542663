#!/usr/bin/env bash
# Every verb once as a user types it, and what goes wrong when she mistypes.
. "$(dirname "$0")/support.sh"

expect_exit 0 "$coppice" --help
expect_exit 0 "$coppice" --version
expect_exit 2 "$coppice"
expect_exit 2 "$coppice" rum small.yaml
expect_err 'did you mean run?'
expect_exit 2 "$coppice" run
expect_exit 2 "$coppice" run no-such.yaml
expect_err "cannot read config 'no-such.yaml'"
expect_exit 2 "$coppice" run small.yaml --jobs 0
expect_exit 2 "$coppice" run small.yaml --jobs many

# check: five mistakes, five messages, nothing run
cat > bad.yaml <<'YAML'
name: bad
seed: minus
datasets: [friedman1-chian]
protocol: {test: given, repeats: 0}
algorithms:
  - random-forest: {trees: 10, treees: 3}
  - random-forst
metrics: [r2-macro]
YAML
for verb in check run plan; do
  expect_exit 2 "$coppice" "$verb" bad.yaml
  expect_err 'bad.yaml:2:7: seed: expected a whole number'
  expect_err 'bad.yaml:3:12: no dataset'
  expect_err 'did you mean friedman1-chain?'
  expect_err 'bad.yaml:4:34: repeats: 0 is out of range'
  expect_err "bad.yaml:6:32: random-forest has no parameter 'treees'; did you mean trees?"
  expect_err "bad.yaml:7:5: no algorithm 'random-forst'; did you mean random-forest?"
  expect_err '5 problems; nothing was run.'
done
[ ! -e results ] || fail 'a wrong config left a results folder'

expect_exit 0 "$coppice" check small.yaml
expect_exit 0 "$coppice" plan small.yaml
expect_out '40 trials: 0 already done, 40 to run in 32 fits (8 fits saved by staging)'
expect_exit 0 "$coppice" plan small.yaml --json

# run, resume, tables
expect_exit 0 "$coppice" run small.yaml
expect_out 'average rank'
expect_err '40 trials (32 fits, 8 shared)'
for file in experiment.yaml provenance.json trials.jsonl results.json results.csv summary.csv tables/lrap.tex tables/r2-macro.md; do
  [ -s "results/small/$file" ] || fail "results/small/$file is missing"
done
[ "$(head -1 results/small/results.csv)" = 'dataset,algorithm,repeat,fold,stage,metric,value' ] || fail 'results.csv header'
[ "$(head -1 results/small/summary.csv)" = 'dataset,algorithm,metric,mean,std,count' ] || fail 'summary.csv header'
cp -r results/small first
expect_exit 0 "$coppice" run small.yaml --quiet
[ ! -s out.txt ] && [ ! -s err.txt ] || fail '--quiet printed something'
cmp first/results.csv results/small/results.csv
cmp first/trials.jsonl results/small/trials.jsonl
expect_exit 0 "$coppice" run small.yaml
expect_err '40 already done'

for format in text markdown csv latex html; do expect_exit 0 "$coppice" table results/small --format "$format" --metric lrap; done
expect_exit 0 "$coppice" table results/small --json
expect_exit 0 "$coppice" table results/small --rows algorithms --metric nodes
expect_exit 2 "$coppice" table results/small --format word
expect_exit 2 "$coppice" table results/small --metric mse
expect_err "no metric 'mse'; they have r2-macro, lrap, precision@1, nodes"
expect_exit 2 "$coppice" table nowhere
expect_err 'is not a results folder'
"$coppice" table results/small | head -1 > /dev/null # a reader that goes away

expect_exit 0 "$coppice" compare results/small --metric lrap
expect_exit 0 "$coppice" compare results/small --json
expect_exit 0 "$coppice" compare results/small --format latex --baseline constant
expect_exit 2 "$coppice" compare results/small results/small
expect_err 'two of the folders have results'

expect_exit 0 "$coppice" report results/small --figures figures
[ -s results/small/report.html ] || fail 'report.html is missing'
ls figures/*.svg > /dev/null
expect_exit 2 "$coppice" report nowhere

# --set, --only, --out, --fresh, a folder of another experiment
expect_exit 0 "$coppice" run small.yaml --out other --set protocol.repeats=1 --set algorithms.RF.features=1 --only algorithm=RF,dataset=multilabel
expect_err '2 of them selected'
expect_exit 2 "$coppice" run small.yaml --set name=another --out other
expect_err "holds the results of experiment 'small', not of 'another'"
expect_exit 0 "$coppice" run small.yaml --set name=another --out other --fresh --quiet
mkdir foreign && touch foreign/thesis.txt
expect_exit 2 "$coppice" run small.yaml --out foreign
expect_err "it has 'thesis.txt'"
expect_exit 2 "$coppice" run small.yaml --set nonsense

# one model
expect_exit 0 "$coppice" train random-forest friedman1-chain:train=200,targets=3 --set trees=5 --out forest.coppice
expect_exit 0 "$coppice" evaluate forest.coppice friedman1-chain:train=200,targets=3 --metric r2-macro
expect_exit 0 "$coppice" predict forest.coppice friedman1-chain:train=200,test=10,targets=3
[ "$(wc -l < out.txt)" -eq 31 ] || fail 'predict: one line per row and output, and a header'
expect_exit 0 "$coppice" predict forest.coppice friedman1-chain:train=200,test=10,targets=3 --format json --out predictions.json
[ "$(wc -l < predictions.json)" -eq 10 ] || fail 'predict --format json: one line per row'
expect_exit 2 "$coppice" predict forest.coppice friedman1-chain:train=200,test=10,targets=3 --top 2
expect_err 'has real outputs'
for algorithm in random-forest craftml; do
  expect_exit 0 "$coppice" train "$algorithm" multilabel:train=200,test=10,labels=9 --set trees=5 --out labels.coppice
  expect_exit 0 "$coppice" predict labels.coppice multilabel:train=200,test=10,labels=9
  sed 1d out.txt | LC_ALL=C sort -s -t, -k1,1n -k3,3gr | awk -F, '$1 != row { row = $1; listed = 0 } listed++ < 2' > best.txt
  expect_exit 0 "$coppice" predict labels.coppice multilabel:train=200,test=10,labels=9 --top 2
  sed 1d out.txt | cmp -s - best.txt || fail "predict --top: the two best labels of each row, of $algorithm"
done
expect_exit 2 "$coppice" predict labels.coppice multilabel:train=200,test=10,labels=9 --top 0
expect_exit 0 "$coppice" inspect forest.coppice
expect_out 'random-forest'
expect_exit 0 "$coppice" inspect forest.coppice --json
expect_exit 2 "$coppice" evaluate forest.coppice friedman1-chain:train=200,targets=4
expect_err 'has 4 outputs, the model was fitted on 3'
head -c 1000 forest.coppice > cut.coppice
expect_exit 2 "$coppice" inspect cut.coppice
expect_err 'truncated or damaged'
expect_exit 2 "$coppice" inspect small.yaml
expect_err 'is not a coppice model'
expect_exit 2 "$coppice" train random-forest friedman1-chain --set treees=5
expect_err 'did you mean trees?'
expect_exit 2 "$coppice" train random-forest no-such-data
expect_exit 2 "$coppice" train forest friedman1-chain

# what there is
for what in algorithms datasets metrics protocols; do
  expect_exit 0 "$coppice" list "$what"
  expect_exit 0 "$coppice" list "$what" --json
done
expect_exit 2 "$coppice" list metric
expect_err 'did you mean metrics?'
for name in random-forest lrap precision@3 friedman1-chain kfold; do
  expect_exit 0 "$coppice" describe "$name"
  expect_exit 0 "$coppice" describe "$name" --json
done
expect_exit 2 "$coppice" describe lrop
expect_err 'did you mean lrap?'
expect_exit 0 "$coppice" schema
echo "verbs: all as expected"

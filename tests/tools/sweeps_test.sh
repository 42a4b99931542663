#!/usr/bin/env bash
# Tuning, isolation, limits, forecasts, and the verbs that tell where numbers come from, as a user types them.
. "$(dirname "$0")/support.sh"
export COPPICE_FAULTY=1

cat > tuned.yaml <<'YAML'
include: small.yaml
name: tuned
protocol: {repeats: 2, select: {kfold: 2, metric: [r2-macro, lrap]}}
algorithms:
  - constant
  - extra-trees: {id: ET, tune: {trees: {upto: 8}, min_samples_leaf: {integer: [1, 9]}, search: {random: 3}}}
YAML
expect_exit 0 "$coppice" plan tuned.yaml --probe 0.2
expect_out '24 fits to tune, inside the training parts'
expect_out 'of CPU time'
expect_exit 0 "$coppice" run tuned.yaml --isolate
expect_err '8 trials (8 fits, 0 shared), 24 fits to tune'
expect_exit 0 "$coppice" table results/tuned --chosen
expect_out 'ET, multilabel, repeat 1, fold 0'
expect_exit 0 "$coppice" table results/tuned --chosen --format csv
[ "$(wc -l < out.txt)" -eq 5 ] || fail 'table --chosen --format csv: four rows and a header'
expect_exit 0 "$coppice" run tuned.yaml --out together --quiet
cmp together/results.csv results/tuned/results.csv

# where a number comes from, and whether it comes again
expect_exit 0 "$coppice" explain results/tuned --cell multilabel,ET,lrap
expect_out 'tuned.yaml:6:5 (algorithm)'
expect_out 'small.yaml:5:5 (dataset)'
expect_out 'chosen {"min_samples_leaf":'
again=$(sed -n 's/^compute it again: coppice //p' out.txt)
expect_exit 0 bash -c "'$coppice' $again"
expect_out '2 of 2 finished trials run again: every number is the same'
expect_exit 0 "$coppice" explain results/tuned --cell multilabel,ET,lrap --json
expect_exit 2 "$coppice" explain results/tuned --cell multilabel,EX,lrap
expect_err "no algorithm 'EX'"
expect_exit 0 "$coppice" verify results/tuned --sample 3 --json
expect_exit 2 "$coppice" verify nowhere
expect_exit 2 "$coppice" verify results/tuned --sample -1
expect_exit 2 "$coppice" verify results/tuned --jobs 0

# what another config would change
sed 's/integer: \[1, 9\]/integer: [1, 8]/; s/repeats: 2/repeats: 3/' tuned.yaml > changed.yaml
expect_exit 0 "$coppice" diff tuned.yaml changed.yaml --probe 0.1
expect_out '8 trials added'
expect_out '4 reused, 4 orphaned'
expect_exit 0 "$coppice" diff tuned.yaml changed.yaml --json --probe 0.1

# failures are outcomes, and the next run treats them as asked
cat > faulty.yaml <<'YAML'
name: faulty
seed: 1
datasets: [friedman1-chain: {train: 30, test: 20}]
protocol: {repeats: 2}
algorithms:
  - constant
  - faulty: {id: throws, how: error}
  - faulty: {id: aborts, how: abort}
  - faulty: {id: crashes, how: crash}
  - faulty: {id: hangs, how: hang}
  - faulty: {id: allocates, how: allocate}
  - faulty: {id: huge, bytes: 9e12}
metrics: [r2-macro]
YAML
expect_exit 1 "$coppice" run faulty.yaml --isolate --time-limit 5s --memory 600MiB
expect_err '12 trials failed'
for reason in 'asked to fail' 'signal 6' 'signal 11' 'the time limit of 5 s was exceeded' 'out of memory' 'MiB of memory, more than the 600 MiB allowed'; do expect_err "$reason"; done
[ "$(grep -c '"outcome":"done"' results/faulty/trials.jsonl)" -eq 2 ] || fail 'the others did not finish'
expect_exit 0 "$coppice" run faulty.yaml --retry none
expect_err '2 already done, 12 failed before and left so'
[ "$(wc -l < results/faulty/trials.jsonl)" -eq 14 ] || fail '--retry none ran something'
expect_exit 1 "$coppice" run faulty.yaml --only algorithm=throws --quiet
[ "$(wc -l < results/faulty/trials.jsonl)" -eq 16 ] || fail 'failures were not tried again'
expect_exit 2 "$coppice" run faulty.yaml --retry some
expect_exit 2 "$coppice" run faulty.yaml --time-limit soon
expect_err '--time-limit: expected a duration'
expect_exit 2 "$coppice" run faulty.yaml --memory much
expect_exit 2 "$coppice" run faulty.yaml --budget 8G
expect_err '--budget: expected a duration such as 90s, 30m, 2h or 1h30m, or memory such as 8GiB'
expect_exit 2 "$coppice" runn faulty.yaml
expect_err "no verb 'runn'; did you mean run?"
unset COPPICE_FAULTY
expect_exit 2 "$coppice" check faulty.yaml
expect_err "no algorithm 'faulty'"
export COPPICE_FAULTY=1

# a budget of time: a complete coarse table first, the rest later
cat > slow.yaml <<'YAML'
name: slow
seed: 1
datasets: [friedman1-chain: {train: 300, test: 20}, friedman1-ind: {train: 300, test: 20}]
protocol: {repeats: 200}
algorithms: [constant, random-forest: {id: slow, trees: 500}]
metrics: [r2-macro]
YAML
expect_exit 1 "$coppice" plan slow.yaml --budget 2s --jobs 1
expect_out 'over budget: it takes about'
expect_exit 0 "$coppice" plan slow.yaml --budget 1h --jobs 1
expect_exit 0 "$coppice" plan slow.yaml --budget 20s --jobs 1 --only algorithm=constant
expect_out '400 trials: 0 already done, 400 to run in 400 fits'
expect_exit 2 "$coppice" plan slow.yaml --jobs 0
expect_exit 2 "$coppice" plan slow.yaml --probe -1
expect_exit 1 "$coppice" plan slow.yaml --budget 1MiB --jobs 1
expect_exit 0 "$coppice" run slow.yaml --budget 2s --jobs 1
expect_err 'Run the same command again to go on'
expect_err 'trials were not started'
for dataset in friedman1-chain friedman1-ind; do
  for algorithm in constant slow; do
    grep -q "^$dataset,$algorithm,0,0," results/slow/results.csv || fail "no first result of $algorithm on $dataset"
  done
done
! grep -q '^friedman1-chain,slow,199,' results/slow/results.csv || fail 'everything was run in spite of the budget'

# a config that includes another with a mistake says in which file
sed 's/trees: 20}/trees: -1}/' small.yaml > wrong.yaml
printf 'include: wrong.yaml\nname: top\n' > top.yaml
expect_exit 2 "$coppice" check top.yaml
expect_err 'wrong.yaml:10:'

# a full disk, where one can be made
if mkdir disk && mount -t tmpfs -o size=64k tmpfs disk 2> /dev/null; then
  expect_exit 1 "$coppice" run small.yaml --out disk/full
  expect_err 'No space left on device'
  expect_err 'ake room or choose another folder'
  mount -o remount,size=16m disk
  expect_exit 0 "$coppice" run small.yaml --out disk/full --quiet
  "$coppice" run small.yaml --out roomy --quiet
  cmp roomy/results.csv disk/full/results.csv
  mount -o remount,ro disk
  expect_exit 1 "$coppice" run small.yaml --out disk/full
  expect_err 'Read-only file system'
  umount disk
else
  echo 'skipped: no permission to mount a small file system'
fi
echo "sweeps: all as expected"

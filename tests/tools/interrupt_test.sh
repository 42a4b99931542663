#!/usr/bin/env bash
# Ctrl-C, a full disk, a read-only folder, two runs at once.
. "$(dirname "$0")/support.sh"

cat > long.yaml <<'YAML'
name: long
seed: 1
datasets: [friedman1-ind: {train: 3000, test: 100, targets: 16}]
protocol: {repeats: 50}
algorithms: [constant, random-forest: {id: RF, trees: 500, outputs: separate}]
metrics: [r2-macro]
YAML
# A background job of a script ignores SIGINT unless it is started with job control.
set -m
"$coppice" run long.yaml > out.txt 2> err.txt &
run=$!
for ((i = 0; i < 300; i++)); do
  [ ! -s results/long/trials.jsonl ] || break
  sleep 0.1
done
start=$(date +%s%N)
kill -INT "$run"
code=0
wait "$run" || code=$?
set +m
took=$((($(date +%s%N) - start) / 1000000))
[ "$code" -eq 130 ] || { cat err.txt >&2; fail "exit code $code instead of 130 after Ctrl-C"; }
[ "$took" -lt 4000 ] || fail "Ctrl-C took $took ms"
expect_err 'everything finished is saved'
[ "$(wc -l < results/long/trials.jsonl)" -ge 1 ] || fail 'nothing was saved'
[ -s results/long/results.csv ] || fail 'results.csv was not written'

# The second of two runs in one folder refuses. The first is waited for by what it prints once it has the folder: a look at the lock itself
# would take it for a moment, and the first run could find it taken.
: > first.txt
"$coppice" run long.yaml > first.txt 2>&1 &
run=$!
for ((i = 0; i < 300; i++)); do
  ! grep -q 'already done' first.txt || break
  sleep 0.1
done
expect_exit 2 timeout 30 "$coppice" run long.yaml
expect_err 'another coppice is running'
kill -TERM "$run"
wait "$run" || true

# A full disk: files may not grow beyond 8 kB.
code=0
(ulimit -f 8; trap '' XFSZ; "$coppice" run small.yaml --out full > out.txt 2> err.txt) || code=$?
[ "$code" -eq 1 ] || { cat err.txt >&2; fail "exit code $code instead of 1 on a full disk"; }
expect_err 'cannot write'
"$coppice" run small.yaml --out full --quiet
"$coppice" run small.yaml --out clean --quiet
cmp clean/results.csv full/results.csv

expect_exit 1 "$coppice" run small.yaml --out /proc/coppice
expect_err 'cannot create folder'
echo "interruptions: all as expected"

#!/usr/bin/env bash
# SIGKILL at random moments, then an undisturbed run: the same final files as a run that was never disturbed.
. "$(dirname "$0")/support.sh"
kills=${2:-200}

sed -i 's/repeats: 4}/repeats: 6, select: {holdout: 0.3, metric: [r2-macro, lrap]}}/
  s/{id: ET, trees: 20}/{id: ET, tune: {trees: {upto: 20}, min_samples_leaf: [1, 2, 4, 8]}}/
  s/decision-tree: {id: CART}/&\n  - extra-trees: {id: bayes, trees: 5, tune: {min_samples_leaf: {integer: [1, 9]}, search: {bayes: 6}}}\n  - extra-trees: {id: hyperband, tune: {trees: {upto: 9}, min_samples_leaf: {integer: [1, 9]}, search: {hyperband: {factor: 3}}}}/' small.yaml
"$coppice" run small.yaml --out clean --jobs 1 --quiet
start=$(date +%s%N)
"$coppice" run small.yaml --out two --jobs 2 --quiet
whole=$((($(date +%s%N) - start) / 1000000))
cmp clean/results.csv two/results.csv
cmp clean/summary.csv two/summary.csv

RANDOM=7 # the same moments each time, as far as the machine's load allows
killed=0
grown=0
searching=0
finished() { if [ -e killed/trials.jsonl ]; then wc -l < killed/trials.jsonl; else echo 0; fi; }
# Until so many were alive to be killed; some have finished before their moment.
for ((i = 0; killed < kills && i < 4 * kills; i++)); do
  # Start over now and then, so that kills fall into every phase of a run.
  [ $((i % 3)) -ne 0 ] || rm -rf killed
  before=$(finished)
  "$coppice" run small.yaml --out killed --jobs 2 --quiet &
  delay=$((RANDOM * whole / 32768)) # some moment of an undisturbed run
  sleep "$((delay / 1000)).$(printf '%03d' $((delay % 1000)))"
  kill -KILL $! 2> /dev/null || true
  status=0
  wait $! 2> /dev/null || status=$?
  after=$(finished)
  [ "$after" -ge "$before" ] || fail "finished trials were lost: $before before, $after after"
  [ "$status" -eq 137 ] || continue # it had ended before
  killed=$((killed + 1))
  [ "$after" -eq "$before" ] || grown=$((grown + 1))
  # A search that was killed in its middle has left inner fits behind.
  [ ! -s killed/tuning.jsonl ] || [ "$after" -eq 84 ] || searching=$((searching + 1))
done
"$coppice" run small.yaml --out killed --jobs 2 --quiet
for file in results.csv summary.csv experiment.yaml plan.json tables/lrap.txt tables/r2-macro.csv; do cmp "clean/$file" "killed/$file"; done
[ "$killed" -eq "$kills" ] || fail "only $killed of $i runs were alive to be killed"
[ "$grown" -gt 0 ] || fail 'no killed run had finished a trial'
[ "$searching" -gt 0 ] || fail 'no killed run had begun to search'
echo "kill test: $killed runs killed, $grown of them had made progress, $searching in the middle of tuning; final files identical"

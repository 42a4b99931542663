#!/usr/bin/env bash
# Files that an earlier version wrote: models load and say what they said, finished trials are not run again.
archive=$(cd "$(dirname "${BASH_SOURCE[0]}")/../fixtures" && pwd)
. "$(dirname "$0")/support.sh"
unset COPPICE_DATA

models=0
for version in "$archive"/version-*; do
  for model in "$version"/models/*.coppice; do
    name=$(basename "$model" .coppice)
    data=multilabel:train=30,test=6,labels=4
    [ "$name" != artificial-gbrt ] || data=friedman1-group:train=30,test=6,targets=2
    expect_exit 0 "$coppice" predict "$model" "$data" --seed 3 --out said.csv
    cmp said.csv "${model%.coppice}.csv" || fail "$model says something else than it did"
    models=$((models + 1))
  done
  cp -r "$version/finished" finished
  expect_exit 0 "$coppice" table finished --format csv
  # Other algorithms may have a new version, and their trials run again; this one has nothing to improve.
  expect_exit 0 "$coppice" run "$version/archive.yaml" --out finished --only algorithm=constant
  expect_err '4 of them selected, 4 already done'
  cmp finished/trials.jsonl "$version/finished/trials.jsonl"
  for folder in finished "$version/finished"; do grep ',constant,' "$folder/results.csv"; done | sort | uniq -c | grep -qv '^ *2 ' &&
    fail 'results of an earlier version changed'
  expect_exit 0 "$coppice" verify finished --sample 0 --only algorithm=constant
  rm -r finished
done
[ "$models" -gt 0 ] || fail 'no archived model was found'
echo "archive: $models models and their folders are as they were"

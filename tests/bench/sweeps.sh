#!/usr/bin/env bash
# How well a sweep uses two threads: many small trials, and few large ones. Prints JSON lines; wants a quiet machine.
#   tests/bench/sweeps.sh [BINARY]
set -euo pipefail
coppice=$(readlink -f "${1:-$(dirname "$0")/../../build/release/coppice}")
work=$(mktemp -d -p "${COPPICE_BENCH_FOLDER:-.}")
trap 'rm -rf "$work"' EXIT

cat > "$work/many-small.yaml" <<'YAML'
name: many-small
seed: 1
datasets: [friedman1-chain: {train: 200, test: 200, targets: 4}]
protocol: {repeats: 1500}
algorithms: [random-forest: {trees: 20}, extra-trees: {trees: 20}]
metrics: [r2-macro]
YAML
cat > "$work/few-large.yaml" <<'YAML'
name: few-large
seed: 1
datasets: [friedman1-chain: {train: 20000, test: 2000, targets: 8}]
protocol: {repeats: 1}
algorithms: [random-forest: {trees: 80}, extra-trees: {trees: 150}, random-forest: {id: separate, trees: 8, outputs: separate}]
metrics: [r2-macro]
YAML

seconds() { # COMMAND…
  local start
  start=$(date +%s.%N)
  "$@" > /dev/null 2>&1
  awk -v s="$start" -v e="$(date +%s.%N)" 'BEGIN { print e - s }'
}

# Two processes side by side show what the machine itself gives: cores that share a cache or a pipeline are no two whole ones.
side_by_side() { # CONFIG
  "$coppice" run "$1" --out "$work/left" --jobs 1 --fresh --quiet &
  "$coppice" run "$1" --out "$work/right" --jobs 1 --fresh --quiet
  wait
}

for name in many-small few-large; do
  config=$work/$name.yaml
  one=$(seconds "$coppice" run "$config" --out "$work/one" --jobs 1 --fresh --quiet)
  two=$(seconds "$coppice" run "$config" --out "$work/two" --jobs 2 --fresh --quiet)
  both=$(seconds side_by_side "$config")
  awk -v n="$name" -v a="$one" -v b="$two" -v c="$both" 'BEGIN { printf "{\"bench\": \"parallel-efficiency\", \"sweep\": \"%s\", \"one\": %.2f, \"two\": %.2f, \"efficiency\": %.3f, \"of-the-machine\": %.3f, \"of-what-it-gives\": %.3f}\n", n, a, b, a / b / 2, a / c, c / b / 2 }'
done

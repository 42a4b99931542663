#!/usr/bin/env bash
# What the framework itself costs: 10,000 trials of `constant` on a tiny dataset, journal synced. Prints one JSON line.
#   tests/bench/overhead.sh [BINARY]
set -euo pipefail
coppice=$(readlink -f "${1:-$(dirname "$0")/../../build/release/coppice}")
work=$(mktemp -d -p "${COPPICE_BENCH_FOLDER:-.}")
trap 'rm -rf "$work"' EXIT
cat > "$work/overhead.yaml" <<'YAML'
name: overhead
seed: 1
datasets:
  - friedman1: {train: 20, test: 20, seed: 1}
protocol: {test: given, repeats: 10000}
algorithms: [constant]
metrics: [r2-macro]
YAML
start=$(date +%s.%N)
"$coppice" run "$work/overhead.yaml" --out "$work/out" --quiet
end=$(date +%s.%N)
trials=$(wc -l < "$work/out/trials.jsonl")
awk -v s="$start" -v e="$end" -v n="$trials" 'BEGIN { printf "{\"bench\": \"overhead\", \"trials\": %d, \"seconds\": %.2f, \"microseconds_per_trial\": %.0f}\n", n, e - s, (e - s) / n * 1e6 }'

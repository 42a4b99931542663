#!/usr/bin/env bash
# How well a sweep uses two threads, and how good forecasts are. Prints JSON lines; wants a quiet machine.
#   tests/bench/sweeps.sh [BINARY [CONFIG…]]
set -euo pipefail
coppice=$(readlink -f "${1:-$(dirname "$0")/../../build/release/coppice}")
shift || true
work=$(mktemp -d -p "${COPPICE_BENCH_FOLDER:-.}")
trap 'rm -rf "$work"' EXIT

cat > "$work/many-small.yaml" <<'YAML'
name: many-small
seed: 1
datasets: [friedman1-chain: {train: 200, test: 200, targets: 4}]
protocol: {repeats: 300}
algorithms: [random-forest: {trees: 20}, extra-trees: {trees: 20}]
metrics: [r2-macro]
YAML
cat > "$work/few-large.yaml" <<'YAML'
name: few-large
seed: 1
datasets: [friedman1-chain: {train: 20000, test: 2000, targets: 8}]
protocol: {repeats: 1}
algorithms: [random-forest: {trees: 100}, extra-trees: {trees: 300}, random-forest: {id: separate, trees: 10, outputs: separate}]
metrics: [r2-macro]
YAML

seconds() { # COMMAND…
  local start
  start=$(date +%s.%N)
  "$@" > /dev/null 2>&1
  awk -v s="$start" -v e="$(date +%s.%N)" 'BEGIN { print e - s }'
}

for name in many-small few-large; do
  one=$(seconds "$coppice" run "$work/$name.yaml" --out "$work/one" --jobs 1 --fresh --quiet)
  two=$(seconds "$coppice" run "$work/$name.yaml" --out "$work/two" --jobs 2 --fresh --quiet)
  awk -v n="$name" -v a="$one" -v b="$two" 'BEGIN { printf "{\"bench\": \"parallel-efficiency\", \"sweep\": \"%s\", \"one\": %.2f, \"two\": %.2f, \"efficiency\": %.3f}\n", n, a, b, a / b / 2 }'
done

# Forecast beside what the run took: CPU seconds of fits, predictions and searches.
for config in "$@"; do
  name=$(basename "$config" .yaml)
  "$coppice" plan "$config" --out "$work/$name" --json > "$work/plan.json" || continue
  "$coppice" run "$config" --out "$work/$name" --quiet > /dev/null 2>&1 || true
  /usr/bin/python3 - "$name" "$work/plan.json" "$work/$name/trials.jsonl" <<'PYTHON'
import json, sys
name, plan, journal = sys.argv[1:]
plan = json.load(open(plan))
taken, seen = 0.0, set()
for line in open(journal):
    record = json.loads(line)
    details = record["details"]
    # trials of one fit share its times
    fit = (record["dataset"], record["algorithm"].split(" ")[0], record["repeat"], record["fold"], details.get("fit-cpu-seconds"))
    if fit in seen:
        continue
    seen.add(fit)
    taken += sum(details.get(part, 0.0) for part in ("fit-cpu-seconds", "predict-cpu-seconds", "tuning-cpu-seconds"))
forecast = plan["forecast"]["cpu-seconds"]
print(json.dumps({"bench": "forecast", "config": name, "forecast": round(forecast, 2), "taken": round(taken, 2),
                  "factor": round(forecast / taken, 2) if taken else None, "fits": plan["fits-to-run"],
                  "saved": plan["fits-saved-by-staging"]}))
PYTHON
done

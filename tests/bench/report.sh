#!/usr/bin/env bash
# Tables and report of a run with 100,000 result rows: 20 datasets × 10 algorithms × 100 repeats × 5 metrics, all tiny. Prints one
# JSON line of CPU seconds; `open` is what headless Chromium takes for the page with all charts drawn, more than for an empty page.
#   tests/bench/report.sh [BINARY]
set -euo pipefail
coppice=$(readlink -f "${1:-$(dirname "$0")/../../build/release/coppice}")
work=$(mktemp -d -p "${COPPICE_BENCH_FOLDER:-/tmp}")
trap 'rm -rf "$work"' EXIT
{
  printf 'name: rows\nseed: 1\ndatasets:\n'
  for ((i = 1; i <= 20; i++)); do printf '  - data-%d: {generator: friedman1, train: 20, test: 20, seed: %d}\n' "$i" "$i"; done
  printf 'protocol: {test: given, repeats: 100}\nalgorithms:\n  - constant\n'
  printf '  - decision-tree: {id: tree, sweep: {max_leaves: [2, 4, 8], min_samples_leaf: [1, 2, 4]}}\n'
  printf 'metrics: [r2-macro, mse, mae, nodes, depth]\n'
} > "$work/rows.yaml"
"$coppice" run "$work/rows.yaml" --out "$work/out" --quiet

# seconds COMMAND…: CPU seconds, the least of three: those of the clock depend on what else the machine does.
seconds() {
  local best=999 used TIMEFORMAT=%R
  for _ in 1 2 3; do
    used=$({ time "$@" > /dev/null 2>&1; } 2>&1)
    best=$(awk -v t="$used" -v b="$best" 'BEGIN { split(t, part, " "); t = part[1] + part[2]; print (t < b) ? t : b }')
  done
  printf '%.2f' "$best"
}
open_page() {
  chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$work/profile" --window-size=1200,3000 --dump-dom "file://$1"
}
rows=$(($(wc -l < "$work/out/results.csv") - 1))
table=$(seconds "$coppice" table "$work/out" --metric r2-macro)
report=$(seconds "$coppice" report "$work/out")
opened=null
if command -v chromium > /dev/null; then
  printf '<!DOCTYPE html><title>empty</title>' > "$work/empty.html"
  opened=$(awk -v p="$(seconds open_page "$work/out/report.html")" -v e="$(seconds open_page "$work/empty.html")" 'BEGIN { printf "%.2f", p - e }')
fi
printf '{"bench": "report", "rows": %d, "table": %s, "report": %s, "open": %s, "page_bytes": %d}\n' \
  "$rows" "$table" "$report" "$opened" "$(stat -c %s "$work/out/report.html")"

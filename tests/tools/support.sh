# Shared by the command-line tests: a scratch folder, and checks that say what they saw. Sourced with the binary as $1.
set -euo pipefail
coppice=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# expect_exit CODE COMMAND…: output goes to out.txt and err.txt.
expect_exit() {
  local wanted=$1 code=0
  shift
  "$@" > out.txt 2> err.txt || code=$?
  [ "$code" -eq "$wanted" ] || { cat out.txt err.txt >&2; fail "exit code $code instead of $wanted: $*"; }
}
expect_out() { grep -qF -- "$1" out.txt || { cat out.txt >&2; fail "standard output lacks: $1"; }; }
expect_err() { grep -qF -- "$1" err.txt || { cat err.txt >&2; fail "standard error lacks: $1"; }; }

# results.csv without what is measured by a clock.
stable_results() { grep -v -E ',(fit-seconds|predict-seconds|fit-cpu-seconds),' "$1/results.csv"; }

cat > small.yaml <<'YAML'
name: small
seed: 3
datasets:
  - friedman1-chain: {train: 100, test: 100, targets: 3}
  - multilabel: {train: 100, test: 100, labels: 6}
protocol: {test: given, repeats: 4}
algorithms:
  - constant
  - random-forest: {id: RF, sweep: {trees: [5, 20]}}
  - extra-trees: {id: ET, trees: 20}
  - decision-tree: {id: CART}
metrics: [r2-macro, lrap, precision@1, nodes]
YAML

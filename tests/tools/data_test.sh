#!/usr/bin/env bash
# The data verbs as a user types them, and every kind of broken file: one line with its place, exit 2.
. "$(dirname "$0")/support.sh"
export COPPICE_CACHE=off
unset COPPICE_DATA

expect_exit 0 "$coppice" data --help
expect_exit 2 "$coppice" data
for verb in info generate convert split fetch; do expect_exit 0 "$coppice" data "$verb" --help; done

# generate, look at, convert there and back
expect_exit 0 "$coppice" data generate multilabel:train=60,test=20,labels=5 --seed 4 --out m.arff --test m-test.arff --labels m.xml
expect_exit 0 "$coppice" data info m.arff:labels=m.xml,test=m-test.arff --json
for fact in '"name": "m"' '"task": "multi-label"' '"rows": 80' '"train": 60' '"test": 20' '"outputs": 5' '"cardinality": ' '"density": ' '"features": '; do
  expect_out "$fact"
done
fingerprint=$(grep '"fingerprint"' out.txt)
expect_exit 0 "$coppice" data convert m.arff:labels=m.xml,test=m-test.arff --out m.csv.gz --test m-test.csv.gz
expect_exit 0 "$coppice" data info "m.csv.gz:targets=5,task=multi-label,test=m-test.csv.gz" --json
[ "$(grep '"fingerprint"' out.txt)" = "$fingerprint" ] || fail 'ARFF to CSV changed the data'
for format in extreme-text libsvm; do
  expect_exit 0 "$coppice" data convert m.arff:labels=m.xml --out "m.$format" --format "$format"
  expect_exit 0 "$coppice" data info "m.$format:format=$format,task=multi-label"
  expect_out '60 (no given split)'
done
printf 'a;b;y\n1;2;3\n4;5;7\n' > semicolons.csv
expect_exit 0 "$coppice" data info semicolons.csv:separator=semicolon
expect_exit 2 "$coppice" data info semicolons.csv
expect_exit 0 "$coppice" data generate extreme:train=500,test=0,features=300,labels=40 --out x.txt
expect_exit 0 "$coppice" data info x.txt
expect_exit 2 "$coppice" data generate extremes --out x.txt
expect_err 'did you mean extreme?'
expect_exit 2 "$coppice" data generate extreme:rows=3 --out x.txt
expect_err "extreme has no parameter 'rows'"
expect_exit 2 "$coppice" data generate friedman1 --out x.dat
expect_err 'cannot be told from its name'
expect_exit 2 "$coppice" data generate friedman1 --out x.txt
expect_exit 2 "$coppice" data info no-such
expect_exit 1 "$coppice" data convert m.arff:labels=m.xml --out nowhere/m.csv

# the folds of an experiment, exported and imported: the same trials
cat > folds.yaml <<'YAML'
name: folds
seed: 7
datasets: [m: {file: m.arff, labels: m.xml}]
protocol: {test: {kfold: 3, stratify: true}}
algorithms: [decision-tree]
metrics: [lrap]
YAML
expect_exit 0 "$coppice" run folds.yaml --quiet
expect_exit 0 "$coppice" data split m.arff:labels=m.xml --seed 7 --test '{kfold: 3, stratify: true}' --out folds.csv
[ "$(wc -l < folds.csv)" -eq 181 ] || fail 'folds.csv: one line for each row and split'
sed 's/{kfold: 3, stratify: true}/{folds: folds.csv}/' folds.yaml > imported.yaml
expect_exit 0 "$coppice" run imported.yaml --out results/folds
expect_err '3 already done'
expect_exit 0 "$coppice" data info m.arff:labels=m.xml --test '{kfold: 3, stratify: true}'
expect_out 'fold 2'
expect_exit 2 "$coppice" data info m.arff:labels=m.xml --test '{kfolds: 3}'
expect_err 'did you mean kfold?'
expect_exit 0 "$coppice" run folds.yaml --out boot --set 'protocol.test={bootstrap: 4, estimate: .632}' --quiet
expect_exit 0 "$coppice" run folds.yaml --out loo --set protocol.test=leave-one-out --quiet
[ "$(wc -l < loo/trials.jsonl)" -eq 60 ] || fail 'leave-one-out: one trial for each row'

# psp@K takes the constants A and B of the catalogue. A constant model names label 0 in every row, so the value can be
# worked out here: gained and best inverse propensities, p = 1 / (1 + C e^(-A ln(N + B))), C = (ln n - 1)(B + 1)^A.
mkdir -p catalogue there/skewed there/plain
printf '7 2 3\n0 0:1\n0 0:1\n0,1 1:1\n0 0:2\n1 1:1\n0,2 0:1\n0 1:2\n' > there/skewed/train.txt
printf '4 2 3\n0 0:1\n1,2 0:1\n0,2 1:1\n1 1:1\n' > there/skewed/test.txt
cp there/skewed/*.txt there/plain
entry() { # NAME OPTIONS
  printf 'name: %s\ntask: multi-label\ndomain: none\nformat: extreme-text\nshape: {rows: 11, train: 7, test: 4, features: 2, outputs: 3}\n' "$1"
  printf 'files: {train: {path: train.txt}, test: {path: test.txt}}\n%sorigin: here\nlicence: none\n' "$2"
}
entry skewed "options: {propensity: [0.6, 2.6]}
" > catalogue/skewed.yaml
entry plain '' > catalogue/plain.yaml
cat > psp.yaml <<'YAML'
name: psp
seed: 1
datasets: [skewed, plain]
protocol: {test: given}
algorithms: [constant]
metrics: [psp@1]
YAML
expect_exit 0 env COPPICE_CATALOGUE="$PWD/catalogue" "$coppice" run psp.yaml --data there --quiet
for case in 'skewed 0.6 2.6' 'plain 0.55 1.5'; do
  set -- $case
  expected=$(awk -v A="$2" -v B="$3" '
    function inverse(count) { return 1 + (log(7) - 1) * (B + 1) ^ A * exp(-A * log(count + B)) }
    BEGIN { common = inverse(6); middle = inverse(2); rare = inverse(1); printf "%.9f", 2 * common / (common + rare + rare + middle) }')
  value=$(awk -F, -v dataset="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) place[$i] = i } NR > 1 && $place["dataset"] == dataset { printf "%.9f", $place["value"] }' results/psp/results.csv)
  [ "$value" = "$expected" ] || fail "psp@1 on $1: $value instead of $expected"
done

# fetch: what cannot be had is told in one line
expect_exit 2 "$coppice" data fetch yest
expect_err 'did you mean yeast?'
expect_exit 2 "$coppice" data fetch wipo
[ "$(wc -l < err.txt)" -eq 1 ] || fail 'fetch without an address: one line'
expect_exit 1 env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "$coppice" data fetch atp7d --to there
expect_err 'offline'
[ "$(wc -l < err.txt)" -eq 1 ] || fail 'fetch offline: one line'
expect_exit 0 "$coppice" list datasets
expect_out 'generated'

# broken files
printf '@relation r\n@attribute a numeric\n@attribute c {x,y}\n@attribute l {0,1}\n@data\n' > head.arff
refused() { # MESSAGE FILE[:OPTIONS]
  expect_exit 2 "$coppice" data info "$2"
  expect_err "$1"
  [ "$(wc -l < err.txt)" -eq 1 ] || fail "more than one line about $2"
  [ ! -s out.txt ] || fail "something was printed about $2"
}
row() { cp head.arff bad.arff; printf '%s\n' "$1" >> bad.arff; }
row '1,x,0,3'; refused 'bad.arff:6:' bad.arff:targets=1
row '1,x'; refused 'bad.arff:6:' bad.arff:targets=1
row '1,z,0'; refused "bad.arff:6:3: " bad.arff:targets=1
row '{0 1,0 2}'; refused 'bad.arff:6:' bad.arff:targets=1
row '{7 1}'; refused 'bad.arff:6:2: ' bad.arff:targets=1
row 'nan,x,0'; refused 'bad.arff:6:1: ' bad.arff:targets=1
row '1e999,x,0'; refused 'bad.arff:6:1: ' bad.arff:targets=1
printf '@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n' > twice.arff; refused 'twice.arff:3:12: ' twice.arff:targets=1
printf '<labels><label name="no"></label></labels>' > no.xml; row '1,x,0'; refused 'no.xml:1:16: ' bad.arff:labels=no.xml
: > empty.arff; refused 'empty.arff:1:1: ' empty.arff:targets=1
head -c 5000 "$coppice" > garbage.arff; refused 'garbage.arff:1:' garbage.arff:targets=1
printf '2 3 2\n0 0:1\n' > few.txt; refused 'few.txt:2:1: ' few.txt
printf '1 3 2\n5 0:1\n' > label.txt; refused 'label.txt:2:1: ' label.txt
printf '1 3 2\n0 9:1\n' > feature.txt; refused 'feature.txt:2:3: ' feature.txt
printf '1 3 2\n0 2:1 1:1\n' > order.txt; refused 'order.txt:2:7: ' order.txt
printf '1 3 2\n0 1:inf\n' > inf.txt; refused 'inf.txt:2:3: ' inf.txt
for packer in gzip xz bzip2 zstd; do
  "$packer" -c m.arff > whole.arff.z
  head -c 900 whole.arff.z > cut.arff.z; refused 'cut.arff.z:1:1: the compressed file' cut.arff.z:labels=m.xml,format=arff
done
refused "there is no file 'absent.arff'" absent.arff
mkdir folder.arff; refused "'folder.arff' is a folder" folder.arff
{ cat head.arff; head -c 100000000 /dev/zero | tr '\0' '1'; } > long.arff; refused 'long.arff:6:' long.arff:targets=1
echo "data verbs: all as expected"

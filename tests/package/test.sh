#!/usr/bin/env bash
# Installs the build into an empty folder, then configures, builds and runs the example against it with find_package(coppice).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" > "$work/install.log"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Debug > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build"
"$work/build/try_best_line" "$here/experiment.yaml" "$work/results"
# The installed program finds its catalogue and quickstart without the source tree.
cd "$work"
"$work/prefix/bin/coppice" check "$work/prefix/share/coppice/configs/quickstart.yaml"
"$work/prefix/bin/coppice" list datasets > "$work/datasets.txt"
grep -q friedman1-chain "$work/datasets.txt"

# The same algorithm as a plugin: run, identified by its bytes, refused where it does not fit.
coppice="$work/prefix/bin/coppice"
{ echo 'plugins: [build/libbest_line.so]'; cat "$here/experiment.yaml"; } > plugin.yaml
"$coppice" run plugin.yaml --quiet
grep -q '^friedman1-chain,best-line,1,0,,r2-macro,' results/best-line/results.csv
cmp results/best-line/results.csv "$work/results/results.csv"
"$coppice" verify results/best-line --sample 0
refused() { # LIBRARY MESSAGE
  sed "1s/.*/plugins: [build\/$1]/" plugin.yaml > refused.yaml
  code=0
  "$coppice" check refused.yaml 2> err.txt || code=$?
  [ "$code" -eq 2 ] && grep -q "refused.yaml:1:11: plugin '.*$1' $2" err.txt || { cat err.txt; exit 1; }
}
refused libother_version.so 'has plugin ABI 2, this coppice .* has 1; build it again'
refused libno_plugin.so 'is no plugin of coppice'
refused libthrowing.so 'cannot make its algorithm: no licence'
refused libempty.so 'makes no algorithm'
refused libnowhere.so 'cannot be read'
refused CMakeCache.txt 'cannot be loaded'

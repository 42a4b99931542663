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

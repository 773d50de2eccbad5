#!/usr/bin/env bash
# check_install.sh BUILD_FOLDER WORK_FOLDER CXX: installs scree, then builds and runs a project that uses the installed
# library.
set -euo pipefail
build="$1" work="$2" cxx="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" > /dev/null
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
quietly cmake -S "$here" -B "$work/consumer" -G Ninja "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_PREFIX_PATH=$work/prefix"
quietly cmake --build "$work/consumer"
"$work/consumer/consumer"
python3 "$here/../examples/falling_beads.py" "$work/consumer/engine_in_20_lines"
"$work/prefix/bin/scree" version
python3 "$here/../examples/case_hash.py" "$work/consumer/run_a_case" "$work/prefix/bin/scree" \
  "$work/prefix/share/scree/configs/minimal.json" "$work/run"
ls "$work"/prefix/share/scree/configs/*.json > /dev/null

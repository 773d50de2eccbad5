#!/usr/bin/env bash
# check_install.sh BUILD_FOLDER WORK_FOLDER CXX: installs, and builds and runs a project that uses the installed library.
set -euo pipefail
build="$1" work="$2" cxx="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" > /dev/null
cmake -S "$here" -B "$work/consumer" -G Ninja "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_PREFIX_PATH=$work/prefix" > "$work/log" ||
  { cat "$work/log"; exit 1; }
cmake --build "$work/consumer" > "$work/log" || { cat "$work/log"; exit 1; }
"$work/consumer/consumer"
"$work/prefix/bin/scree" version
test -f "$work/prefix/share/scree/configs/hopper.json"

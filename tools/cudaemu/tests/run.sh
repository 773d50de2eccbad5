#!/usr/bin/env bash
# tests/run.sh [FOLDER]: runs the emulator's own tests: known answers in every order of threads, and faults that it must
# find. FOLDER contains libcudaemu.so; without FOLDER, it is built for the tests.
set -uo pipefail
library="${1:-}"
cd "$(dirname "${BASH_SOURCE[0]}")"
nvcc="${CUDACXX:-${CUDA_HOME:-/usr/local/cuda}/bin/nvcc}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -z "$library" ]; then
  library="$work/library"
  ../build.sh "$library" || exit 2
fi
export CUDAEMU_CACHE="$work/translated"
failures=0
compile() {
  "$nvcc" -std=c++20 -O2 -arch=compute_90 --compress-mode=none -lineinfo --fmad=false -cudart none "$1.cu" -o "$work/$1" \
    -L"$library" -lcudaemu -Xlinker -rpath -Xlinker "$library"
}
pids=()
for name in arithmetic cooperation streams faults; do
  compile $name &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || exit 2; done
for order in forward backward shuffled shuffled:7; do
  for check in 0 1 race; do
    for name in arithmetic cooperation streams; do
      if ! CUDAEMU_ORDER=$order CUDAEMU_CHECK=$check "$work/$name" > "$work/log" 2>&1 || grep -E 'CONFLICT|UNINIT|FATAL' "$work/log"; then
        echo "FAIL $name, $order, check $check"; cat "$work/log"; failures=$((failures + 1))
      fi
    done
  done
done
expect() {  # FAULT CHECK TEXT
  CUDAEMU_CHECK=$2 "$work/faults" "$1" > "$work/log" 2>&1
  if ! grep -qE "$3" "$work/log"; then echo "FAIL $1: no '$3' in:"; cat "$work/log"; failures=$((failures + 1)); fi
}
expect none race 'end 999'
expect none race ' 0 faults, 0 conflicts, 0 of the same value'
expect outside 1 'no valid device memory: write of 4 bytes at .* byte 4000 of an allocation of 4000 bytes, at .*faults.cu:9'
expect uninitialised 1 'UNINITIALISED read of 4 bytes'
expect freed 1 'byte [0-9]+ of a freed allocation'
expect freed-twice 0 'FAULT: cudaFree'
expect host-reads 0 'HOST code touched device memory at .* byte 12 of an allocation'
expect kernel-reads-host 0 'a kernel touched'
expect kernel-reads-host 1 'no device memory, at .*faults.cu:13'
expect race race 'CONFLICT: .*'
expect writes race 'CONFLICT: two threads write'
expect same-writes race 'conflict, same value: two threads write'
expect atomic-plain race 'CONFLICT: '
expect reverse race ' 0 faults, 0 conflicts, 0 of the same value'
expect blocks race 'CONFLICT: '
expect last race ' 0 faults, 0 conflicts, 0 of the same value'
expect unfenced race 'CONFLICT: '
expect misaligned 1 'misaligned: read of 8 bytes'
expect deadlock 0 'wait for each other for ever'
expect shared 1 'outside of shared memory'
expect doubtful 1 'DOUBTFUL: conversion of a number out of the range'
expect copy 0 'copy of 4004 bytes'
expect too-many-threads 0 'invalid configuration'
[ $failures = 0 ] && echo "all tests of the emulator passed"
exit $((failures > 0))

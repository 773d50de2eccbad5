#!/usr/bin/env bash
# scripts/reliability.sh [FOLDER]: runs the long versions of the tests of docs/reliability.md, with the program of
# build/host. Takes about an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/host/reliability}
scree=build/host/bin/scree
library=$(find build/host -name 'fail_calls.so' | head -n 1)
[ -x "$scree" ] && [ -n "$library" ] || { echo "build it first: cmake --preset host && cmake --build build/host" >&2; exit 2; }
tests=tests/reliability
export OMP_WAIT_POLICY=passive
mkdir -p "$folder"
python3 $tests/process.py "$scree" "$library" "$folder/process"
python3 $tests/full_disk.py "$scree" "$library" "$folder/full_disk"
python3 $tests/kill.py "$scree" "$folder/kill" 300
python3 $tests/flip_bytes.py "$scree" "$folder/flip_bytes" 2000
python3 $tests/fail_calls.py "$scree" "$library" "$folder/fail_calls" 1
python3 $tests/soak.py "$scree" "$folder/soak" 1000000

#!/usr/bin/env bash
# scripts/emulate-batches.sh [OPTIONS of ctest]: builds kernels and driver for the host with steps launched ahead, as on a
# GPU, in build/batches, and runs kernel tests and golden hashes with batches of 1, 7 and 16 steps.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

need_packages
build_preset batches "kernel_tests_batches scree"
ctest --test-dir "$root/build/batches" -L batches -j "$jobs" --output-on-failure "$@"

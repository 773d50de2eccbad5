#!/usr/bin/env bash
# scripts/emulate-batches.sh [--preset NAME] [-- OPTIONS of ctest]: builds kernels and driver for the host with steps
# launched ahead, as on a GPU, and runs kernel tests and golden hashes with batches of 1, 7 and 16 steps. NAME is the
# build folder (default: host).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

preset=host
if [ "${1:-}" = --preset ]; then preset="$2"; shift 2; fi
if [ "${1:-}" = -- ]; then shift; fi
need_packages
build_preset "$preset" "kernel_tests_batches scree_batches_program" -DSCREE_BATCH_TESTS=ON
ctest --test-dir "$root/build/$preset" -L batches -j "$jobs" --output-on-failure "$@"

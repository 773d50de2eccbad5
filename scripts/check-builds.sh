#!/usr/bin/env bash
# scripts/check-builds.sh [BUILD...]: checks that tests/golden/hashes.txt holds for every compiler, level of optimisation
# and instruction set, and that no program has a fused multiply-add. Builds only the program, in build/golden/BUILD, one
# build after the other; each takes minutes. Without arguments it checks all builds. A build is COMPILER-LEVEL-ISA, such
# as clang-O2-v3.
# scripts/check-builds.sh --batches BUILD... launches steps ahead, as on a GPU, checks every index of an array
# (SCREE_CHECKS), and also runs kernel tests in batches of 7 (scripts/emulate-batches.sh runs them in more). CI does so
# with gcc-O1-v2.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

all=(gcc-O1-v2 gcc-O0-v3 gcc-O2-v2 gcc-O3-v2 gcc-O3-v3 gcc-O3-v4 clang-O1-v2 clang-O2-v3 clang-O3-v4)
batches=OFF
if [ "${1:-}" = --batches ]; then batches=ON; shift; fi
builds=("$@")
if [ $# = 0 ]; then builds=("${all[@]}"); fi
need_packages
for build in "${builds[@]}"; do
  if [[ ! "$build" =~ ^(gcc|clang)-O[0-3]-v[234]$ ]]; then say "there is no build $build; there are ${all[*]}"; exit 2; fi
  if [[ "$build" = clang-* ]]; then need_clang; fi
done

# Whether this processor has the instruction set.
runs_here() {
  local flags
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo) "
  case "$1" in
    v4) [[ "$flags" = *" avx512vl "* && "$flags" = *" avx512dq "* ]] ;;
    v3) [[ "$flags" = *" avx2 "* && "$flags" = *" fma "* ]] ;;
  esac
}

check() {
  local build="$1" compiler level isa folder="$root/build/golden/$1"
  IFS=- read -r compiler level isa <<< "$build"
  local cc="${CC:-gcc}" cxx="${CXX:-g++}"
  if [ "$compiler" = clang ]; then cc=clang cxx=clang++; fi
  local targets=scree checks=OFF
  if [ "$batches" = ON ]; then targets="scree kernel_tests_batches" checks=ON; fi
  (cd "$root" && run_logged "$folder/configure.log" cmake -S . -B "$folder" -G Ninja "-DCMAKE_C_COMPILER=$cc" \
    "-DCMAKE_CXX_COMPILER=$cxx" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-$level" "-DSCREE_HOST_ISA=x86-64-$isa" \
    "-DSCREE_CHECKS=$checks" -DSCREE_CUDA=OFF -DSCREE_BENCHMARKS=OFF "-DBUILD_TESTING=$batches" "-DSCREE_EMULATE_BATCHES=$batches") || return 1
  # shellcheck disable=SC2086
  run_logged "$folder/build.log" ninja -C "$folder" -j "$jobs" $targets || return 1
  bash "$root/tests/compile/check_contraction.sh" "$folder/bin/scree" || return 1
  if ! runs_here "$isa"; then say "$build: built, but this processor cannot run it"; return 0; fi
  if [ "$batches" = ON ]; then ctest --test-dir "$folder" -L batches_ci -j "$jobs" --output-on-failure; return; fi
  "$root/scripts/golden.sh" --program "$folder/bin/scree"
}

failed=()
for build in "${builds[@]}"; do
  start=$SECONDS
  if check "$build"; then echo "PASS  $((SECONDS - start)) s  $build"; else echo "FAIL  $((SECONDS - start)) s  $build"; failed+=("$build"); fi
done
if [ ${#failed[@]} != 0 ]; then say "other results or a failed build: ${failed[*]}"; exit 1; fi

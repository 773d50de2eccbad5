#!/usr/bin/env bash
# scripts/emulate-cuda.sh [OPTIONS] [-- FILTER OF GTEST]: builds the CUDA backend for the emulator (tools/cudaemu) and runs
# its kernel tests and the golden hashes on it, without a GPU. Exits 1 when something fails.
#   --preset NAME     build folder (default: emulated, build/emulated); CI uses host, whose object files are the same
#   --check WHAT      1: checks every memory access; race: also checks for conflicts between threads (slow)
#   --order ORDER     order of threads: forward, backward, shuffled or shuffled:SEED (default: shuffled)
#   --only WHAT       only builds (build), or runs only emulator, tests or golden instead of all three
#   --quick           leaves out the kernel tests that take more than five seconds here, as CI does
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
set +e

# These tests are about lists, files and threads of the driver and not about kernels, or they repeat a run many times.
slow_tests=('*CheckpointGuard*' '*ForAnyThreadCountRunAndVerletDistance*' '*BoundaryFlights*' '*WhileItFlips*' 'BondBits*'
  VerletSafety.AFastBodyIsNeverMissed ClearanceTest.CountsWaysThatAreLostInRounding LoadHistories.BesideOtherLaws
  LoadHistories.WherePagesAreChangesNoBit '*APileAtRestKeepsItsFrictionThroughAHundredRebuilds*'
  '*ListsThePairsOfBruteForceEachOnce/one_large_among_small' 'ModesReference.*' 'ModesTurned.*'
  'CoupledModes.*' 'ParcelFlows.*' '*FieldUpdate*' 'GrainBondRuns.HaveTheSameBits*' 'GrainBondRuns.CloseTheLedger*')
preset=emulated check="" only="" filter="*" order=shuffled
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset="$2"; shift ;;
    --check) check="$2"; shift ;;
    --order) order="$2"; shift ;;
    --only) only="$2"; shift ;;
    --quick) filter="*-$(printf '%s:' "${slow_tests[@]}")" ;;
    --) filter="${2:-*}"; break ;;
    *) awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
nvcc="$(find_nvcc)"
if [ -z "$nvcc" ]; then say "no CUDA toolkit is installed: nvcc was not found"; exit 2; fi
need_packages
build_preset "$preset" "scree kernel_tests_cuda" -DSCREE_CUDA=ON -DSCREE_CUDA_EMULATED=ON "-DCMAKE_CUDA_COMPILER=$nvcc" || exit 1
folder="$root/build/$preset"
if nm "$folder/bin/scree" | grep -q ' [tT] cudaMalloc$'; then say "the real CUDA runtime is linked in, too"; exit 1; fi

export CUDAEMU_ORDER="$order" CUDAEMU_CHECK="$check" OMP_WAIT_POLICY=passive
failures=0
if [ -z "$only" ] || [ "$only" = emulator ]; then
  CUDACXX="$nvcc" "$root/tools/cudaemu/tests/run.sh" "$folder/cudaemu" || failures=$((failures + 1))
fi

# quiet LOG: fails if the log contains a finding of the emulator.
quiet() { ! grep -E 'cudaemu: (FATAL|FAULT|CONFLICT|UNINITIALISED|DOUBTFUL)' "$1"; }

if [ -z "$only" ] || [ "$only" = tests ]; then
  start=$SECONDS
  pids=()
  for ((shard = 0; shard < jobs; ++shard)); do
    (cd "$root" && GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard "$folder/bin/kernel_tests_cuda" --gtest_brief=1 \
      --gtest_filter="$filter" > "$folder/emulated.$shard.log" 2>&1) &
    pids+=($!)
  done
  for ((shard = 0; shard < jobs; ++shard)); do
    if ! wait "${pids[$shard]}" || ! quiet "$folder/emulated.$shard.log"; then
      tail -n 40 "$folder/emulated.$shard.log" >&2
      failures=$((failures + 1))
    fi
  done
  say "kernel tests on the emulator: $((SECONDS - start)) s, $failures failures"
fi
if [ -z "$only" ] || [ "$only" = golden ]; then
  start=$SECONDS log="$folder/emulated.golden.log"
  : > "$log"
  CUDAEMU_LOG="$log" "$root/scripts/golden.sh" --program "$folder/bin/scree" --backend cuda || failures=$((failures + 1))
  quiet "$log" || failures=$((failures + 1))
  say "golden hashes on the emulator: $((SECONDS - start)) s"
fi
[ $failures = 0 ]

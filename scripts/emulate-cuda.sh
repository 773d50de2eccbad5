#!/usr/bin/env bash
# scripts/emulate-cuda.sh [OPTIONS] [-- FILTER OF GTEST]: builds the CUDA backend for the emulator (tools/cudaemu) and runs
# its kernel tests and the golden hashes on it, without a GPU. Exits 1 when something fails.
#   --preset NAME     build folder (default: emulated, build/emulated); CI uses host, whose object files are the same
#   --check WHAT      1: checks every memory access; race: also checks for conflicts between threads (slow)
#   --order ORDER     order of threads: forward, backward, shuffled or shuffled:SEED (default: shuffled)
#   --only WHAT       only builds everything (build), or runs only emulator, tests or golden instead of all three
#   --quick           leaves out the kernel tests that take more than five seconds here, as CI does
#   --seconds N       starts no more kernel tests and golden cases after N seconds of each, and says how many are left
#                     out. The present commit decides with which it begins
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
set +e

# These tests are about lists, files and threads of the driver and not about kernels, or they repeat a run many times.
slow_tests=('*CheckpointGuard*' '*ForAnyThreadCountRunAndVerletDistance*' '*BoundaryFlights*' '*WhileItFlips*' 'BondBits*'
  VerletSafety.AFastBodyIsNeverMissed ClearanceTest.CountsWaysThatAreLostInRounding LoadHistories.BesideOtherLaws
  LoadHistories.WherePagesAreChangesNoBit '*APileAtRestKeepsItsFrictionThroughAHundredRebuilds*'
  '*ListsThePairsOfBruteForceEachOnce/one_large_among_small' 'ModesReference.*' 'ModesTurned.*'
  'CoupledModes.*' 'GrainEdges.*' 'GrainCriticalStep.*' 'GrainsOnBelts.*' 'ParcelFlows.*' '*FieldUpdate*'
  'GrainBondRuns.HaveTheSameBits*' 'GrainBondRuns.CloseTheLedger*' 'GrainEnergies.*'
  NearNodesTest.OfShellsAreThoseThatAStepFinds 'MeshNecks.*' 'DeepStarts.*'
  CellMotionTest.StressControlHasTheSameBitsOnThreadsListsAndAfterARestore)
preset=emulated check="" only="" filter="*" order=shuffled seconds=1000000
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset="$2"; shift ;;
    --check) check="$2"; shift ;;
    --order) order="$2"; shift ;;
    --only) only="$2"; shift ;;
    --seconds) seconds="$2"; shift ;;
    --quick) filter="*-$(printf '%s:' "${slow_tests[@]}")" ;;
    --) filter="${2:-*}"; break ;;
    *) awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
nvcc="$(find_nvcc)"
if [ -z "$nvcc" ]; then say "no CUDA toolkit is installed: nvcc was not found"; exit 2; fi
need_packages
targets="scree kernel_tests_cuda"
if [ "$only" = golden ] || [ "$only" = emulator ]; then targets=scree; fi
build_preset "$preset" "$targets" -DSCREE_CUDA=ON -DSCREE_CUDA_EMULATED=ON "-DCMAKE_CUDA_COMPILER=$nvcc" || exit 1
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
  # Tests are divided into shares, which the workers take one after the other.
  shares=24
  first=$((16#$(git -C "$root" rev-parse --short=6 HEAD 2> /dev/null || echo 0) % shares))
  rm -rf "$folder"/emulated.[0-9]*.{log,ok,taken}
  worker() {
    local k share
    for ((k = 0; k < shares; ++k)); do
      if [ $((SECONDS - start)) -ge "$seconds" ]; then return; fi
      share=$(((first + k) % shares))
      mkdir "$folder/emulated.$share.taken" 2> /dev/null || continue
      (cd "$root" && GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$share "$folder/bin/kernel_tests_cuda" --gtest_brief=1 \
        --gtest_filter="$filter") > "$folder/emulated.$share.log" 2>&1 && touch "$folder/emulated.$share.ok"
    done
  }
  for ((k = 0; k < jobs; ++k)); do worker & done
  wait
  started=0
  for log in "$folder"/emulated.[0-9]*.log; do
    started=$((started + 1))
    if [ ! -e "${log%.log}.ok" ] || ! quiet "$log"; then
      tail -n 40 "$log" >&2
      failures=$((failures + 1))
    fi
  done
  if [ $started -lt $shares ]; then say "kernel tests: $((shares - started)) of $shares shares were LEFT OUT after $seconds s"; fi
  say "kernel tests on the emulator: $((SECONDS - start)) s, $failures failures"
fi
if [ -z "$only" ] || [ "$only" = golden ]; then
  start=$SECONDS log="$folder/emulated.golden.log"
  : > "$log"
  CUDAEMU_LOG="$log" "$root/scripts/golden.sh" --program "$folder/bin/scree" --backend cuda \
    $([ "$seconds" = 1000000 ] || echo "--seconds $seconds") || failures=$((failures + 1))
  quiet "$log" || failures=$((failures + 1))
  say "golden hashes on the emulator: $((SECONDS - start)) s"
fi
[ $failures = 0 ]

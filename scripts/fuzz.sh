#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS [TARGET...]]: feeds mutated inputs to the readers of cases, meshes, images, templates of
# grains, tables, checkpoints and frames, with the address and undefined-behaviour sanitizers. All targets together take
# about SECONDS (default 60). Targets are the folders of tests/fuzz/corpus. Inputs that reach new code stay in
# build/fuzz/corpus for the next run.
# Findings go to build/fuzz/findings; once they are mended, they become files of tests/fuzz/corpus. Exits 1 on a finding.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
seconds="${1:-60}"
shift || true
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || mapfile -t targets < <(ls tests/fuzz/corpus)
need_packages
need_fuzzer
build_preset fuzz scree_fuzz

folder=build/fuzz
mkdir -p "$folder/findings"
scratch="$(mktemp -d -p "$(if [ -w /dev/shm ]; then echo /dev/shm; else echo "${TMPDIR:-/tmp}"; fi)" scree_fuzz_XXXXXX)"
trap 'rm -rf "$scratch"' EXIT
# Cases alone: the fuzzer would take the size of the largest particle file for the size of its inputs.
mkdir -p "$folder/cases"
for case in configs/*.json configs/*/*.json; do cp "$case" "$folder/cases/${case//\//_}"; done
grep -ohE '"[a-zA-Z_0-9]+"' configs/*.json tests/golden/cases/*.json | sort -u > "$folder/case.dict"
rounds=$(((${#targets[@]} + jobs - 1) / jobs))
each=$(((seconds + rounds - 1) / rounds))

# run_target NAME: fuzzes one target; its log is $folder/NAME.log.
run_target() {
  local target="$1" more=()
  if [ "$target" = case ]; then more=("$folder/cases" tests/golden/cases "-dict=$folder/case.dict"); fi
  # The HDF5 library requests as much memory as a damaged frame states, and gets an error. The memory in use is still
  # limited.
  if [ "$target" = frame ]; then more=(-malloc_limit_mb=0); fi
  mkdir -p "$folder/corpus/$target"
  TMPDIR="$scratch" SCREE_FUZZ_TARGET="$target" UBSAN_OPTIONS=print_stacktrace=1 \
    ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=tests/fuzz/leaks.txt:print_suppressions=0 "$folder/bin/scree_fuzz" -max_total_time="$each" -timeout=10 \
    -rss_limit_mb=2048 -artifact_prefix="$folder/findings/$target-" "$folder/corpus/$target" "tests/fuzz/corpus/$target" "${more[@]}" > "$folder/$target.log" 2>&1
}
# report NAME STATUS: prints the result of a target and its findings.
report() {
  local log="$folder/$1.log"
  if [ "$2" = 0 ]; then
    echo "fuzz: $1: $(grep -oE 'Done [0-9]+ runs in [0-9]+ second' "$log" || echo done)s, nothing found"
  else
    failed=1
    grep -E 'finding:|ERROR:|SUMMARY:|runtime error:|terminate called|what\(\):|Assertion|#[0-9]+ 0x.* in scree::' "$log" | head -n 20 || tail -n 20 "$log"
    echo "fuzz: $1: a finding; see $log; again: SCREE_FUZZ_TARGET=$1 $folder/bin/scree_fuzz $(grep -oE "$folder/findings/[^ ]+" "$log" | tail -n 1)"
  fi
}

failed=0
declare -A target_of
wait_for_one() {
  local ended status=0
  wait -n -p ended || status=$?
  report "${target_of[$ended]}" "$status"
  unset "target_of[$ended]"
}
for target in "${targets[@]}"; do
  run_target "$target" &
  target_of[$!]="$target"
  if [ "${#target_of[@]}" -ge "$jobs" ]; then wait_for_one; fi
done
while [ "${#target_of[@]}" -gt 0 ]; do wait_for_one; done
exit "$failed"

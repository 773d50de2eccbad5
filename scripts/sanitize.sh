#!/usr/bin/env bash
# scripts/sanitize.sh [address|thread] [FILTER]: builds kernel and unit tests with sanitizers and runs them in as many
# parts as there are cores; FILTER is a filter of GoogleTest. Prints the findings and exits 1 if there are any.
#   address  g++ with the address and undefined-behaviour sanitizers
#   thread   clang with the thread sanitizer, which follows OpenMP through libarcher of its runtime; kernel tests only,
#            each with two threads
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
kind="${1:-address}"
filter="${2:-*}"
need_packages
case "$kind" in
  address) preset=asan; programs=(unit_tests kernel_tests_host); parts="$jobs"; threads=2 ;;
  thread) preset=tsan; programs=(kernel_tests_host); parts=$(((jobs + 1) / 2)); threads=2; need_fuzzer ;;
  *) echo "usage: sanitize.sh [address|thread] [FILTER]" >&2; exit 2 ;;
esac
build_preset "$preset" "${programs[*]}"

folder="build/$preset"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS="$threads" UBSAN_OPTIONS=print_stacktrace=1
# A finding ends the program, and the remaining tests do not run. Mend it, and run the script again.
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1:second_deadlock_stack=1

failed=0
for program in "${programs[@]}"; do
  pids=()
  for ((part = 0; part < parts; ++part)); do
    GTEST_TOTAL_SHARDS="$parts" GTEST_SHARD_INDEX="$part" "$folder/bin/$program" --gtest_brief=1 "--gtest_filter=$filter" \
      > "$folder/$program.$part.log" 2>&1 &
    pids+=($!)
  done
  for ((part = 0; part < parts; ++part)); do
    log="$folder/$program.$part.log"
    if wait "${pids[part]}"; then
      echo "sanitize: $kind: $program, part $((part + 1)) of $parts: $(grep -oE '^\[==========\] .*' "$log" | tail -n 1), nothing found"
    else
      failed=1
      grep -vE '^(Running|Note:)' "$log" | tail -n 60
      echo "sanitize: $kind: $program, part $((part + 1)) of $parts: a finding, or a test that failed; see $log"
    fi
  done
done
exit "$failed"

#!/usr/bin/env bash
# scripts/gpu-check.sh [BUILD_FOLDER]: checks whether this installation can be trusted. Runs the tests of both backends,
# compares the bits of both, and measures their speed. Takes under 8 minutes and needs only a driver. Works in an unpacked
# bundle and in a build tree. Exits 1 when something fails. Without a GPU it checks the host half, and its last line says
# so.
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

if [ -n "${1:-}" ]; then
  bin="$(cd "$1" && pwd)/bin" || exit 2
else
  bin=""
  for folder in "$root" "$root"/build/{gpu,cuda,release,host}; do
    if [ -x "$folder/bin/scree" ]; then bin="$folder/bin"; break; fi
  done
fi
if [ ! -x "$bin/scree" ]; then
  echo "gpu-check: no scree in ${bin:-$root}; build it (scripts/bundle.sh) or name the build folder"
  exit 2
fi
cd "$root" || exit 2
export OMP_WAIT_POLICY=passive
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
table=() failures=0 checks=0

# check NAME SECONDS COMMAND...: runs a command and adds a line to the table; shows the end of its output if it fails.
deadline=$((SECONDS + 470))
check() {
  local name="$1" limit="$2" start=$SECONDS verdict=PASS
  shift 2
  if [ $((deadline - start)) -lt "$limit" ]; then limit=$((deadline > start ? deadline - start : 1)); fi
  printf -- '-- %s\n' "$name"
  status=0
  timeout "$limit" "$@" > "$work/log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    [ $status != 124 ] || echo "stopped after $limit s"
    verdict=FAIL
    failures=$((failures + 1))
    tail -n 40 "$work/log"
  fi
  checks=$((checks + 1))
  table+=("$(printf '%s  %4d s  %s' "$verdict" $((SECONDS - start)) "$name")")
}
skip() { table+=("$(printf 'skip     -    %s (%s)' "$1" "$2")"); }

# state_hash CASE OPTIONS...: runs a case and prints the 32 digits of its state hash, or fails.
state_hash() {
  local out
  out="$(mktemp -d "$work/run.XXXXXX")"
  "$bin/scree" run "$@" --out "$out/out" --quiet > "$out/log" 2>&1 || { cat "$out/log" >&2; return 1; }
  grep -hoE 'state hash +[0-9a-f]{32}' "$out/out/run.log" | tail -n 1 | grep -oE '[0-9a-f]{32}'
  local found=$?
  rm -rf "$out"
  return $found
}

# same_bits "OPTIONS A" "OPTIONS B" CASE OPTIONS...: checks that both runs end in the same state. Options contain no
# spaces.
same_bits() {
  local first second a="$1" b="$2"
  shift 2
  # shellcheck disable=SC2086
  if ! { first="$(state_hash "$@" $a)" && second="$(state_hash "$@" $b)"; }; then
    echo "a run failed or printed no state hash"
    return 1
  fi
  echo "$first with $a"
  echo "$second with $b"
  [ "$first" = "$second" ]
}
export -f state_hash same_bits
export bin work
compare() { check "$1" "$2" bash -c 'same_bits "$@"' same_bits "${@:3}"; }

gpu=no
if nvidia-smi -L > "$work/gpus" 2>&1 && grep -q '^GPU' "$work/gpus"; then gpu=yes; fi
if [ $gpu = yes ]; then
  nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total,memory.used,clocks.sm --format=csv
else
  echo "no GPU is visible"
fi
"$bin/scree" doctor
"$bin/scree" version

check "scree doctor" 60 "$bin/scree" doctor
if [ -x "$bin/kernel_tests_host" ]; then
  check "kernel and physics tests, host" 200 "$bin/kernel_tests_host" --gtest_brief=1
else
  skip "kernel and physics tests, host" "not built"
fi
if [ $gpu = yes ] && [ -x "$bin/kernel_tests_cuda" ]; then
  check "kernel tests, CUDA" 120 "$bin/kernel_tests_cuda" --gtest_brief=1
else
  skip "kernel tests, CUDA" "$([ $gpu = yes ] && echo 'not built' || echo 'no GPU')"
fi

# Long runs of few particles: any difference in rounding reaches every digit within a few hundred collisions.
small=(configs/hopper.json --steps 10000 --set particles.0.fill.count=3000)
for precision in mixed double; do
  if [ $gpu = yes ]; then
    compare "same bits on host and CUDA: hopper, 10000 steps, $precision" 100 "--backend host" "--backend cuda" \
      "${small[@]}" --set "precision=$precision"
  else
    compare "same bits on 1 and 3 threads: hopper, 10000 steps, $precision" 150 "--backend host --threads 1" \
      "--backend host --threads 3" "${small[@]}" --set "precision=$precision"
  fi
done
if [ $gpu = yes ]; then
  compare "same bits on CUDA run twice: hopper, 10000 steps" 60 "--backend cuda" "--backend cuda" "${small[@]}"
  compare "same bits on host and CUDA: adaptive step, hopper, 5000 steps" 100 "--backend host" "--backend cuda" \
    configs/hopper.json --steps 5000 --set particles.0.fill.count=3000 --set time.adaptive=true
  compare "same bits on host and CUDA: triaxial test of 400 spheres" 100 "--backend host" "--backend cuda" \
    configs/triaxial.json --steps 30000 --set domain.periodic.size=[0.018,0.018,0.018]
  compare "same bits on host and CUDA: triaxial test under jaeger" 100 "--backend host" "--backend cuda" \
    configs/triaxial.json --steps 20000 --set domain.periodic.size=[0.018,0.018,0.018] --set 'contacts=[{"between":["sand","sand"],"law":"jaeger"}]'
  compare "same bits on host and CUDA: simple shear, 20000 steps" 100 "--backend host" "--backend cuda" \
    configs/simple_shear.json --steps 20000 --set domain.periodic.size=[0.018,0.018,0.018]
  for case_file in configs/*.json; do
    grep -q '"start"' "$case_file" && continue  # this case needs the results of another one
    compare "same bits on host and CUDA: $(basename "$case_file" .json), 300 steps" 60 \
      "--backend host" "--backend cuda" "$case_file" --steps 300
  done
fi

if "$bin/scree" --help | grep -E '^ +bench' > /dev/null; then
  if [ $gpu = yes ]; then
    bench=(settle shear --backend cuda --precision both --sizes 10000 100000 1000000)
    budget=(budget --backend cuda)
    roofline=(roofline --backend cuda)
  else
    bench=(--backend host --precision mixed --sizes 10000)
    budget=(budget --backend host --sizes 2000)
    roofline=(roofline --backend host --sizes 10000)
  fi
  for case in bench budget roofline; do
    declare -n options="$case"
    check "scree bench ${options[*]}" 150 "$bin/scree" bench "${options[@]}"
    [ $status != 0 ] || cat "$work/log"
  done
else
  skip "scree bench" "this build has none"
fi

echo
printf '%s\n' "${table[@]}"
if [ $failures -gt 0 ]; then
  echo "gpu-check: FAIL, $failures of $checks checks"
  exit 1
elif [ $gpu = no ]; then
  echo "gpu-check: no GPU: only the host half was checked ($checks checks passed)"
else
  echo "gpu-check: PASS, $checks checks"
fi

#!/usr/bin/env bash
# ./scripts/fuzz.sh [SECONDS [TARGET...]]: throws mutated input at the readers of cases, meshes and tables, each for so many seconds (12), with the
# address and undefined behaviour sanitizers. New inputs go to build/fuzz/corpus, findings to build/fuzz/findings; a finding becomes a
# file of tests/fuzz/corpus once it is mended. Needs clang with libFuzzer (Debian: clang libclang-rt-14-dev); CLANGXX names another one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds="${1:-12}"
shift || true
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || targets=(case stl obj particles tables)
compiler="${CLANGXX:-clang++}"
folder=build/fuzz
mkdir -p "$folder/objects" "$folder/findings"
command -v "$compiler" > /dev/null || { echo "fuzz: $compiler is not installed (Debian: clang libclang-rt-14-dev)" >&2; exit 2; }

flags=(-std=c++20 -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Iinclude -Isrc -Itests)
# The readers alone: neither kernels nor writers.
readers=(src/host/case_io.cpp src/host/case_io/*.cpp src/host/text.cpp src/host/contact_values.cpp src/host/rule_table.cpp
  src/host/geometry/parse_stl.cpp src/host/geometry/parse_obj.cpp src/host/geometry/weld.cpp src/host/geometry/mesh_io.cpp src/host/csv.cpp src/host/input_file.cpp
  src/host/packing/particle_file.cpp src/host/build_scene/time_table.cpp src/host/clumps/clump_file.cpp src/host/contact_path.cpp)
objects=()
# An object is made anew when its source or any header is newer.
newest="$(find include src/host tests/fuzz -name '*.hpp' -newer "$folder/stamp" 2> /dev/null | head -n 1 || true)"
compile() {
  local source="$1" object="$2"
  if [ -e "$object" ] && [ "$object" -nt "$source" ] && [ -e "$folder/stamp" ] && [ -z "$newest" ]; then return; fi
  ${CMAKE_CXX_COMPILER_LAUNCHER:-} "$compiler" "${flags[@]}" -c "$source" -o "$object"
}
jobs="$(nproc)"
for source in "${readers[@]}" $(printf 'tests/fuzz/fuzz_%s.cpp ' "${targets[@]}"); do
  object="$folder/objects/$(echo "${source%.cpp}" | tr / _).o"
  case "$source" in src/*) objects+=("$object") ;; esac
  compile "$source" "$object" &
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
done
while [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n; done
touch "$folder/stamp"

failed=0
for target in "${targets[@]}"; do
  "$compiler" "${flags[@]}" -fsanitize=fuzzer "$folder/objects/tests_fuzz_fuzz_$target.o" "${objects[@]}" -o "$folder/fuzz_$target"
  mkdir -p "$folder/corpus/$target"
  log="$folder/$target.log"
  if UBSAN_OPTIONS=print_stacktrace=1 "$folder/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -artifact_prefix="$folder/findings/$target-" "$folder/corpus/$target" "tests/fuzz/corpus/$target" > "$log" 2>&1; then
    echo "fuzz: $target: $(grep -oE 'Done [0-9]+ runs in [0-9]+' "$log" || echo done) s, nothing found"
  else
    failed=1
    tail -n 40 "$log"
    echo "fuzz: $target: a finding, see $log and $folder/findings"
  fi
done
exit "$failed"

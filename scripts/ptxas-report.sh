#!/usr/bin/env bash
# scripts/ptxas-report.sh [ARCHITECTURE]: lists registers, stack and spills of every kernel for one GPU architecture
# (default 90). Exits 1 when a kernel of scree spills; kernels of CUB and Thrust are listed but not judged.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

architecture="${1:-90}"
folder="$root/build/ptxas"
log="$folder/ptxas.log"
need_packages
(cd "$root" && run_logged "$folder/configure.log" cmake --preset cuda -B "$folder" \
  "-DSCREE_CUDA_ARCHITECTURES=$architecture-real" -DBUILD_TESTING=OFF -DSCREE_BENCHMARKS=OFF -DSCREE_PTXAS_INFO=ON)
say "compiling the kernels for sm_$architecture"
ninja -C "$folder" -t clean scree_cuda > /dev/null
ninja -C "$folder" -j "$jobs" scree_cuda > "$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }

# One kernel is three lines: its name, its stack and spills, its registers.
c++filt < "$log" | awk '
  /Compiling entry function/ {
    name = $0
    sub(/^[^\x27]*\x27/, "", name)
    sub(/\x27 for \x27sm_.*$/, "", name)
    gsub(/scree::on_cuda::/, "", name)
    gsub(/\(anonymous namespace\)::/, "", name)
    sub(/^void /, "", name)
    foreign = (name ~ /^(cub|thrust)::/)
    if (foreign) { sub(/<.*/, "", name) } else { sub(/\(.*/, "", name) }
  }
  /bytes stack frame/ { stack = $1; stores = $5; loads = $9 }
  /Used [0-9]+ registers/ {
    match($0, /Used [0-9]+/)
    registers = substr($0, RSTART + 5, RLENGTH - 5)
    shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART, RLENGTH - 11) : 0
    spills_here = (!foreign && stores + loads > 0)
    printf "%d %4d %6d %6d %6d %6d  %s%s\n", foreign, registers, stack, stores, loads, shared, name,
           (spills_here ? "  SPILLS" : "")
    spills += spills_here
    kernels += !foreign
  }
  END { printf "9 %d %d\n", kernels, spills }' | sort -k1,1n -k2,2nr > "$folder/report.txt"

read -r _ kernels spills < <(grep '^9' "$folder/report.txt")
echo "regs  stack  stores  loads  shared  kernel (sm_$architecture; bytes per thread, shared per block)"
grep -v '^9' "$folder/report.txt" | cut -c 3-
if [ "$kernels" = 0 ]; then echo "ptxas-report: no kernel was found in $log"; exit 1; fi
echo "ptxas-report: $kernels kernels, $spills with spills"
[ "$spills" = 0 ]

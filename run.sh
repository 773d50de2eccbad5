#!/usr/bin/env bash
# ./run.sh [CASE] [options of `scree run`]: builds what is needed and runs a case (default configs/hopper.json).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/build.sh"

if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  echo "usage: ./run.sh [CASE] [options]   builds scree if needed and runs CASE (default: configs/hopper.json)"
  echo "options are those of \`scree run\`, such as --out DIR, --backend auto|host|cuda, --set PATH=VALUE, --steps N"
  exit 0
fi
case_file="$root/configs/hopper.json"
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
  case_file="$1"
  shift
fi

need_packages
options=(-DSCREE_CUDA=OFF)
reason="the host backend only: no GPU is visible here"
if gpu_visible; then
  nvcc="$(find_nvcc)"
  if [ -n "$nvcc" ]; then
    # One architecture keeps the first build short.
    architecture="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | sort -u | tr -d '. ' | head -n 1)"
    options=(-DSCREE_CUDA=AUTO "-DCMAKE_CUDA_COMPILER=$nvcc")
    if [ -n "$architecture" ] && "$nvcc" --list-gpu-arch | grep -qx "compute_$architecture"; then
      options+=("-DSCREE_CUDA_ARCHITECTURES=$architecture")
    fi
    reason="the CUDA and the host backend"
  else
    reason="the host backend only: a GPU is visible, but no CUDA toolkit"
  fi
fi
if [ ! -x "$root/build/release/bin/scree" ]; then say "building $reason"; fi
build_preset release scree "${options[@]}"
exec "$root/build/release/bin/scree" run "$case_file" "$@"

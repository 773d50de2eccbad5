#!/usr/bin/env bash
# ./run.sh [CASE] [options of `scree run`]: builds scree if needed and runs a case (default configs/hopper.json).
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

# Prints CMake's option for the architecture of the GPU in this machine, which makes the first build shorter; nothing if
# it is not known.
architecture_option() {
  local capability
  capability="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null)" || return 0
  capability="$(tr -d '. ' <<< "$capability" | sort -nu)"
  if [ "$(wc -w <<< "$capability")" = 1 ] && "$1" --list-gpu-arch | grep -x "compute_$capability" > /dev/null; then
    echo "-DSCREE_CUDA_ARCHITECTURES=$capability"
  fi
}

# Sets the options of the build. The driver is asked only if something has changed since the last call.
choose_backends() {
  local nvcc="" key memory="$root/build/.backends" reason
  if gpu_visible; then
    nvcc="$(find_nvcc)"
    reason="the host backend only: a GPU is visible, but no CUDA toolkit"
    key="gpu, nvcc $nvcc"
  else
    reason="the host backend only: no GPU is visible here"
    key="no gpu"
  fi
  if [ "$(head -n 1 "$memory" 2> /dev/null)" != "$key" ]; then
    options=(-DSCREE_CUDA=OFF)
    if [ -n "$nvcc" ]; then
      options=(-DSCREE_CUDA=AUTO "-DCMAKE_CUDA_COMPILER=$nvcc" $(architecture_option "$nvcc"))
      reason="the CUDA and the host backend"
    fi
    say "building $reason"
    printf '%s\n' "$key" "${options[@]}" > "$memory"
  fi
  mapfile -t options < <(tail -n +2 "$memory")
}

need_packages run
choose_backends
build_preset release scree "${options[@]}"
exec "$root/build/release/bin/scree" run "$case_file" "$@"

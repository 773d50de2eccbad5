#!/usr/bin/env bash
# build.sh FOLDER: builds libcudaemu.so in the folder, together with the files that it needs. CUDA_HOME is the toolkit; only
# its headers are used. The build of scree makes its own library with SCREE_CUDA_EMULATED.
set -euo pipefail
folder="$(mkdir -p "$1" && cd "$1" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")"
g++ -std=c++20 -O2 -g1 -fPIC -shared -Wall -Wextra -I"${CUDA_HOME:-/usr/local/cuda}/include" ./*.cpp -o "$folder/libcudaemu.so" -ldl
cp device.hpp arithmetic.hpp warps.hpp ./*.py "$folder"

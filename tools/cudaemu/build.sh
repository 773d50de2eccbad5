#!/usr/bin/env bash
# build.sh FOLDER: makes libcudaemu.so in the folder, with all that it needs beside it. CUDA_HOME names the toolkit (for
# its headers only). The build of the project makes its own: SCREE_CUDA_EMULATED.
set -euo pipefail
folder="$(mkdir -p "$1" && cd "$1" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")"
g++ -std=c++20 -O2 -g1 -fPIC -shared -Wall -Wextra -I"${CUDA_HOME:-/usr/local/cuda}/include" ./*.cpp -o "$folder/libcudaemu.so" -ldl
cp device.hpp arithmetic.hpp warps.hpp ./*.py "$folder"

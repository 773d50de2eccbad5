#!/usr/bin/env bash
# scripts/bundle.sh: packs both backends, their tests and the cases into one folder that runs on a machine with only a
# driver. Writes build/bundle/ and build/scree-bundle.tar.gz (under 64 MiB). Unpack it anywhere and run
# scripts/gpu-check.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

bundle="$root/build/bundle"
archive="$root/build/scree-bundle.tar.gz"
limit=$((64 * 1024 * 1024))
programs=(scree kernel_tests_host kernel_tests_cuda)

need_packages
build_preset gpu "${programs[*]}" "-DCMAKE_CUDA_COMPILER=$(find_nvcc)" \
  ${SCREE_CUDA_ARCHITECTURES:+"-DSCREE_CUDA_ARCHITECTURES=$SCREE_CUDA_ARCHITECTURES"}

rm -rf "$bundle" "$archive"
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/scripts"
for program in "${programs[@]}"; do
  strip -o "$bundle/bin/$program" "$root/build/gpu/bin/$program"
done
cp -r "$root/configs" "$root/LICENSE" "$bundle/"
cp "$root/scripts/gpu-check.sh" "$bundle/scripts/"

# The C library belongs to the machine, and libcuda to its driver. All other libraries go into the bundle.
ldd "${programs[@]/#/$bundle/bin/}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libcuda|ld-linux[^/]*)\.so' | while read -r library; do
    cp -L "$library" "$bundle/lib/"
  done
if ldd "${programs[@]/#/$bundle/bin/}" | grep -F 'not found'; then
  say "the bundle misses a library"
  exit 1
fi

tar -C "$root/build" -czf "$archive" bundle
size="$(stat -c %s "$archive")"
if [ "$size" -gt "$limit" ]; then
  say "$archive has $size bytes, more than $limit"
  exit 1
fi
say "build/bundle and build/scree-bundle.tar.gz ($((size / 1024 / 1024 + 1)) MiB) are ready"

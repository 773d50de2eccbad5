#!/usr/bin/env bash
# check_contraction_selftest.sh COMPILER FOLDER: tests that check_contraction.sh refuses each kind of fused
# multiply-add, of scalars and vectors, and accepts the same code without them.
set -euo pipefail
compiler="${1:?usage: check_contraction_selftest.sh COMPILER FOLDER}" folder="${2:?}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
mkdir -p "$folder"
failed=0

# expect VERDICT NAME: assembles the lines on standard input and compares the verdict on the object.
expect() {
  local got=accepted code=0
  { echo '.text'; echo '.type good, @function'; echo 'good: mulsd %xmm1, %xmm0'; echo 'addsd %xmm2, %xmm0'; echo 'ret'
    echo '.type tested, @function'; echo 'tested:'; cat; echo 'ret'; } > "$folder/$2.s"
  "$compiler" -c "$folder/$2.s" -o "$folder/$2.o"
  bash "$here/check_contraction.sh" "$folder/$2.o" > "$folder/$2.log" || code=$?
  if [ "$code" = 1 ]; then got=refused; fi
  if [ "$code" -gt 1 ]; then got="exit code $code"; fi
  if [ "$got" != "$1" ]; then echo "$2: expected $1, got $got"; failed=1; fi
  if [ "$1" = refused ] && ! grep -q tested "$folder/$2.log"; then echo "$2: the function is not named"; failed=1; fi
}

if [ "$(uname -m)" = x86_64 ]; then
  expect accepted plain <<< 'vmulpd %ymm1, %ymm0, %ymm0'
  expect accepted integers <<< 'vpmaddwd %ymm1, %ymm0, %ymm0'
  expect accepted alternating_sum <<< 'vaddsubpd %ymm1, %ymm0, %ymm0'
  for kind in vfmadd vfmsub vfnmadd vfnmsub; do
    for form in 132 213 231; do
      expect refused "$kind${form}sd" <<< "$kind${form}sd %xmm1, %xmm2, %xmm0"
      expect refused "$kind${form}ps" <<< "$kind${form}ps %zmm1, %zmm2, %zmm0"
    done
  done
  expect refused vfmaddsub213pd <<< 'vfmaddsub213pd %ymm1, %ymm2, %ymm0'
  expect refused vfmsubadd231ps <<< 'vfmsubadd231ps %xmm1, %xmm2, %xmm0'
  expect refused masked <<< 'vfmadd231pd (%rax){1to8}, %zmm2, %zmm0{%k1}'
fi

# The compiler's code for a * b + c when it may fuse.
echo 'double fused(double a, double b, double c) { return a * b + c; }' > "$folder/source.cpp"
isa=()
if [ "$(uname -m)" = x86_64 ]; then isa=(-march=x86-64-v3); fi
"$compiler" -O2 "${isa[@]}" -ffp-contract=off -c "$folder/source.cpp" -o "$folder/apart.o"
bash "$here/check_contraction.sh" "$folder/apart.o" || { echo "code without fused operations is refused"; failed=1; }
"$compiler" -O2 "${isa[@]}" -ffp-contract=fast -c "$folder/source.cpp" -o "$folder/fused.o"
if bash "$here/check_contraction.sh" "$folder/fused.o" > "$folder/fused.log"; then echo "a fused product is not found"; failed=1; fi
grep -q 'fused(double, double, double)' "$folder/fused.log" || { echo "the function is not named"; failed=1; }
exit $failed

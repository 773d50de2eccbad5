#!/usr/bin/env bash
# check_contraction.sh PROGRAM...: refuses programs and objects that contain a fused multiply-add. It rounds once where
# a * b + c rounds twice, so results would depend on the compiler and the instruction set. There are no exceptions: the
# sources call no fma(), and no linked library contains one. Prints the functions that do; the exit code is then 1.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: check_contraction.sh PROGRAM..." >&2; exit 2; }
failed=0
for program in "$@"; do
  # x86: vfmadd132pd, vfnmsub231ss, vfmaddsub213ps, vfmaddcph, v4fmaddps; ARM: fmadd, fnmsub, fmla, fmls.
  found="$(objdump -d --no-show-raw-insn "$program" | awk -F'\t' '
    /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); ++functions; next }
    $2 ~ /^(v4?f[nc]?(madd|msub)|fn?m(add|sub)|fml[as])/ { ++count[name]; split($2, word, " "); kind[name] = word[1] }
    END {
      for (name in count) { print count[name], kind[name], name }
      print "functions", functions + 0
    }')"
  if [ "$(tail -n 1 <<< "$found")" = "functions 0" ]; then
    echo "check_contraction: no code was found in $program" >&2
    exit 2
  fi
  list="$(grep -v '^functions' <<< "$found" || true)"
  if [ -n "$list" ]; then
    echo "check_contraction: $program has fused multiply-adds (how many, one of them, where):"
    sort -nr <<< "$list" | c++filt | cut -c 1-220
    failed=1
  fi
done
exit $failed

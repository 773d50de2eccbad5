#!/usr/bin/env bash
# check_vectorised.sh SOURCE OBJECT COMPILER FLAGS...: the one loop of SOURCE becomes a vector loop; with SCREE_JUMPS
# defined it does not, so that this check can fail. COMPILER is g++ or clang++.
set -euo pipefail
source_file="$1" object="$2"
shift 2
case "$("$1" --version)" in
  *clang*) report=-Rpass=loop-vectorize ;;
  *) report=-fopt-info-vec-optimized ;;
esac

# 0 or 1; a source that does not compile ends the script.
n_vectorised() {  # MORE_FLAGS...
  local notes
  notes="$("$@" "$report" -c "$source_file" -o "$object" 2>&1)" || { echo "$notes" >&2; exit 2; }
  if grep -qE 'loop vectorized|vectorized loop' <<< "$notes"; then echo 1; else echo 0; fi
}

if [ "$(n_vectorised "$@")" != 1 ]; then echo "$source_file: the loop is not vectorised"; exit 1; fi
if [ "$(n_vectorised "$@" -DSCREE_JUMPS=1)" != 0 ]; then
  echo "$source_file: a loop with a jump counts as vectorised"
  exit 1
fi

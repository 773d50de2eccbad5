#!/usr/bin/env bash
# scripts/format.sh [--check]: formats all C++ files with clang-format 14, as .clang-format says. With --check it changes
# nothing, names the files that differ and exits 1. Other versions format differently, so only version 14 is accepted.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"

# Prints the path of clang-format 14, or nothing.
find_formatter() {
  local candidate
  for candidate in clang-format-14 clang-format; do
    if command -v "$candidate" > /dev/null && "$candidate" --version | grep -q 'version 14\.'; then echo "$candidate"; return; fi
  done
}

formatter="$(find_formatter)"
if [ -z "$formatter" ]; then install_packages clang-format-14; formatter="$(find_formatter)"; fi
if [ -z "$formatter" ]; then
  say "clang-format 14 is needed, as from: pip install clang-format==14.0.6"
  exit 2
fi
mapfile -t files < <(git ls-files '*.hpp' '*.cpp' '*.cu')
# Version 14 has --dry-run, but complains there of namespaces that it does not change.
find_differing() {
  printf '%s\n' "${files[@]}" | FORMATTER="$formatter" xargs -n 1 -P "$jobs" bash -c \
    '"$FORMATTER" "$1" | cmp -s - "$1" || echo "$1"' differs | sort
}
differs="$(find_differing)"
case "${1:-}" in
  "")
    # Files that do not change keep their times, so that they are not compiled again.
    if [ -n "$differs" ]; then xargs -d '\n' "$formatter" -i <<< "$differs"; fi
    ;;
  --check)
    if [ -n "$differs" ]; then
      echo "$differs"
      say "$(wc -l <<< "$differs") files are not formatted: run scripts/format.sh"
      exit 1
    fi
    echo "format: ${#files[@]} files are formatted"
    ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac

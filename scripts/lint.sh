#!/usr/bin/env bash
# scripts/lint.sh [--seconds N] [FILE...]: runs clang-tidy with .clang-tidy over C++ files. Without files it takes those
# that differ from the commit SCREE_LINT_BASE (default: the one before HEAD) and untracked files. It takes the commands
# from build/lint, in which nothing is compiled. A header is checked in the unit of tests/compile that includes nothing
# else. The static analyzer is off, since it takes minutes for some units. After N seconds it begins with no further
# file and says so. Exits 1 on a finding.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
folder=build/lint
need_packages
if ! command -v clang-tidy > /dev/null; then install_packages clang-tidy; fi
run_logged $folder/configure.log cmake --preset host -B $folder -DSCREE_UNITY=OFF
run_logged $folder/build.log ninja -C $folder scree_version  # its header has the version

latest=9999999999
if [ "${1:-}" = --seconds ]; then latest=$(($(date +%s) + $2)); shift 2; fi
files=("$@")
if [ $# = 0 ]; then
  base="${SCREE_LINT_BASE:-HEAD~1}"
  if ! git rev-parse --verify --quiet "$base^{commit}" > /dev/null; then say "there is no commit $base to compare with"; exit 2; fi
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } |
    grep -E '\.(hpp|cpp)$' | sort -u)
fi

# lint FILE: prints the findings of clang-tidy in a file, without those in its headers.
lint() {
  local file="$1" unit="$1" header='^$' name
  if [ "$(date +%s)" -ge "$latest" ]; then echo "$file" >> $folder/left_out; return 0; fi
  if [[ "$file" = *.hpp ]]; then
    name="${file#include/}"
    name="${name#src/}"
    unit="$folder/tests/compile/alone/${name//[\/.]/_}.cpp"
    header="/$file\$"
    if [ ! -e "$unit" ]; then return 0; fi  # a header of tests or tools is checked with the units that include it
  elif ! grep -qF "/$file\"" $folder/compile_commands.json; then
    return 0  # not in this build
  fi
  clang-tidy -p $folder --quiet --checks=-clang-analyzer-* --warnings-as-errors='*' "--header-filter=$header" "$unit" \
    2> /dev/null
}
export -f lint
export folder latest

if [ ${#files[@]} = 0 ]; then echo "lint: no file was changed"; exit 0; fi
rm -f $folder/left_out
if printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'lint "$1"' lint; then
  if [ -e $folder/left_out ]; then say "lint: $(wc -l < $folder/left_out) of ${#files[@]} files were LEFT OUT"; fi
  echo "lint: nothing found (${#files[@]} files)"
else
  exit 1
fi

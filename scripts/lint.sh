#!/usr/bin/env bash
# scripts/lint.sh [FILE...]: runs clang-tidy with .clang-tidy over C++ files. Without arguments it takes the files that
# differ from the commit SCREE_LINT_BASE (default: the one before HEAD) and untracked files. It needs build/host, which
# ./test.sh makes. A header is checked in the unit of tests/compile that includes nothing else. The static analyzer is
# off, since it takes minutes for some units. Exits 1 on a finding.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
folder=build/host
if ! command -v clang-tidy > /dev/null; then install_packages clang-tidy; fi
if [ ! -e $folder/compile_commands.json ]; then say "there is no $folder/compile_commands.json: run ./test.sh first"; exit 2; fi

# clang-tidy cannot read the precompiled headers of g++: it takes the same commands without them.
mkdir -p build/lint
sed -E 's/ -Winvalid-pch| -fpch-preprocess| -include [^ ]*cmake_pch\.hxx//g' $folder/compile_commands.json > build/lint/compile_commands.json

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
  if [[ "$file" = *.hpp ]]; then
    name="${file#include/}"
    name="${name#src/}"
    unit="$folder/tests/compile/alone/${name//[\/.]/_}.cpp"
    header="/$file\$"
    if [ ! -e "$unit" ]; then return 0; fi  # a header of tests or tools is checked with the units that include it
    # If there is no unit for the header alone, its own unit includes it first.
    if ! grep -qF "$unit\"" $folder/compile_commands.json; then unit="${file%.hpp}.cpp"; fi
    if ! grep -qF "$unit\"" $folder/compile_commands.json; then return 0; fi
  elif ! grep -qF "/$file\"" $folder/compile_commands.json; then
    return 0  # not in this build
  fi
  clang-tidy -p build/lint --quiet --checks=-clang-analyzer-* --warnings-as-errors='*' "--header-filter=$header" "$unit" 2> /dev/null
}
export -f lint
export folder

if [ ${#files[@]} = 0 ]; then echo "lint: no file was changed"; exit 0; fi
if printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'lint "$1"' lint; then
  echo "lint: nothing found in ${#files[@]} files"
else
  exit 1
fi

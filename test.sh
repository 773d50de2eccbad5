#!/usr/bin/env bash
# ./test.sh [options of ctest]: builds the host backend and runs all tests, or the selected ones (-L unit, -R hertz).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/build.sh"

log="$root/build/host/ctest.log"
rm -f "$log"
need_packages
build_preset host all
failed=0
ctest --test-dir "$root/build/host" -j "$jobs" --output-on-failure "$@" > "$log" 2>&1 || failed=$?
# Failures and the summary are worth reading; passed tests are not.
grep -vE '^ *Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test +#[0-9]+:.* Passed |^(Internal ctest|Test project)|^$' "$log" || true
exit "$failed"

#!/bin/bash
# All measurements of docs/performance.md, one after the other: about 40 minutes with one core. The machine should be
# idle otherwise. Prints the tables; each command can be run alone.
#
# Usage: scripts/measure-speed.sh [PROGRAM]     (PROGRAM: build/release/bin/scree)
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/release/bin/scree}")

section() {
  echo
  echo "== $*"
  local begin=$SECONDS
  "$@"
  echo "-- $((SECONDS - begin)) s"
}

lscpu | grep -E '^(Model name|CPU\(s\)|L2 cache|L3 cache)'
"$program" --version
section "$program" bench settle --threads 1
section "$program" bench settle --threads 2 --precision mixed double
section "$program" bench settle --threads 1 --sizes 100000 --precision mixed \
  --law hertz_mindlin linear_spring_dashpot mindlin_reversal hertz_mindlin+rolling luding eepa jaeger
section "$program" bench shear --threads 1 --sizes 10000 100000
section "$program" bench ledger --threads 1 --sizes 100000
section "$program" bench clumps --threads 1
section "$program" bench level_set --threads 1
section "$program" bench readouts --threads 1 --sizes 100000
section scripts/feature-costs.py --program "$program" --repeats 3
for bed in settle linear; do
  section scripts/compare-codes.py $bed --program "$program" --particles 100000 --repeats 3
  section scripts/compare-codes.py $bed --program "$program" --particles 1000000 --codes lammps --repeats 3
done

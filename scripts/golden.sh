#!/usr/bin/env bash
# scripts/golden.sh [OPTIONS] [NAME...] [-- OPTIONS OF scree run]: checks that all cases of configs/ (without
# configs/benchmark/) and of tests/golden/cases/ have the hashes of tests/golden/hashes.txt. NAME picks cases (law_jkr,
# hopper). Exits 1 and names the cases that differ.
#   --program FILE    the scree to check (default: build/host/bin/scree)
#   --backend NAME    host (default) or cuda
#   --jobs N          number of simultaneous runs (default: the number of processors)
#   --update          writes the present hashes into the file, and says which are new
#   --resumed         interrupts every run half-way and resumes it
#   --without-output  writes no frames and no series
#   --threads N       threads of each run (default: 1)
#   --seconds N       starts no more runs after N seconds, and says how many are left out. The order of the cases then
#                     changes with the commit
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
file="$root/tests/golden/hashes.txt"
# Templates of level-set grains are made anew: this program is to be checked, not the one that filled the cache.
export SCREE_CACHE=

# table_hash FILE: hash of the values in the last row of series.csv that the state hash does not contain: ledger,
# measures, the cell. Other columns do not count, so that new ones may be added.
table_hash() {
  if [ ! -s "$1" ] || [ "$without_output" = yes ]; then echo -; return; fi
  awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) { name[k] = $k } }
    { last = $0 }
    END {
      split(last, value, ",")
      for (k = 1; k in name; ++k) {
        if (name[k] ~ /^(kinetic_|elastic|work_|lost_|energy_error|probe_|volume|void_|strain_|stress_|fabric_|temperature_|heat|liquid_|bridges|removed_|inserted_)/) {
          print name[k], value[k]
        }
      }
    }' "$1" | md5sum | cut -c 1-16
}

# name_of FILE: the name of a case; configs/dense/triaxial.json is dense_triaxial.
name_of() { local name="${1#configs/}"; name="${name#tests/golden/cases/}"; name="${name%.json}"; echo "${name//\//_}"; }

# one_case CASE PRECISION STEPS: prints its arguments and the two hashes, or "failed" and the reason. STEPS may be
# "all".
one_case() {
  local case="$1" precision="$2" steps="$3" name out start done_steps half text
  if [ "$(date +%s)" -ge "$deadline" ]; then return; fi
  name="$(name_of "$case")"
  out="$work/$name.$precision"
  local run=("$program" run "$root/$case" --out "$out" --quiet --backend "$backend" --threads "$threads" --set "precision=$precision")
  start="$(sed -n 's|.*"start": *"[./]*out/\([^"/]*\)".*|\1|p' "$root/$case")"
  if [ -n "$start" ]; then run+=(--set "start=$work/$start.$precision"); fi
  if [ "$without_output" = yes ]; then
    # Stages that change output need the output that they change.
    if [ "$(grep -c '"output":' "$root/$case")" -le 1 ]; then run+=(--set 'output={}'); fi
  fi
  if grep -qx "$name" "$work/starts" || [ "$resumed" = yes ]; then run+=(--set 'output.checkpoints={"every":1e6}'); fi
  why() { grep -m 1 error "$out.log" || tail -n 1 "$out.log"; }
  # shellcheck disable=SC2206
  run+=($run_options)
  if [ "$resumed" = yes ] && [ "$steps" != all ]; then
    half=$(((steps + 1) / 2))
    "${run[@]}" --steps "$half" > "$out.log" 2>&1 || { echo "$case $precision $steps failed $(why)"; return; }
    run+=(--resume)
  fi
  if [ "$steps" != all ]; then run+=(--steps "$steps"); fi
  "${run[@]}" > "$out.log" 2>&1 || { echo "$case $precision $steps failed $(why)"; return; }
  text="$(grep -E '^(done|state hash) ' "$out/run.log" | tail -n 2 | tr '\n' ' ')"
  done_steps="$(sed -nE 's/^done +([0-9 ]+) steps.*/\1/p' <<< "$text" | tr -d ' ')"
  echo "$case $precision $done_steps $(grep -oE '[0-9a-f]{32}' <<< "$text") $(table_hash "$out/series.csv")"
}

# Prints every case with its precisions and steps, those in the file and those that the file does not have yet.
list_cases() {
  local case precision known precisions
  # configs/benchmark/ is left out: 1000 steps of its large cases, and the fills of their silos, take minutes.
  for case in $(cd "$root" && find configs tests/golden/cases -name '*.json' ! -path 'configs/benchmark/*' | LC_ALL=C sort); do
    if [ ${#names[@]} != 0 ] && ! printf '%s\n' "${names[@]}" | grep -qx "$(name_of "$case")"; then continue; fi
    case "$case" in
      configs/*) precisions="$(sed -n 's/.*"precision": *"\([a-z]*\)".*/\1/p' "$root/$case")" ;;
      *) precisions="mixed double" ;;
    esac
    for precision in ${precisions:-mixed}; do
      known="$(awk -v c="$case" -v p="$precision" '$1 == c && $2 == p { print $3 }' "$file")"
      if [ -z "$known" ]; then case "$case" in configs/*) known=1000 ;; *) known=all ;; esac; fi
      echo "$case $precision $known"
    done
  done
}

if [ "${1:-}" = --one ]; then
  shift
  one_case "$@"
  exit 0
fi

program="$root/build/host/bin/scree" backend=host jobs="$(nproc)" update=no resumed=no without_output=no threads=1 run_options="" seconds=""
names=()
while [ $# -gt 0 ]; do
  case "$1" in
    --program) program="$2"; shift ;;
    --backend) backend="$2"; shift ;;
    --jobs) jobs="$2"; shift ;;
    --threads) threads="$2"; shift ;;
    --seconds) seconds="$2"; shift ;;
    --update) update=yes ;;
    --resumed) resumed=yes ;;
    --without-output) without_output=yes ;;
    --) shift; run_options="$*"; break ;;
    -*) awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done
if [ ! -x "$program" ]; then echo "golden: there is no program $program; build it first" >&2; exit 2; fi
program="$(realpath "$program")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
deadline=$(($(date +%s) + ${seconds:-1000000}))
export deadline program backend work resumed without_output threads run_options OMP_WAIT_POLICY=passive
touch "$file"

list_cases > "$work/list"
twice="$(while read -r case precision _; do echo "$(name_of "$case") $precision"; done < "$work/list" | sort | uniq -d)"
if [ -n "$twice" ]; then echo "golden: two cases have one name: $twice" >&2; exit 2; fi
if [ ! -s "$work/list" ]; then echo "golden: there is no such case: ${names[*]}" >&2; exit 2; fi
# Cases that start from the results of others run after these. The others run even if only the later cases are selected.
while read -r case _; do sed -n 's|.*"start": *"[./]*out/\([^"/]*\)".*|\1|p' "$root/$case"; done < "$work/list" | sort -u > "$work/starts"
if [ ${#names[@]} != 0 ]; then
  mapfile -t -O ${#names[@]} names < "$work/starts"
  list_cases > "$work/list"
fi
while read -r case rest; do
  if grep -qE '"start": *"[./]*out/' "$root/$case"; then echo "$case $rest" >> "$work/second"; else echo "$case $rest" >> "$work/first"; fi
done < "$work/list"
in_order() {
  if [ -z "$seconds" ]; then cat "$1"; else shuf --random-source=<(yes "$(git -C "$root" rev-parse HEAD 2> /dev/null)") "$1"; fi
}
for wave in first second; do
  if [ -e "$work/$wave" ]; then
    in_order "$work/$wave" | xargs -P "$jobs" -L 1 bash "${BASH_SOURCE[0]}" --one >> "$work/results"
  fi
done
touch "$work/results"
left_out=$(($(wc -l < "$work/list") - $(wc -l < "$work/results")))
if [ $left_out != 0 ]; then echo "golden: $left_out of $(wc -l < "$work/list") runs were LEFT OUT after $seconds s" >&2; fi
if [ $left_out != 0 ] && [ "$update" = yes ]; then exit 1; fi
LC_ALL=C sort "$work/results" > "$work/sorted"

broken=0
if grep ' failed ' "$work/sorted" > "$work/failures"; then
  broken="$(wc -l < "$work/failures")"
  head -n 20 "$work/failures" >&2
  echo "golden: $broken of $(wc -l < "$work/sorted") runs failed" >&2
  if [ "$update" = yes ]; then exit 1; fi
fi
different=0
while read -r case precision steps state table; do
  if [ "$state" = failed ]; then continue; fi
  wanted="$(awk -v c="$case" -v p="$precision" '$1 == c && $2 == p { print $3, $4, $5 }' "$file")"
  read -r wanted_steps wanted_state wanted_table <<< "$wanted"
  what=""
  if [ -z "$wanted" ]; then
    what="is not in tests/golden/hashes.txt (scripts/golden.sh --update adds it)"
  elif [ "$state" != "$wanted_state" ]; then
    what="the state after $steps steps is $state instead of $wanted_state"
    if [ "$steps" != "$wanted_steps" ]; then what+=" after $wanted_steps steps"; fi
  elif [ "$table" != - ] && [ "$wanted_table" != - ] && [ "$table" != "$wanted_table" ]; then
    what="the same state, but other energies or measures: $table instead of $wanted_table"
  fi
  if [ -z "$wanted" ] && [ "$update" = yes ]; then what="is new"; fi
  if [ -n "$what" ]; then
    echo "golden: $case, $precision: $what" >&2
    different=$((different + 1))
  fi
done < "$work/sorted"
if [ ${#names[@]} = 0 ] && [ $left_out = 0 ]; then
  gone="$(awk 'NR == FNR { have[$1 " " $2]; next } !/^#/ && NF && !($1 " " $2 in have) { print $1, $2 }' "$work/sorted" "$file")"
  if [ -n "$gone" ]; then echo "golden: in the file, but no case: $gone" >&2; different=$((different + 1)); fi
fi

if [ "$update" = yes ]; then
  {
    echo "# case, precision, steps, state hash, hash of energies and measures; written by scripts/golden.sh --update"
    if [ ${#names[@]} = 0 ]; then cat "$work/sorted"; else
      { cat "$work/sorted"; awk 'NR == FNR { have[$1 " " $2]; next } !/^#/ && NF && !($1 " " $2 in have)' "$work/sorted" "$file"; } | LC_ALL=C sort
    fi
  } > "$work/new"
  cp "$work/new" "$file"
  echo "golden: tests/golden/hashes.txt is written, $different of $(wc -l < "$work/sorted") have changed"
elif [ $different = 0 ] && [ "$broken" != 0 ]; then
  exit 1
elif [ $different != 0 ]; then
  echo "golden: $different of $(wc -l < "$work/sorted") hashes differ; if that is meant, say why in the commit and run scripts/golden.sh --update" >&2
  exit 1
else
  echo "golden: $(wc -l < "$work/sorted") hashes are those of tests/golden/hashes.txt"
fi

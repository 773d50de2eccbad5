#!/usr/bin/env bash
# check_resume.sh SCREE CASE FOLDER: runs that are interrupted, killed or run out of disk space, and are then resumed,
# must leave the same series, frames and state hash as an uninterrupted run.
set -euo pipefail
scree=$1 case=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"

fail() { echo "check_resume.sh: $*" >&2; exit 1; }
hash_of() { grep '^state hash' "$1/run.log" | tail -n 1; }
expect_as_whole() {
  [ "$(hash_of "$1")" = "$(hash_of "$folder/whole")" ] || fail "$1: another state hash"
  cmp "$1/series.csv" "$folder/whole/series.csv" || fail "$1: another series"
  diff -r "$1/frames" "$folder/whole/frames" || fail "$1: other frames"
  diff -r "$1/boundaries" "$folder/whole/boundaries" || fail "$1: other frames of boundaries"
  diff -r "$1/contacts" "$folder/whole/contacts" || fail "$1: other files of contacts"
  cmp "$1/contacts.vtkhdf.series" "$folder/whole/contacts.vtkhdf.series" || fail "$1: another list of files of contacts"
  cmp "$1/left.csv" "$folder/whole/left.csv" || fail "$1: another left.csv"
  cmp "$1/frames.vtkhdf.series" "$folder/whole/frames.vtkhdf.series" || fail "$1: another list of frames"
}
run=("$scree" run "$case" --backend host --quiet --threads 1)
# Waits until a run has written a checkpoint.
wait_for_checkpoint() {
  for _ in $(seq 600); do
    ls "$1"/checkpoints/step_*.h5 >/dev/null 2>&1 && return 0
    sleep 0.02
  done
  fail "$1: no checkpoint appears"
}

"${run[@]}" --out "$folder/whole"

# SIGTERM: the run writes a checkpoint and exits with 128 + 15.
"${run[@]}" --out "$folder/term" & pid=$!
wait_for_checkpoint "$folder/term"
kill -TERM "$pid"
code=0; wait "$pid" || code=$?
[ "$code" = 143 ] || fail "the exit code after SIGTERM is $code"
grep -q 'to go on: the same command with --resume' "$folder/term/run.log" || fail "the log does not say how to go on"
"$scree" run "$case" --backend host --quiet --threads 2 --out "$folder/term" --resume --set neighbours.verlet_distance=3e-4
expect_as_whole "$folder/term"

# SIGKILL at four moments: the run cannot write anything more.
"${run[@]}" --out "$folder/kill" & pid=$!
wait_for_checkpoint "$folder/kill"
kill -KILL "$pid"
code=0; wait "$pid" 2>/dev/null || code=$?
[ "$code" = 137 ] || fail "the run was over before it could be killed"
for delay in 0.13 0.21 0.34; do
  "${run[@]}" --out "$folder/kill" --resume & pid=$!
  sleep "$delay"
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
done
"${run[@]}" --out "$folder/kill" --resume
expect_as_whole "$folder/kill"

# A full disk: files cannot grow beyond a size that only the first checkpoints fit into. These must remain.
"${run[@]}" --out "$folder/full" --set output.checkpoints.every=0.02 --steps 12500
bytes=$(stat -c %s "$folder"/full/checkpoints/step_000012500.h5)
code=0
( trap '' XFSZ; ulimit -f $((bytes * 3 / 4 / 1024)); "${run[@]}" --out "$folder/full" --resume ) 2>"$folder/message" || code=$?
[ "$code" = 3 ] || fail "the exit code with a full disk is $code"
grep -q 'checkpoints/step_.*cannot be written' "$folder/message" || fail "a full disk is not told: $(cat "$folder/message")"
[ -e "$folder/full/checkpoints/step_000012500.h5" ] || fail "the earlier checkpoint is gone"
! ls "$folder"/full/checkpoints/*.tmp 2>/dev/null || fail "a half-written file is left"
"${run[@]}" --out "$folder/full" --resume
expect_as_whole "$folder/full"

"$scree" compare "$folder/whole" "$folder/full" >/dev/null || fail "scree compare sees a difference"

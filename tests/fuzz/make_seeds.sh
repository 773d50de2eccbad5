#!/usr/bin/env bash
# make_seeds.sh SCREE: writes files of small runs and a template of a grain as seeds of the fuzz targets. Run it again
# when their formats have changed.
set -euo pipefail
scree="$(realpath "${1:?usage: make_seeds.sh SCREE}")"
cd "$(dirname "${BASH_SOURCE[0]}")"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
for case in seeds/*.json; do
  "$scree" run "$case" --out "$out/$(basename "$case" .json)" --backend host --threads 1 --quiet
done
mkdir -p corpus/checkpoint corpus/frame corpus/continued corpus/grain
"$scree" grain sphere --radius 1 --spacing 0.6 --no-cache --out corpus/grain/sphere > /dev/null
"$scree" grain sphere --radius 1 --spacing 0.6 --no-cache --out "$out/sphere.h5" > /dev/null
"$scree" modes "$out/sphere.h5" --poisson 0.3 --planes x --levels 3 --keep 1 --out corpus/grain/table > /dev/null
"$scree" modes "$out/sphere.h5" --poisson 0.3 --planes x --levels 4 --keep 2 --quartic --out corpus/grain/modes > /dev/null
for run in spheres clumps cell; do
  cp "$out/$run"/checkpoints/*.h5 "corpus/checkpoint/$run"
  cp "$out/$run/frames/frame_000001.vtkhdf" "corpus/frame/$run"
done
cp "$out/many/frames/frame_000001.vtkhdf" corpus/frame/compressed
cp "$out/spheres/frames.vtkhdf.series" corpus/continued/list
cp "$out/spheres/series.csv" corpus/continued/rows

#!/usr/bin/env bash
# check_includes.sh ROOT: checks who includes whom. Prints every forbidden edge; the exit code is then 1.
#   src/kernels, headers: backend/portability.hpp -> math -> backend -> state -> shapes, laws (and history), integrators
#                -> step/ledger -> step/motion -> step/pairs, step/boundaries -> step/nodes -> step/modes, neighbours
#                -> archive -> the parts of the system -> system; siblings never include each other. The public headers
#                (include/scree) are seen by archive, the parts and the system; errors.hpp by backend, too, and
#                interpolation_bias.hpp by step/nodes.
# src/kernels, units (.cpp): anything except system.hpp. Units of math and backend obey the rules for headers.
#   src/host:    text -> geometry -> storage -> case -> packing -> clumps -> breakage -> measure -> grains -> modes ->
#                scene -> output -> checkpoint -> start -> run -> bench -> commands -> app. Only scene/build_scene.cpp
#                looks upwards, at a start and at the columns of a series. Never src/kernels, except
#                app/make_engine.cpp and commands/host_isa.cpp, which see kernels/factory.hpp.
#   include:     only include/scree.
# Every header has #pragma once.
set -euo pipefail
cd "${1:?usage: check_includes.sh ROOT}"

bare="$(find include src -type f -name '*.hpp' -exec grep -L '^#pragma once$' {} + || true)"
if [ -n "$bare" ]; then printf '%s: has no #pragma once\n' $bare; exit 1; fi

find include src -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' \) | LC_ALL=C sort | xargs awk '
  BEGIN {
    split("math 1 backend 2 state 3 shapes 4 laws 4 history 4 integrators 4 " \
          "step/ledger 5 step/motion 6 step/pairs 7 step/boundaries 7 step/nodes 8 step/modes 9 neighbours 9 " \
          "archive 10", w, " ")
    for (i = 1; i in w; i += 2) { level[w[i]] = w[i + 1] }
    split("bodies boundaries cell fluid grains heat interactions ledger liquid membranes motion readout steering", parts, " ")
    for (i = 1; i in parts; ++i) { level[parts[i]] = 11 }
    level["system"] = 12
    n_rooms = split("text geometry storage case packing clumps breakage measure grains modes scene output checkpoint " \
                    "start run bench commands app", rooms, " ")
    for (i = 1; i <= n_rooms; ++i) { floor_of[rooms[i]] = i }
  }
  function folder(path,   parts, n) {  # folder of a path below src/kernels; files at the top are the system
    n = split(path, parts, "/")
    if (n > 2 && parts[1] == "step") { return "step/" parts[2] }
    return n == 1 ? "system" : parts[1]
  }
  function wrong(why) { printf "%s:%d: includes \"%s\": %s\n", FILENAME, FNR, target, why; bad = 1 }
  function check_kernel(file, target,   from, to, below, free) {
    from = folder(file)
    if (!(from in level)) { wrong("folder src/kernels/" from " is not in the list of layers"); return }
    if (target ~ /^host\//) { wrong("kernels know nothing of src/host"); return }
    if (target == "kernels/system.hpp" && from != "system") { wrong("parts do not see the system"); return }
    free = file ~ /\.cpp$/ && from !~ /^(math|backend)$/  # a unit: nobody includes it
    if (target ~ /^scree\//) {
      if (!free && level[from] < level["archive"] && !(from == "backend" && target == "scree/errors.hpp") &&
          !(from == "backend" && target == "scree/machine.hpp") &&
          !(from == "step/nodes" && target == "scree/interpolation_bias.hpp")) {
        wrong("headers of " from " do not see the public headers")
      }
      return
    }
    below = target
    sub(/^kernels\//, "", below)
    to = folder(below)
    if (!(to in level)) { wrong("folder src/kernels/" to " is not in the list of layers"); return }
    if (target == "kernels/backend/portability.hpp") { return }
    if (free || from == to || (from == "laws" && to == "history")) { return }
    if (level[from] == level[to]) { wrong("siblings " from " and " to " never include each other"); return }
    if (level[from] < level[to]) { wrong(from " lies below " to); return }
    if (from ~ /^(shapes|laws|integrators)$/ && target ~ /^kernels\/backend\/(exec|primitives)\.hpp$/) {
      wrong("the functors in " from " know nothing of launching")
    }
  }
  function check_room(target,   file, from, to) {
    file = FILENAME
    sub(/^src\/host\//, "", file)
    from = folder(file)
    sub(/^host\//, "", target)
    to = folder(target)
    if (!(from in floor_of)) { wrong("folder src/host/" from " is not in the list of rooms"); return }
    if (!(to in floor_of)) { wrong("folder src/host/" to " is not in the list of rooms"); return }
    if (file == "scene/build_scene.cpp" && target ~ /^(start\/start_from|output\/stage_measures|output\/column_names)\.hpp$/) { return }
    if (floor_of[from] < floor_of[to]) { wrong(from " lies below " to) }
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    quoted = ($0 ~ /include[ \t]*"/)
    target = $0
    sub(/^[^"<]*["<]/, "", target)
    sub(/[">].*$/, "", target)
    if (target !~ /^(kernels|host|scree)\//) {
      if (quoted) { wrong("write includes of the project from src/ or include/") }
      next
    }
    if (FILENAME ~ /^include\//) {
      if (target !~ /^scree\//) { wrong("public headers include public headers only") }
    } else if (FILENAME ~ /^src\/host\//) {
      if (target ~ /^kernels\// &&
          !(FILENAME ~ /\/(app\/make_engine|commands\/host_isa)\.cpp$/ && target == "kernels/factory.hpp")) {
        wrong("src/host never includes src/kernels (app/make_engine.cpp, commands/host_isa.cpp: kernels/factory.hpp only)")
      }
      if (target ~ /^host\//) { check_room(target) }
    } else if (FILENAME ~ /^src\/kernels\//) {
      file = FILENAME
      sub(/^src\/kernels\//, "", file)
      check_kernel(file, target)
    }
  }
  END { exit bad }' || exit 1

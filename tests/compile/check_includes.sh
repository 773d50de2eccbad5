#!/usr/bin/env bash
# check_includes.sh ROOT: who may include whom. Prints every wrong edge; exits 1 when there is one.
#   src/kernels: backend/portability.hpp -> math -> backend -> state -> shapes, laws (and history), integrators
#                -> neighbours, contact, cell, deform -> system; siblings never include each other.
#                Only system* sees include/scree (errors.hpp: backend too).
#   src/host:    never src/kernels, except app/make_engine.cpp, which sees kernels/system_factory.hpp.
#   include:     only include/scree.
set -euo pipefail
cd "${1:?usage: check_includes.sh ROOT}"

find include src -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' \) | LC_ALL=C sort | xargs awk '
  BEGIN {
    split("math 1 backend 2 state 3 shapes 4 laws 4 history 4 integrators 4 " \
          "neighbours 5 contact 5 cell 5 deform 5", w, " ")
    for (i = 1; i in w; i += 2) { level[w[i]] = w[i + 1] }
    level["system"] = 6
  }
  function folder(path,   parts, n) {  # of a path below src/kernels; its top-level files are the system
    n = split(path, parts, "/")
    return n == 1 ? "system" : parts[1]
  }
  function wrong(why) { printf "%s:%d: includes \"%s\": %s\n", FILENAME, FNR, target, why; bad = 1 }
  function check_kernel(file, target,   from, to, below) {
    from = folder(file)
    if (!(from in level)) { wrong("folder src/kernels/" from " is not in the list of layers"); return }
    if (target ~ /^host\//) { wrong("kernels know nothing of src/host"); return }
    if (target ~ /^scree\//) {
      if (from != "system" && !(from == "backend" && target == "scree/errors.hpp")) {
        wrong("only src/kernels/system* may include the public headers")
      }
      return
    }
    below = target
    sub(/^kernels\//, "", below)
    to = folder(below)
    if (!(to in level)) { wrong("folder src/kernels/" to " is not in the list of layers"); return }
    if (target == "kernels/backend/portability.hpp") { return }
    if (from == to || (from == "laws" && to == "history")) { return }
    if (level[from] == level[to]) { wrong("siblings " from " and " to " never include each other"); return }
    if (level[from] < level[to]) { wrong(from " lies below " to); return }
    if (from ~ /^(shapes|laws|integrators)$/ && target ~ /^kernels\/backend\/(exec|primitives)\.hpp$/) {
      wrong("the functors in " from " know nothing of launching")
    }
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
      if (target ~ /^kernels\// && !(FILENAME ~ /\/app\/make_engine\.cpp$/ && target == "kernels/system_factory.hpp")) {
        wrong("src/host never includes src/kernels (app/make_engine.cpp: kernels/system_factory.hpp only)")
      }
    } else if (FILENAME ~ /^src\/kernels\//) {
      file = FILENAME
      sub(/^src\/kernels\//, "", file)
      check_kernel(file, target)
    }
  }
  END { exit bad }' || exit 1

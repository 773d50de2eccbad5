#!/usr/bin/env bash
# check_includes_selftest.sh: check_includes.sh accepts each allowed edge and refuses each forbidden one. The trees that
# it checks stand in a temporary folder of their own, so that this changes nothing in the folder where it is started.
set -euo pipefail
if [ "$#" -ne 0 ]; then echo "usage: check_includes_selftest.sh" >&2; exit 2; fi
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
failed=0

verdict() {  # FILE INCLUDE -> ok | refused
  rm -rf "${tree:?}"/* && mkdir -p "$tree/include/scree" "$tree/src" "$tree/$(dirname "$1")"
  printf '#pragma once\n#include %s\n' "$2" > "$tree/$1"
  if bash "$here/check_includes.sh" "$tree" > /dev/null; then echo ok; else echo refused; fi
}
expect() {  # VERDICT FILE INCLUDE
  local got
  got="$(verdict "$2" "$3")"
  if [ "$got" != "$1" ]; then echo "$2 includes $3: expected $1, got $got"; failed=1; fi
}

expect ok src/kernels/laws/a.hpp '"kernels/history/b.hpp"'
expect ok src/kernels/laws/a.hpp '"kernels/backend/portability.hpp"'
expect ok src/kernels/backend/a.hpp '"kernels/math/vec3.hpp"'
expect refused src/kernels/math/a.hpp '"kernels/backend/buffer.hpp"'
expect ok src/kernels/laws/a.hpp '"kernels/backend/buffer.hpp"'
expect ok src/kernels/step/pairs/a.hpp '"kernels/laws/all.hpp"'
expect ok src/kernels/step/pairs/a.hpp '<vector>'
expect ok src/kernels/step/pairs/a.hpp '"kernels/step/ledger/b.hpp"'
expect ok src/kernels/step/nodes/a.hpp '"kernels/step/pairs/b.hpp"'
expect ok src/kernels/system.cpp '"kernels/step/pairs/a.hpp"'
expect ok src/kernels/system.hpp '"scree/engine.hpp"'
expect ok src/host/app/make_engine.cpp '"kernels/factory.hpp"'
expect ok src/host/commands/host_isa.cpp '"kernels/factory.hpp"'
expect refused src/host/commands/run.cpp '"kernels/factory.hpp"'
expect ok src/host/run/a.cpp '"host/output/b.hpp"'
expect ok src/host/scene/build_scene.cpp '"host/start/start_from.hpp"'
expect refused src/host/scene/a.cpp '"host/start/start_from.hpp"'
expect refused src/host/measure/a.hpp '"host/run/b.hpp"'
expect refused src/host/attic/a.hpp '"host/text/b.hpp"'
expect ok src/kernels/laws/a.cpp '"kernels/interactions/b.hpp"'
expect ok src/kernels/laws/a.cpp '"scree/scene.hpp"'
expect ok src/kernels/cell/a.hpp '"scree/cell.hpp"'
expect ok src/kernels/cell/a.hpp '"kernels/archive/b.hpp"'
expect ok src/kernels/step/nodes/a.hpp '"scree/interpolation_bias.hpp"'
expect ok include/scree/a.hpp '"scree/case.hpp"'
expect refused src/kernels/history/a.hpp '"kernels/laws/b.hpp"'
expect refused src/kernels/laws/a.hpp '"scree/interpolation_bias.hpp"'
expect refused src/kernels/shapes/a.hpp '"kernels/laws/b.hpp"'
expect refused src/kernels/laws/a.hpp '"kernels/backend/exec.hpp"'
expect refused src/kernels/math/a.hpp '"kernels/state/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"kernels/neighbours/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"kernels/system.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"kernels/ledger/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"kernels/step/boundaries/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"kernels/step/nodes/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"scree/interpolation_bias.hpp"'
expect refused src/kernels/step/a.hpp '"kernels/math/vec3.hpp"'
expect refused src/kernels/laws/a.hpp '"kernels/step/ledger/b.hpp"'
expect refused src/kernels/cell/a.hpp '"kernels/motion/b.hpp"'
expect refused src/kernels/cell/a.hpp '"kernels/system.hpp"'
expect refused src/kernels/cell/a.cpp '"kernels/system.hpp"'
expect ok src/kernels/cell/a.cpp '"kernels/run_state.hpp"'
expect refused src/kernels/archive/a.hpp '"kernels/cell/b.hpp"'
expect refused src/kernels/cell/a.cpp '"host/case_io.hpp"'
expect refused src/kernels/backend/a.cpp '"kernels/state/b.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"scree/case.hpp"'
expect refused src/kernels/step/pairs/a.hpp '"scree/scene_membranes.hpp"'
expect refused src/kernels/step/pairs/a.hpp '<scree/case.hpp>'
expect refused src/kernels/step/pairs/a.hpp '"wrench.hpp"'
expect refused src/kernels/elsewhere/a.hpp '"kernels/math/vec3.hpp"'
expect refused src/kernels/system.cpp '"host/case/case_io.hpp"'
expect refused src/host/app/make_engine.cpp '"kernels/system.hpp"'
expect refused src/host/run/simulation.cpp '"kernels/factory.hpp"'
expect refused include/scree/a.hpp '"kernels/math/vec3.hpp"'
if [ "$(verdict src/kernels/math/a.hpp '<cmath>')" != ok ]; then echo "a header with #pragma once is refused"; failed=1; fi
printf '#include <cmath>\n' > "$tree/src/kernels/math/a.hpp"
if bash "$here/check_includes.sh" "$tree" > /dev/null; then echo "a header without #pragma once is accepted"; failed=1; fi
exit "$failed"

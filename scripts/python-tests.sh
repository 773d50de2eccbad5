#!/usr/bin/env bash
# scripts/python-tests.sh [options of pytest]: builds the wheel of the Python package around the library of build/host,
# installs it into a fresh virtual environment, and checks the package there: ruff, mypy, all tests in python/tests.
# SCREE_PYTHON chooses the interpreter.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
python="${SCREE_PYTHON:-python3}"
build="$root/build/python"

# Finds or installs what an interpreter of the distribution lacks for virtual environments and modules in C++.
need_python() {
  local check='import ensurepip, os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
  if ! "$python" -c "$check" 2> /dev/null; then install_packages python3-dev python3-venv; fi
}

need_packages
need_python
# Tests that look at pages need a browser. Elsewhere than in CI they are left out without one.
if [ -n "${CI:-}" ] && ! command -v chromedriver > /dev/null; then install_packages chromium chromium-driver; fi
build_preset host scree
mkdir -p "$build"
cmake --install build/host --prefix "$build/prefix" > "$build/install.log"
rm -rf "$build/venv" "$build/wheels"
"$python" -m venv "$build/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1
run_logged "$build/wheel.log" "$build/venv/bin/python" -m pip wheel --no-deps --wheel-dir "$build/wheels" \
  "-Ccmake.define.SCREE_PREFIX=$build/prefix" ./python
wheel="$(echo "$build"/wheels/scree-*.whl)"
run_logged "$build/pip.log" "$build/venv/bin/python" -m pip install "$wheel[test,render,calibrate]"
cd python
"$build/venv/bin/ruff" check .
"$build/venv/bin/ruff" format --check .
"$build/venv/bin/mypy" --cache-dir "$build/mypy"
export OMP_WAIT_POLICY=passive
exec "$build/venv/bin/python" -m pytest -q -o "cache_dir=$build/pytest" tests "$@"

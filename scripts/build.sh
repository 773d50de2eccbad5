# Sourced by run.sh, test.sh and the scripts in this folder. It finds or installs the needed packages, builds CMake
# presets, and sets `root` and `jobs`.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
jobs="$(nproc 2> /dev/null || echo 2)"

say() { echo "scree: $*" >&2; }

# Prints the path of nvcc, or nothing.
find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then echo "$candidate"; return; fi
  done
}

# Whether a GPU can be used here. On a Linux inside Windows, the GPU is /dev/dxg.
gpu_visible() { [ -e /dev/nvidia0 ] || { [ -e /dev/dxg ] && nvidia-smi -L > /dev/null 2>&1; }; }

# at_least HAVE WANT: compares version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Sets CXX and CC to a C++ compiler that is new enough; fails if there is none.
choose_compiler() {
  if [ -n "${CXX:-}" ]; then return 0; fi
  local name version
  for name in g++ g++-14 g++-13 g++-12; do
    if command -v "$name" > /dev/null; then
      version="$("$name" -dumpversion)"
      if at_least "${version%%.*}" 12; then
        if [ "$name" != g++ ]; then export CXX="$name" CC="${name/g++/gcc}"; fi
        return 0
      fi
    fi
  done
  return 1
}

# missing_packages [run]: prints the needed Debian packages that are not installed; with `run` those of the program
# alone, without its tests.
missing_packages() {
  local package tests="libgtest-dev libbenchmark-dev"
  if [ "${1:-}" = run ]; then tests=""; fi
  choose_compiler || { if command -v g++ > /dev/null; then echo g++-12; else echo g++; fi; }
  command -v cmake > /dev/null || echo cmake
  command -v ninja > /dev/null || echo ninja-build
  command -v python3 > /dev/null || echo python3
  for package in libeigen3-dev libspectra-dev libcli11-dev nlohmann-json3-dev libhdf5-dev zlib1g-dev \
    $tests $([ -n "$(find_nvcc)" ] || echo libthrust-dev); do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || echo "$package"
  done
}

# install_packages PACKAGE...: installs packages; exits 2 if this fails.
install_packages() {
  local as_root="" log="$root/build/apt.log"
  if [ $# = 0 ]; then return; fi
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2> /dev/null; then
      as_root="sudo -n"
    else
      say "these packages are missing: $*"
      say "install them with: sudo apt-get install $*"
      exit 2
    fi
  fi
  say "installing $*"
  if ! { $as_root env DEBIAN_FRONTEND=noninteractive apt-get update &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } > "$log" 2>&1; then
    tail -n 5 "$log" >&2
    say "could not install them; see build/apt.log and docs/install.md, or try: apt-get install $*"
    exit 2
  fi
}

# Finds or installs clang with its OpenMP, for builds that are compared.
need_clang() {
  if command -v clang++ > /dev/null && echo 'int main() {}' | clang++ -fopenmp -x c++ -o /dev/null - 2> /dev/null; then return; fi
  install_packages clang libomp-dev
}

# Finds or installs clang with libFuzzer and the sanitizers.
need_fuzzer() {
  need_clang
  local probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' version
  if echo "$probe" | clang++ -fsanitize=fuzzer,address,undefined -x c++ -o /dev/null - 2> /dev/null; then return; fi
  version="$(clang++ -dumpversion)"
  install_packages "libclang-rt-${version%%.*}-dev"
}

# need_packages [run]: installs all needed packages once and leaves a stamp, so that later calls do nothing. Exits 2 if a
# package is missing.
need_packages() {
  local stamp="$root/build/.packages${1:+_$1}" version
  mkdir -p "$root/build"
  if [ -e "$stamp" ] && [ "$stamp" -nt "${BASH_SOURCE[0]}" ]; then choose_compiler; return; fi
  if ! command -v dpkg-query > /dev/null; then
    say "no dpkg here: packages are not checked, CMake will name what it misses"
    touch "$stamp"
    return
  fi
  # shellcheck disable=SC2046
  install_packages $(missing_packages "${1:-}")
  version="$(cmake --version | head -n 1 | grep -oE '[0-9]+(\.[0-9]+)+')"
  if ! at_least "$version" 3.25; then
    say "CMake 3.25 or later is needed, found $version (a newer one: pip install cmake, or apt.kitware.com)"
    exit 2
  fi
  choose_compiler || { say "g++ 12 or later is needed"; exit 2; }
  touch "$stamp"
}

# run_logged LOG COMMAND...: shows the output on a terminal; elsewhere it writes the output to a file and shows it on
# failure.
run_logged() {
  local log="$1"
  shift
  mkdir -p "$(dirname "$log")"
  if [ -t 1 ]; then
    "$@"
  elif ! "$@" > "$log" 2>&1; then
    tail -n 60 "$log" >&2
    say "failed: $*"
    return 1
  fi
}

# build_preset PRESET TARGETS [CMAKE_OPTION...]: configures if the options have changed, then builds.
build_preset() {
  local preset="$1" targets="$2" folder="$root/build/$1" options
  shift 2
  options="$root $* ${CXX:-} ${SCREE_WERROR:-}"
  if [ ! -e "$folder/build.ninja" ] || [ "$(cat "$folder/.options" 2> /dev/null)" != "$options" ]; then
    say "configuring build/$preset"
    (cd "$root" && run_logged "$folder/configure.log" cmake --preset "$preset" --fresh "$@" \
      "-DSCREE_WERROR=${SCREE_WERROR:-OFF}") || return 1
    echo "$options" > "$folder/.options"
    say "building build/$preset with $jobs jobs (the first build takes minutes)"
  fi
  # In a log, the lines of ninja are of no use beside those of the compiler. Ninja 1.10 cannot leave them out.
  local quiet=""
  if [ ! -t 1 ]; then quiet="$(ninja --help 2>&1 | grep -o -m 1 -e --quiet || true)"; fi
  # shellcheck disable=SC2086
  run_logged "$folder/build.log" ninja -C "$folder" -j "$jobs" $quiet $targets
}

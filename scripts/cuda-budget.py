#!/usr/bin/env python3
"""Compares what the hot CUDA kernels need with tests/budget/cuda.txt. Needs nvcc, but no GPU.

Usage: cuda-budget.py [--update]

For each kernel the table has registers per thread, bytes of stack and of spills, and how many instructions load or
store 16, 8 and 4 bytes of global memory or less, use local memory, compute in double precision, or convert to it or
from it. The instructions are those of PTX; registers, stack and spills are those that ptxas finds for sm_90. Exits 1
if a value is worse than the one in the table: registers by more than 2 %, all others at all. A load of 16 bytes is
better than several narrower ones, so fewer wide loads are worse and more narrow ones, too. Another release of nvcc has
another table: it is printed, but not judged. --update writes the table.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/budget/cuda.txt"
FLAGS = ["-x", "cu", "-std=c++20", "-O3", "--fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false",
         "--expt-relaxed-constexpr", "-arch=compute_90", "-Xcompiler=-fopenmp,-ffp-contract=off",
         f"-I{ROOT}/include", f"-I{ROOT}/src"]
PAIR = r"run_selected<.*PairContacts<SpherePair<{0}>, {1}, true>, {0}> >"
HERTZ = "HertzFamily<{0}, false, false>"
BOUNDARY = r"run_each<InStep<BoundaryContacts<SphereOnFeature<{0}>, " + HERTZ + ", "
# Unit, and its kernels: name in the table, pattern of the demangled name. {0} is the precision.
UNITS = {
    "laws/hertz_mindlin.cpp": [
        ("pair contacts, hertz_mindlin", PAIR.replace("{1}", HERTZ)),
        ("boundary contacts, hertz_mindlin", BOUNDARY + "true>"),
        ("boundary contacts with meshes", BOUNDARY + "false>"),
    ],
    "motion/sweep.cpp": [
        ("gather and move", r"run_each_then<InStep<BodyMotion<{0}, false, false, false>"),
        ("gather and move, periodic cell", r"run_each_then<InStep<BodyMotion<{0}, false, false, true>"),
    ],
    "laws/jaeger.cpp": [("pair contacts, jaeger", PAIR.replace("{1}", "Jaeger<{0}, false>"))],
}
WIDTHS = (16, 8, 4)
COLUMNS = (["registers", "stack", "spills"] + [f"load{w}" for w in WIDTHS] + [f"store{w}" for w in WIDTHS]
           + ["local", "double", "convert"])


def find_nvcc():
    for candidate in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc"):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    sys.exit("cuda-budget: there is no nvcc; set CUDACXX")


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return [re.sub(r"scree::on_cuda::", "", line) for line in text.splitlines()]


def count(body):
    """Counts of the instructions of one kernel in PTX."""
    found = dict.fromkeys(COLUMNS, 0)
    for line in body.splitlines():
        words = line.split()
        if words and words[0].startswith("@"):
            words = words[1:]
        if not words or words[0].endswith(":"):
            continue
        parts = words[0].rstrip(";").split(".")
        width = re.search(r"\d+$", parts[-1])
        if parts[0] in ("ld", "st") and parts[1] == "local":
            found["local"] += 1
        elif parts[0] in ("ld", "st") and parts[1] not in ("param", "shared") and width:
            size = int(width.group()) // 8 * (4 if "v4" in parts else 2 if "v2" in parts else 1)
            found[("load" if parts[0] == "ld" else "store") + str(max(size, WIDTHS[-1]))] += 1
        elif parts[0] == "cvt" and "f64" in parts:
            found["convert"] += 1
        elif parts[-1] == "f64" and parts[0] != "mov":
            found["double"] += 1
    return found


def measure(nvcc, unit, folder):
    """Rows of one unit: {(kernel, precision): values}."""
    ptx, cubin = folder / f"{pathlib.Path(unit).stem}.ptx", folder / f"{pathlib.Path(unit).stem}.cubin"
    subprocess.run([nvcc, *FLAGS, "-ptx", "-o", ptx, ROOT / "src/kernels" / unit], check=True)
    ptxas = pathlib.Path(nvcc).with_name("ptxas")
    report = subprocess.run([ptxas, "-v", "-arch=sm_90", "-o", cubin, ptx], capture_output=True, text=True,
                            check=True).stderr
    bodies = dict(re.findall(r"\.entry (\w+)\((.*?)\n\}\n", ptx.read_text(), re.S))
    needs = {m[0]: m[1:] for m in re.findall(
        r"Compiling entry function '(\w+)'.*?\n.*?\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes "
        r"spill loads\n.*?Used (\d+) registers", report)}
    names = list(bodies)
    rows = {}
    for mangled, name in zip(names, demangled(names)):
        for label, pattern in UNITS[unit]:
            for precision in ("float", "double"):
                if not re.search(pattern.replace("{0}", precision), name):
                    continue
                if (label, precision) in rows:
                    sys.exit(f"cuda-budget: two kernels of {unit} are {label}, {precision}")
                stack, stores, loads, registers = map(int, needs[mangled])
                rows[label, precision] = count(bodies[mangled]) | {
                    "registers": registers, "stack": stack, "spills": stores + loads}
    in_order = {}
    for label, _ in UNITS[unit]:
        for precision in ("float", "double"):
            if (label, precision) not in rows:
                sys.exit(f"cuda-budget: {unit} has no kernel for {label}, {precision}")
            in_order[label, precision] = rows[label, precision]
    return in_order


def table_of(rows, release):
    lines = [f"# What hot kernels need, by scripts/cuda-budget.py; nvcc {release}, sm_90",
             f"{'kernel':40}" + "".join(f"{c:>10}" for c in COLUMNS)]
    for (label, precision), values in rows.items():
        lines.append(f"{label + ', ' + precision:40}" + "".join(f"{values[c]:>10}" for c in COLUMNS))
    return "\n".join(lines) + "\n"


def worse(column, now, before):
    if column == "registers":
        return now > 1.02 * before
    return now < before if column in ("load16", "store16") else now > before


def main():
    nvcc = find_nvcc()
    release = re.search(r"release (\S+),", subprocess.run([nvcc, "--version"], capture_output=True, text=True,
                                                          check=True).stdout).group(1)
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = {}
        for found in pool.map(lambda unit: measure(nvcc, unit, pathlib.Path(name)), UNITS):
            rows |= found
    text = table_of(rows, release)
    print(text, end="")
    if sys.argv[1:] == ["--update"]:
        TABLE.write_text(text)
        return
    old = TABLE.read_text().splitlines()
    if f"nvcc {release}," not in old[0]:
        print(f"cuda-budget: not judged, since {TABLE.name} is of another nvcc")
        return
    budget = {line[:40].strip(): dict(zip(COLUMNS, map(int, line[40:].split()))) for line in old[2:]}
    faults = []
    for (label, precision), values in rows.items():
        kernel = f"{label}, {precision}"
        if kernel not in budget:
            faults.append(f"{kernel}: is not in the table")
            continue
        faults += [f"{kernel}: {c} {values[c]}, was {budget[kernel][c]}" for c in COLUMNS
                   if worse(c, values[c], budget[kernel][c])]
    print("\n".join(faults) if faults else "cuda-budget: nothing is worse")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

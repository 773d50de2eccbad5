#!/usr/bin/env python3
"""What physics beside the contacts costs: time per particle and step of one bed of spheres with and without it.

Usage: feature-costs.py [--program FILE] [--size METRES] [--repeats N] [--threads N] [--only NAME ...]

A bed settles once; each feature starts from its checkpoint. In each repeat every feature runs beside the bed without
any, and the ratios are of that repeat; the medians are printed.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

STEPS = 400
GAS = {"conductivity": 0.026, "least_gap": 1e-6}
# Thin air: the bed keeps its shape, so the contacts stay the same.
AIR = {"density": 1.2, "viscosity": 1.8e-5, "velocity": [0, 0, 0.1]}
LIQUID = {"surface_tension": 0.05, "volume_fraction": 0.01}
PROBES = {"lost": {"type": "dissipation"}}


def rule(**keys):
    return {"contacts": [{"between": ["*", "*"], **keys}]}


# Changes of the case, by the name of the feature.
FEATURES = {
    "energy ledger": {"output": {"series": {"every": 1, "energies": True}}},
    "losses of each particle (probe dissipation)": {"output": {"series": {"every": 1, "probes": PROBES}}},
    "heat through contacts": {"heat": {}},
    "heat, also through a gas": {"heat": {"gas": GAS}},
    "heat, gas and radiation": {"heat": {"gas": GAS, "radiation": {}}},
    "heat through contacts, and from losses": {"heat": {"dissipation": 1}},
    "linear cohesion": rule(cohesion={"energy_density": 1e3}),
    "liquid bridges": rule(liquid=LIQUID),
    "liquid bridges from films": rule(liquid={**LIQUID, "from_films": True}),
    "rolling resistance": rule(rolling={"stiffness": 0.3, "friction": 0.1}),
    "fluid": {"fluid": AIR, "integration": {}},
    "fluid, grains that hinder each other": {"fluid": {**AIR, "hindrance": "di_felice"}, "integration": {}},
    "law jkr": rule(law="jkr", surface_energy=0.01),
}


def bed(size):
    return {
        "time": {"duration": 0.08},
        "gravity": [0, 0, -9.81],
        "materials": {"glass": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                                "restitution": 0.4,
                                "thermal": {"conductivity": 0.01, "heat_capacity": 800, "emissivity": 0.9}}},
        # nearly without tension, but it fills the films
        **rule(liquid={"surface_tension": 1e-9, "volume_fraction": 0.01, "from_films": True}),
        "particles": [{"material": "glass", "radius": {"uniform": [0.9e-3, 1.1e-3]}, "film": 0.02,
                       "fill": {"box": [[0, 0, 0], [size, size, 0.06]], "solid_fraction": 0.55}}],
        "domain": {"periodic": {"size": [size, size, 0.1], "axes": ["x", "y"]}},
        "integration": {"damping": 0.3},
        "boundaries": {"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}},
        "output": {"checkpoints": {"every": 1}},
    }


def run(program, case, folder, threads, steps=None):
    """Runs a case; returns its particle-steps per second."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "case.json"
    file.write_text(json.dumps(case))
    command = [program, "run", file, "--out", folder / "out", "--threads", threads, "--quiet"]
    command += ["--steps", steps] if steps else []
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"feature-costs: {done.stderr.strip()}")
    log = (folder / "out" / "run.log").read_text()
    value, prefix = re.search(r"speed +([0-9.]+) ([kMG]?) ?particle-steps/s", log).groups()
    return float(value) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[prefix]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=pathlib.Path(__file__).resolve().parent.parent / "build/release/bin/scree")
    parser.add_argument("--size", type=float, default=0.06)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=FEATURES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        run(options.program, bed(options.size), folder / "bed", options.threads)
        plain = bed(options.size)
        del plain["particles"], plain["output"], plain["contacts"], plain["domain"]
        plain["start"] = str(folder / "bed" / "out")
        times = {}
        for _ in range(options.repeats):
            for name, change in FEATURES.items():
                if options.only and name not in options.only:
                    continue
                without = run(options.program, plain, folder / "plain", options.threads, STEPS)
                rate = run(options.program, {**plain, **change}, folder / "with", options.threads, STEPS)
                times.setdefault(name, []).append((1e9 / without, 1e9 / rate))
    print("| | without [ns] | with [ns] | ratio |\n|---|---|---|---|")
    for name, pairs in times.items():
        without, rate = (statistics.median(pair[k] for pair in pairs) for k in (0, 1))
        print(f"| {name} | {without:.0f} | {rate:.0f} | {statistics.median(b / a for a, b in pairs):.2f} |")


if __name__ == "__main__":
    main()

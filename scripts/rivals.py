"""Inputs of LAMMPS, LIGGGHTS and Yade for the beds of compare-codes.py, and the speed that these programs tell.

Each function takes a folder to write into, a Bed and the number of processes or threads, and returns particle-steps per
second over the last STEPS steps."""

from __future__ import annotations

import csv
import dataclasses
import math
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable

DENSITY, YOUNG, POISSON, FRICTION, RESTITUTION = 2500.0, 1e7, 0.25, 0.5, 0.5
STEP, RADIUS = 1.4e-5, 1e-3  # [s], [m]
SKIN = 0.1 * RADIUS  # [m] of a pair: the least Verlet distance of scree, and that of Yade
STEPS, WARM_UP = 200, {"settle": 50, "linear": 50, "shear": 1000}


@dataclasses.dataclass
class Bed:
    """Spheres at rest between a floor and four walls, or in a periodic cell that is sheared."""

    kind: str  # settle, linear or shear
    file: pathlib.Path  # x, y, z and radius of each sphere
    spheres: list[dict[str, str]]
    cell: list[float] | None  # edges [m]
    rate: float  # of the shear [1/s]

    @classmethod
    def read(cls, kind: str, file: pathlib.Path, told: str) -> Bed:
        """`told`: all that `scree bench` has printed."""
        with open(file, newline="") as text:
            spheres = list(csv.DictReader(text))
        cell = re.search(r"cell of the packing written \[m\]: (\S+) (\S+) (\S+), rate \[1/s\]: (\S+)", told)
        edges = [float(cell.group(k)) for k in (1, 2, 3)] if cell else None
        if edges:
            for sphere in spheres:
                sphere.update({axis: f"{float(sphere[axis]) % edge:.17g}" for axis, edge in zip("xyz", edges)})
        return cls(kind, file, spheres, edges, float(cell.group(4)) if cell else 0.0)

    def limits(self) -> tuple[list[float], list[float]]:
        """Where its walls are: lower and upper corner [m]."""
        return ([min(float(s[axis]) - float(s["radius"]) for s in self.spheres) for axis in "xyz"],
                [max(float(s[axis]) + float(s["radius"]) for s in self.spheres) for axis in "xyz"])  # fmt: skip


def run(command: list[str], folder: pathlib.Path, threads: int) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def processes(n: int) -> list[str]:
    return ["mpirun", "-np", str(n)] if n > 1 else []


Sphere = tuple[float, float, float, float]  # radius and centre [m]


def write_spheres(file: pathlib.Path, spheres: Iterable[Sphere], low: list[float], high: list[float], types: int = 1,
                  tilt: str = "") -> None:  # fmt: skip
    """Spheres of type 1 in a box, as LAMMPS and LIGGGHTS read them."""
    rows = [f"{i} 1 {2 * radius:.17g} {DENSITY} {x:.17g} {y:.17g} {z:.17g}\n"
            for i, (radius, x, y, z) in enumerate(spheres, 1)]  # fmt: skip
    with open(file, "w") as out:
        out.write(f"bed\n\n{len(rows)} atoms\n{types} atom types\n\n")
        for axis, a, b in zip("xyz", low, high):
            out.write(f"{a:.17g} {b:.17g} {axis}lo {axis}hi\n")
        out.write(f"{tilt}\nAtoms\n\n")
        out.writelines(rows)


def write_data(folder: pathlib.Path, bed: Bed) -> None:
    """The bed with some room around its walls."""
    low, high = ([0.0] * 3, bed.cell) if bed.cell else bed.limits()
    edge = 0 if bed.cell else RADIUS
    spheres = ((float(s["radius"]), float(s["x"]), float(s["y"]), float(s["z"])) for s in bed.spheres)
    write_spheres(folder / "bed.data", spheres, [a - edge for a in low], [b + edge for b in high],
                  tilt="0 0 0 xy xz yz\n" if bed.cell else "")  # fmt: skip


# How every input of LIGGGHTS begins.
LIGGGHTS_HEAD = """units si
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
read_data bed.data
"""


def speed(bed: Bed, told: str, seconds: str = r"Loop time of ([0-9.eE+-]+)") -> float:
    """Particle-steps per second, from all that a code has printed."""
    return len(bed.spheres) * STEPS / float(re.findall(seconds, told)[-1])


def spring_constants() -> tuple[float, float, float]:
    """Stiffness [N/m], shear stiffness, and damping per mass [1/s], of `scree bench settle --law
    linear_spring_dashpot`."""
    stiffness, mass = 300.0, DENSITY * 4 / 3 * math.pi * RADIUS**3 / 2  # of a pair
    return stiffness, 0.25 * stiffness, 2 * 0.2155 * math.sqrt(stiffness / mass)  # restitution near 0.5


def lammps(folder: pathlib.Path, bed: Bed, threads: int) -> float:
    """pair_style gran/hertz/history or gran/hooke/history, double precision."""
    write_data(folder, bed)
    if bed.kind == "linear":
        normal, shear, damping = spring_constants()
        style, law = "hooke", f"{normal:.9g} {shear:.9g} {damping:.9g} {damping / 2:.9g} {FRICTION} 1"
    else:  # F_n = k_n sqrt(R*) u^1.5, so k_n = 4/3 E*; k_t = 8 G*
        young, shear = YOUNG / (2 * (1 - POISSON**2)), YOUNG / (2 * (1 + POISSON)) / (2 * (2 - POISSON))
        style, law = "hertz", f"{4 / 3 * young:.9g} {8 * shear:.9g} 1e4 5e3 {FRICTION} 1"
    if bed.cell:
        fixes = f"fix shear all deform 1 xz erate {bed.rate:.9g} remap v flip yes"
    else:
        low, high = bed.limits()
        planes = [("x", low[0], f"{high[0]:.17g}"), ("y", low[1], f"{high[1]:.17g}"), ("z", low[2], "NULL")]
        fixes = "fix down all gravity 9.81 vector 0 0 -1\n" + "\n".join(
            f"fix wall_{axis} all wall/gran {style}/history {law} {axis}plane {a:.17g} {b}" for axis, a, b in planes)
    (folder / "in.lammps").write_text(f"""
units si
atom_style sphere
boundary {"p p p" if bed.cell else "f f f"}
newton off
comm_modify vel yes
read_data bed.data
pair_style gran/{style}/history {law}
pair_coeff * *
neighbor {SKIN} bin
neigh_modify delay 0 every 1 check yes
timestep {STEP}
fix move all nve/sphere
{fixes}
thermo 100
run {WARM_UP[bed.kind]}
run {STEPS}
""")
    return speed(bed, run([*processes(threads), "lmp", "-in", "in.lammps"], folder, 1))


def liggghts(folder: pathlib.Path, bed: Bed, threads: int) -> float:
    """pair_style gran model hertz (or hooke/stiffness) tangential history, double precision."""
    write_data(folder, bed)
    if bed.kind == "linear":
        normal, shear, damping = spring_constants()
        model = "hooke/stiffness tangential history"
        values = {"kn": normal, "kt": shear, "gamman": damping, "gammat": damping / 2}
    else:
        model, values = "hertz tangential history", {"coefficientRestitution": RESTITUTION}
    properties = "\n".join(f"fix p_{name} all property/global {name} peratomtypepair 1 {value:.9g}"
                           for name, value in {**values, "coefficientFriction": FRICTION}.items())  # fmt: skip
    low, high = bed.limits()
    planes = [("x", low[0]), ("x", high[0]), ("y", low[1]), ("y", high[1]), ("z", low[2])]
    walls = "\n".join(f"fix wall_{k} all wall/gran model {model} primitive type 1 {axis}plane {place:.17g}"
                      for k, (axis, place) in enumerate(planes))  # fmt: skip
    (folder / "in.liggghts").write_text(f"""{LIGGGHTS_HEAD}neighbor {SKIN} bin
neigh_modify delay 0 every 1 check yes
fix p_young all property/global youngsModulus peratomtype {YOUNG}
fix p_poisson all property/global poissonsRatio peratomtype {POISSON}
{properties}
pair_style gran model {model}
pair_coeff * *
timestep {STEP}
fix down all gravity 9.81 vector 0.0 0.0 -1.0
{walls}
fix move all nve/sphere
thermo 100
run {WARM_UP[bed.kind]}
run {STEPS}
""")
    return speed(bed, run([*processes(threads), "liggghts", "-in", "in.liggghts"], folder, 1))


def yade(folder: pathlib.Path, bed: Bed, threads: int) -> float:
    """Hertz-Mindlin with dashpots, or linear springs of the same stiffness without; its Verlet distance by default."""
    low, high = bed.limits()
    linear = bed.kind == "linear"
    young = 0.5 * spring_constants()[0] / RADIUS if linear else YOUNG  # two springs E 2 R in series: k_n = E R
    poisson = 0.25 if linear else POISSON  # for springs the ratio of the stiffnesses
    physics = ("Ip2_FrictMat_FrictMat_FrictPhys()", "Law2_ScGeom_FrictPhys_CundallStrack()") if linear else (
        f"Ip2_FrictMat_FrictMat_MindlinPhys(en={RESTITUTION}, es={RESTITUTION})", "Law2_ScGeom_MindlinPhys_Mindlin()")
    (folder / "bed.py").write_text(f"""
import csv, math, time
O.materials.append(FrictMat(young={young!r}, poisson={poisson}, frictionAngle=math.atan({FRICTION}), density={DENSITY}))
with open({str(bed.file)!r}, newline="") as text:
    O.bodies.append([sphere([float(s[k]) for k in "xyz"], float(s["radius"])) for s in csv.DictReader(text)])
for axis, place in {[(0, low[0]), (0, high[0]), (1, low[1]), (1, high[1]), (2, low[2])]!r}:
    O.bodies.append(wall(place, axis))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [{physics[0]}], [{physics[1]}]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0),
]
O.dt = {STEP}
O.run({WARM_UP[bed.kind]}, True)
start = time.time()
O.run({STEPS}, True)
print("seconds of the steps:", time.time() - start, flush=True)
""")
    told = run(["yade", "-x", "-n", f"-j{threads}", "bed.py"], folder, threads)
    return speed(bed, told, r"seconds of the steps: (\S+)")


PROGRAMS = {"lammps": "lmp", "liggghts": "liggghts", "yade": "yade"}
RATES = {"lammps": lammps, "liggghts": liggghts, "yade": yade}


def installed(code: str) -> bool:
    return shutil.which(PROGRAMS[code]) is not None

"""The figures that the tutorials print, for scripts/check-tutorials.py.

A figure is a piece of the text of its page, in which each {} stands for a number, and what a run gives for these
numbers. A text without {} is a statement, of which the run says whether it holds. Line breaks do not matter, and the
page must have the text once.
"""

from __future__ import annotations

import math
import re

import numpy
import pandas
from tutorial_runs import ROOT, Figure, Page, Run, Source, deepest, measure, printed, slope, volume

# Silo


def silo_sweep(run: Run) -> list[tuple[float, float, float]]:
    """For each gravity: flows of both seeds, their mean over the root of gravity."""
    flows = pandas.read_csv(run.folder / "out/silo_sweep/table.csv").filter(regex="^discharge_rate").iloc[:, 0]
    pairs = flows.to_numpy().reshape(3, 2)
    return [(*pair, pair.mean() / root) for pair, root in zip(pairs, numpy.sqrt([4.905, 9.81, 19.62]), strict=True)]


def silo_spread(run: Run) -> float:
    scaled = [row[2] for row in silo_sweep(run)]
    return max(scaled) / min(scaled) - 1


SILO = Page(
    "docs/tutorials/silo.md",
    [
        Figure("under *Flow*: {} kg/s through the orifice", measure("silo", "discharge_rate")),
        Figure("particles overlapped by {} %", deepest("silo")),
        Figure("| 4.905 | {}, {} | {} |", lambda run: silo_sweep(run)[0]),
        Figure("| 9.81 | {}, {} | {} |", lambda run: silo_sweep(run)[1]),
        Figure("| 19.62 | {}, {} | {} |", lambda run: silo_sweep(run)[2]),
        Figure("The last column is the same within one per cent", lambda run: silo_spread(run) < 0.01),
    ],
)


# Heap


def quoted(first: str, last: str) -> Source:
    """Whether docs/sweeps.md has all that was printed from a text to another one."""

    def find(run: Run) -> bool:
        start = run.said.index(first)
        return run.said[start : run.said.index(last, start)] in (ROOT / "docs/sweeps.md").read_text()

    return find


HEAP = Page(
    "docs/tutorials/heap.md",
    [
        Figure("particles overlap by {} % of the radius", deepest("heap")),
        Figure(
            "`materials.grain.rolling.friction = {} ± {}`",
            printed("\nmaterials.grain.rolling.friction = {} ± {}"),
        ),
        Figure("friction={} --out out/heap_fitted", printed("\nmaterials.grain.rolling.friction = {} ±")),
        Figure(
            "angle_of_repose is {} ± {}; wanted: 22 ± 0.5", printed("angle_of_repose is {} ± {};"), "docs/sweeps.md"
        ),
        Figure("{} runs in out/heap_calibration", printed("{} runs in out/heap_calibration"), "docs/sweeps.md"),
        Figure(
            "4 points over the ranges, 2 runs each",
            quoted("4 points over the ranges", "heap_calibration"),
            "docs/sweeps.md",
        ),
    ],
)


# Powder


def jkr_gap(run: Run) -> float:
    """[micrometres] from grain to plate when they part."""
    pull = run.series("pull")["force_z_plate"]
    parted = pull.index[pull > 0][-1]
    return 0.2 - 1e6 * float(numpy.interp(parted, [0, 0.008, 0.02], [0, 6e-7, -3e-7]))


POWDER = Page(
    "docs/tutorials/powder.md",
    [
        Figure("| JKR | {} N | {} N |", printed("JKR: pull-off {} N, expected {} N")),
        Figure("| DMT | {} N | {} N |", printed("DMT: pull-off {} N, expected {} N")),
        Figure("only when grain and plate are {} micrometres apart", jkr_gap),
        Figure("The sticky column keeps its height of {} mm", printed("powder: ... tube, {} mm without")),
        Figure("the other one flows apart to {} mm", printed("powder_dry: ... tube, {} mm without")),
        Figure("They stood {} mm high in the tube", printed("powder: {} mm high")),
        Figure("the others {} mm, since sticky grains", printed("powder_dry: {} mm high")),
    ],
)


# Conveyor


def gained(run: Run) -> float:
    """Kinetic energy of the horizontal motion that the belt adds in a second."""
    after, before = run.variables["carried"][0], run.variables["leaves"][0]
    return float(0.6 / 2 * (after**2 - before**2))


def twice_the_gravel(run: Run) -> tuple[float, float]:
    """Horizontal force on the chute, power of the belt."""
    late = run.series("twice").loc[0.7:]
    return late["force_x_chute"].mean(), sum(
        slope(late, f"work_{name}") for name in ("belt", "belt_left", "belt_right")
    )


def balanced(run: Run) -> bool:
    """Whether flow, speed, force and power agree with what is expected within two per cent."""
    given = run.variables
    force, power = 0.6 * (0.6 - given["leaves"][0]), 1.2 * (given["carried"][0] - given["leaves"][0])
    ratios = [given["flow"] / 0.6, given["lower"] / given["slid"], given["late"]["force_x_chute"].mean() / force]
    return bool(max(abs(ratio - 1) for ratio in [*ratios, given["power"] / power]) < 0.02)


CONVEYOR = Page(
    "docs/tutorials/conveyor.md",
    [
        Figure("| flow at the end of the belt | {} kg/s |", printed("flow {} kg/s of")),
        Figure(
            "| speed after 155 mm on the chute | {} m/s | {} m/s |", printed("speed {} m/s, a sliding block has {}")
        ),
        Figure("| horizontal force on the chute | {} N | {} N |", printed("force {} N, change of momentum {}")),
        Figure("| power of the belt | {} W | {} W |", printed("power {} W, change of momentum times 2 m/s {}")),
        Figure("All agree within two per cent", balanced),
        Figure("gravel gains {} W of the belt's {} W", lambda run: [gained(run), run.variables["power"]]),
        Figure("twice the force ({} N) and twice the power ({} W)", twice_the_gravel),
    ],
    also=["scree run conveyor.json --set particles.0.inlet.mass_flow=1.2 --out out/twice"],
)


# Coming from other programs

COMING_FROM = Page(
    "docs/tutorials/coming_from.md",
    [
        Figure("press on the box with {} N", lambda run: -run.series("settling")["force_z_box"].iloc[-1]),
        Figure("They weigh {} N", lambda run: 2500 * 9.81 * volume(run.results("settling").frames[-1])),
    ],
)


# Rocks


def templates(run: Run) -> tuple[float, float, float, float]:
    """[%] Least and largest lack of volume of a template against its voxels, that of all, largest error of a grid."""
    labels = re.findall(r"label \d of scan.nrrd, ([\d ]+) voxels\s+grain\s+volume (\S+) m3", run.said)
    errors = [abs(float(error)) for error in re.findall(r"on the grid volume (\S+) %", run.said)]
    voxels = [2.5e-4**3 * float(count.replace(" ", "")) for count, _ in labels]
    volumes = [float(volume) for _, volume in labels]
    lacks = [100 - 100 * volume / voxel for volume, voxel in zip(volumes, voxels, strict=True)]
    return min(lacks), max(lacks), 100 - 100 * sum(volumes) / sum(voxels), max(errors)


def fill_of_balls(run: Run) -> float:
    """Solid fraction of the bed of balls, as the page's program takes it of the stones."""
    places, each = run.results("balls").frames[-1].positions[:], run.variables["each"]
    low, high = 0.01, 0.75 * numpy.quantile(places[:, 2], 0.95)
    inside = (places[:, 2] > low) & (places[:, 2] < high)
    return float(each[inside].sum() / (0.04**2 * (high - low)))


ROCKS = Page(
    "docs/tutorials/rocks.md",
    [
        Figure("The volumes are {} to {} % less", lambda run: templates(run)[:2]),
        Figure("and the errors at most {} %", lambda run: templates(run)[3]),
        Figure("volumes of templates and voxels explain {} %", lambda run: templates(run)[2]),
        Figure("particles overlap by {} % of the radius", deepest("rocks")),
        Figure("It prints {} N and {} N", printed("force on the floor {} N, weight of the voxels {} N")),
        Figure("the stones fill {} of the space", printed("solid fraction {}\n")),
        Figure("Balls of the same volumes, dropped in the same way, fill {} (", fill_of_balls),
    ],
    also=[f"scree run rocks.json --out out/balls {' '.join(f'--set particles.{k}.shape=sphere' for k in range(4))}"],
)


# Drum

DRUM = Page(
    "docs/tutorials/drum.md",
    [
        Figure("particles overlap by {} % of the radius", deepest("drum")),
        Figure("It prints {} and {} N m", printed("torque {} N m, weight times lever {} N m")),
        Figure("the dynamic angle of repose of the bed is {} degrees", printed("inclination {} degrees")),
        Figure(
            "Its mean after 2.5 s is {} degrees",
            lambda run: math.degrees(run.series("slope").loc[2.5:, "slope_angle"].mean()),
        ),
    ],
)


# Cells


def compression(run: Run, name: str) -> pandas.DataFrame:
    """Axial strain, deviator over mean stress and solid fraction while a cell is compressed along z."""
    rows = run.series(name)
    rows = rows[rows["stage"] == 1]
    axial, sides = -rows["stress_zz"], -(rows["stress_xx"] + rows["stress_yy"]) / 2
    strain = rows["strain_zz"].iloc[0] - rows["strain_zz"]
    return pandas.DataFrame(
        {"strain": strain, "deviator": 3 * (axial - sides) / (axial + 2 * sides), "solid": 1 / (1 + rows["void_ratio"])}
    )


def critical(run: Run, name: str, column: str) -> float:
    """A mean of the compression beyond a strain of 20 %."""
    rows = compression(run, name)
    return float(rows.loc[rows["strain"] > 0.2, column].mean())


def flow_angles(run: Run) -> list[float]:
    """Mobilised friction [degrees] of the dense and of the loose packing beyond a strain of 20 %."""
    return [printed(f"{name}: ... beyond 20 % {{}} ")(run)[0] for name in ("dense", "loose")]


TRIAXIAL = Page(
    "docs/tutorials/triaxial.md",
    [
        Figure("particles overlap by {} % of the radius", deepest("triaxial_dense")),
        Figure("peaks at {} degrees after", printed("dense: peak {},")),
        Figure("flow at almost constant volume, at {} and {} degrees", flow_angles),
        Figure("a solid fraction of {}, and still", lambda run: critical(run, "triaxial_dense", "solid")),
        Figure("a solid fraction of {}, and still", lambda run: critical(run, "triaxial", "solid")),
    ],
)


FLOW = "{} J/m2: phi {{}} degrees, c {{}} Pa, f_c {{}} Pa, s_1 {{}} Pa, ff_c {{}}"

SHEAR_CELL = Page(
    "docs/tutorials/shear_cell.md",
    [
        Figure("| 0.2 J/m2 | {} | {} | {} | {} | {} |", printed(FLOW.format(0.2))),
        Figure("| 0.02 J/m2 | {} | {} | {} | {} | {} |", printed(FLOW.format(0.02))),
    ],
)


def simple_shear(run: Run) -> tuple[float, float, float]:
    """Beyond a strain of 0.3: ratio of stresses, its scatter, solid fraction."""
    rows = run.series("simple_shear")
    rows = rows[rows["stage"] == 1]
    rows = rows[rows["strain_xy"] - rows["strain_xy"].iloc[0] > 0.3]
    ratio = -rows["stress_xy"] / rows["stress_yy"]
    return float(ratio.mean()), float(ratio.std()), float((1 / (1 + rows["void_ratio"])).mean())


PERIODIC_CELLS = Page(
    "docs/periodic_cells.md",
    [
        Figure(
            "carries a deviator of {} times the mean stress",
            lambda run: compression(run, "triaxial_dense")["deviator"].max(),
        ),
        Figure(
            "a solid fraction of {} and deviators of {} and {} times the mean stress",
            lambda run: [
                critical(run, "triaxial", "solid"),
                critical(run, "triaxial_dense", "deviator"),
                critical(run, "triaxial", "deviator"),
            ],
        ),
        Figure("the ratio of stresses is {} with a scatter of {}, and the solid fraction is {}. An", simple_shear),
    ],
)


# Level sets

SOFT_GRAINS = Page(
    "docs/tutorials/soft_grains.md",
    [
        Figure(
            f"| {depth} R | {{}} | {{}} E | {{}} E | {{}} E |",
            printed(f"{depth} R: {{}} solid, {{}} E, elements {{}} E, Hertz {{}} E"),
        )
        for depth in ("0.023", "0.049", "0.084", "0.108", "0.134", "0.152")
    ],
)


# Crushing


def most(name: str) -> Source:
    """Largest stress of a block over its tensile strength."""
    return lambda run: -run.series(name)["force_z_floor"].min() / run.variables["section"] / run.variables["strength"]


def split(run: Run) -> tuple[float, float, float]:
    """Stress over tensile strength at the first broken bond, when level bonds break, and at most."""
    stress, broken = run.variables["stress"], run.variables["broken"]
    return stress[broken > 0].iloc[0], stress[broken < 0.3].max(), stress.max()


def corners(run: Run) -> bool:
    """Eight bonds are broken when the block bears three strengths."""
    return bool(run.series("crushing")["broken_bonds"][run.variables["stress"] > 3].iloc[0] == 8)


FASTER = "'boundaries.lid.motion.0.velocity=[[0,0],[0.001,0.5],[1,0.5]]'"
CRUSHING = Page(
    "docs/tutorials/crushing.md",
    [
        Figure(
            "level bonds break, over their strength | {} | {} |", printed("cell: breaks at {} strengths, expected {}")
        ),
        Figure("| block: the same for the first bond | {} | {} |", printed("first bond at {} strengths, at rest {};")),
        Figure("In the block eight bonds at the corners break first", corners),
        Figure("The first bond breaks at {} strengths, the block splits at {}, and its slices fail at {}.", split),
        Figure("with a `cohesion` of 6e5 they bear {} strengths", most("strong")),
        Figure("as level ones, and the block bears {} strengths", most("weak")),
        Figure("no time to leave, and the block bears {} strengths", most("fast")),
        Figure("the block bears more than twice as much", lambda run: most("rough")(run) > 2 * most("crushing")(run)),
    ],
    also=[
        "scree run crushing.json --set contacts.0.bond.cohesion=6e5 --out out/strong",
        "scree run crushing.json --set contacts.0.bond.cohesion=2e5 --out out/weak",
        f"scree run crushing.json --set {FASTER} --out out/fast",
        "scree run crushing.json --set materials.steel.friction=0.5 --out out/rough",
    ],
)


# Rock


def compressive(name: str) -> Source:
    """[MPa] Largest stress of a cylinder."""
    return lambda run: -run.series(name)["force_z_floor"].min() / (math.pi * 0.025**2) / 1e6


def tensile(name: str) -> Source:
    """[MPa] Stress of a disc when the tension in its core is largest, before it has lost a tenth."""

    def find(run: Run) -> float:
        rows = run.series(name)
        tension = rows["core_contact_xx"]
        lost = (tension < 0.9 * tension.cummax()) & (tension.cummax() > 2e6)
        return -rows["force_z_floor"][tension[: lost.idxmax()].idxmax()] / (math.pi * 0.03**2) / 1e6

    return find


def same_load(run: Run) -> bool:
    """Floor and lid of the cylinder bear the same before it breaks, after the lid has reached its speed."""
    rows = run.series("rock_ucs").query("broken_bonds == 0 and time > 6e-4")
    return bool((-rows["force_z_floor"] / rows["force_z_lid"]).between(0.98, 1.02).all())


SLOWER = "'boundaries.lid.motion.0.velocity=[[0,0],[0.001,0.1],[1,0.1]]'"
SCATTERED = "--set contacts.0.bond.weibull_modulus=4"
STRONG = """'contacts.0.bond={"tensile_strength":1.2e7,"cohesion":6e7,"interaction_range":1.5}'"""
ROCK = Page(
    "docs/tutorials/rock.md",
    [
        Figure("dense random packing of {} spheres", lambda run: len(run.results("rock_ucs").frames[0].radius[:])),
        Figure("by 30 mm with {}.", lambda run: len(run.results("rock_brazilian").frames[0].radius[:])),
        Figure("floor and lid bear the same load within 2 %", same_load),
        Figure("| Young's modulus | {} GPa | {} GPa | SciPy |", printed("E {} GPa, at rest {};")),
        Figure("| Poisson's ratio | {} | {} | SciPy |", printed("Poisson's ratio {}, at rest {}")),
        Figure("over P / (pi R L), across the load | {} | {} |", printed("core: across {}, elastic {};")),
        Figure("| the same along the load | {} | {} |", printed("along {}, elastic {}")),
        Figure("| strength | {} MPa at a strain of {} % |", printed("rock_ucs: {} MPa at a strain of {} %")),
        Figure("a strain of 0.38 % | {} MPa |", tensile("rock_brazilian")),
        Figure("shear, unclear | {}, {}, {} |", printed("rock_ucs: {} cracks by tension, {} by shear, {} unclear")),
        Figure("0, 52 | {}, {}, {} |", printed("rock_brazilian: {} cracks by tension, {} by shear, {} unclear")),
        Figure("The ratio of both strengths is {}, so", printed("rock_brazilian: ... ratio {}")),
        Figure("The cylinder now bears {} MPa", compressive("ucs_reach")),
        Figure("and the disc {} MPa: the ratio is {}.", printed("brazilian_reach: {} MPa; ratio {}")),
        Figure("With a `cohesion` of 6e7 the cylinder bears {} MPa", compressive("ucs_strong")),
        Figure("and the disc {} MPa: the tensile strength", tensile("brazilian_strong")),
        Figure("for the disc: {} MPa and", compressive("ucs_slow")),
        Figure("MPa and {} MPa. So the tests are slow enough", tensile("brazilian_slow")),
        Figure("of unequal strengths. The cylinder bears {} MPa", compressive("ucs_weibull")),
        Figure("and the disc {} MPa. - `--set seed=2`", tensile("brazilian_weibull")),
        Figure("another packing. The cylinder bears {} MPa", compressive("ucs_other")),
        Figure("MPa and the disc {} MPa. A disc", tensile("brazilian_other")),
    ],
    also=[
        f"scree run rock_ucs.json --set {SLOWER} --set stages.0.until.not_before=4e-3 --out out/ucs_slow",
        f"scree run rock_brazilian.json --set {SLOWER} --set time.duration=0.0064 --out out/brazilian_slow",
        f"scree run rock_ucs.json --set {STRONG} --out out/ucs_strong",
        f"scree run rock_brazilian.json --set {STRONG} --out out/brazilian_strong",
        f"scree run rock_ucs.json {SCATTERED} --out out/ucs_weibull",
        f"scree run rock_brazilian.json {SCATTERED} --out out/brazilian_weibull",
        "scree run rock_ucs.json --set seed=2 --out out/ucs_other",
        "scree run rock_brazilian.json --set seed=2 --out out/brazilian_other",
    ],
)

# The hopper of the README

README = Page(
    "README.md",
    [
        Figure("the bed at rest has rho_b = {} kg/m3", printed("bulk density at rest {} kg/m3")),
        Figure("| flow of the run, from 10 to 60 % of the mass | {} kg/s |", printed("steady flow {} kg/s")),
        Figure("| C that follows with k = 1.4 | {} (", printed("C of this run {} with")),
        Figure("| flow of the run over Beverloo's with C = 0.58 | {} |", printed("run / law = {}")),
    ],
    also=["scree run configs/hopper.json"],
)

PAGES = {
    "coming_from": COMING_FROM,
    "powder": POWDER,
    "conveyor": CONVEYOR,
    "rocks": ROCKS,
    "heap": HEAP,
    "silo": SILO,
    "triaxial": TRIAXIAL,
    "shear_cell": SHEAR_CELL,
    "drum": DRUM,
    "periodic_cells": PERIODIC_CELLS,
    "README": README,
    "crushing": CRUSHING,
    "rock": ROCK,
    "soft_grains": SOFT_GRAINS,
}

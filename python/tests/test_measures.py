"""Measures of made-up runs, whose answers are known."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy
import pytest
from runs import lattice, made_up

from scree import Results
from scree.errors import ResultsError
from scree.measures import (
    angle_of_repose,
    bed_height,
    discharge_rate,
    fit_line,
    fragments,
    measure,
    mixing,
    partition_curve,
    residence_times,
    slope_angle,
    solid_fraction,
    wall_profile,
)
from scree.measures.contents import lacey
from scree.program import InputError
from scree.slopes import mean_of_frames


@pytest.mark.parametrize("degrees", [20.0, 27.0, 35.0])
def test_the_angle_of_a_cone(tmp_path: Path, degrees: float) -> None:
    rng = numpy.random.default_rng(1)
    points = lattice(100, 2e-3) + rng.uniform(-5e-4, 5e-4, (100**3, 3)) + numpy.array([0.2, 0.1, 0.0])
    high = (0.09 - numpy.hypot(points[:, 0] - 0.3, points[:, 1] - 0.2)) * math.tan(math.radians(degrees))
    run = made_up(tmp_path, points[points[:, 2] < high], 1e-3)
    found = angle_of_repose(run)
    assert found.value == pytest.approx(degrees, abs=1.0)
    assert found.unit == "deg"
    assert 0 < found.error < 1.0


def test_an_inclined_cone_has_the_same_angle(tmp_path: Path) -> None:
    """Grains and gravity turn together, about no axis of the world, so that nothing changes for the grains."""
    points = lattice(40, 2e-3) - [0.039, 0.039, 0]
    points = points[points[:, 2] < 0.03 - 0.5 * numpy.hypot(points[:, 0], points[:, 1])]
    upright = made_up(tmp_path / "upright", points, 1e-3)
    axis, turn = numpy.array([0.6, 0.8, 0.0]), math.radians(40)
    cross = numpy.cross(numpy.eye(3), axis)
    rotation = numpy.eye(3) + math.sin(turn) * cross + (1 - math.cos(turn)) * cross @ cross
    inclined = made_up(tmp_path / "inclined", points @ rotation.T, 1e-3)
    case = {"time": {"duration": 1}, "gravity": [0, 0, -9.81]}
    (inclined.folder / "case.json").write_text(json.dumps({**case, "gravity": list(rotation @ [0, 0, -9.81])}))
    angle, height = angle_of_repose(inclined).value, bed_height(inclined).value
    assert angle == pytest.approx(angle_of_repose(upright).value, abs=0.5)  # its sectors begin elsewhere
    assert height == pytest.approx(bed_height(upright).value, abs=1e-3)  # half a layer: so do its squares

    # The same gravity, brought by a stage that begins before the frame at 1 s; another one begins after it.
    stages = [{"name": "turn", "gravity": list(rotation @ [0, 0, -9.81])}, {"name": "late", "gravity": [0, 9.81, 0]}]
    (inclined.folder / "case.json").write_text(json.dumps({**case, "stages": stages}))
    lines = ['step 5, t = 0.5 s: stage "turn" begins', 'step 15, t = 1.5 s: stage "turn" ends; stage "late" begins']
    (inclined.folder / "run.log").write_text("\n".join(["scree 0.1.0", *lines, ""]))
    assert (angle_of_repose(inclined).value, bed_height(inclined).value) == (angle, height)


def test_a_mean_is_one_over_time(tmp_path: Path) -> None:
    """Rows of x = t from 0 to 2 s, which come ten times as often from 1.5 s on; y = t is known until 1.2 s."""
    times = [k / 10 for k in range(15)] + [1.5 + k / 100 for k in range(51)]
    rows = "".join(f"{t},{t},{t if t < 1.25 else 'nan'}\n" for t in times)
    run = made_up(tmp_path / "many", lattice(2, 2e-3), 1e-3, "time[s],x[m],y\n" + rows)
    assert measure(run, "mean:x").value == pytest.approx(1.5, rel=1e-12)  # the rule is exact for a straight line
    assert measure(run, "mean:x").unit == "m"
    assert measure(run, "mean:y").value == pytest.approx((1.0 / 2 + 1.1 + 1.2) / 2.5, rel=1e-12)
    one = made_up(tmp_path / "one", lattice(2, 2e-3), 1e-3, "time[s],x[m],y\n0,1,nan\n2,7,nan\n")
    assert measure(one, "mean:x").value == 7  # the half has no other row
    with pytest.raises(ResultsError, match="y: there is no number"):
        measure(one, "mean:y")


def test_the_angle_of_a_slope(tmp_path: Path) -> None:
    points = lattice(50, 2e-3) + numpy.random.default_rng(2).uniform(-5e-4, 5e-4, (50**3, 3))
    run = made_up(tmp_path, points[points[:, 2] < 0.08 - 0.5 * points[:, 0]], 1e-3)
    assert slope_angle(run, "x").value == pytest.approx(math.degrees(math.atan(0.5)), abs=1.0)
    assert slope_angle(run, "-x").value == pytest.approx(-math.degrees(math.atan(0.5)), abs=1.0)


@pytest.mark.parametrize("degrees", [5.0, 15.0, 40.0, 55.0])
def test_slopes_from_flat_to_steep(tmp_path: Path, degrees: float) -> None:
    """Gravity is inclined and the bed level with the grid: the angle to the level is that of gravity."""
    points = lattice(40, 2e-3) + numpy.random.default_rng(4).uniform(-5e-4, 5e-4, (40**3, 3))
    run = made_up(tmp_path, points[points[:, 2] < 0.05 - 0.1 * points[:, 0]], 1e-3)
    turn = math.radians(degrees) - math.atan(0.1)
    case = {"time": {"duration": 1}, "gravity": [9.81 * math.sin(turn), 0, -9.81 * math.cos(turn)]}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert slope_angle(Results(run.folder), "x").value == pytest.approx(degrees, abs=1.5)
    (tmp_path / "case.json").write_text(json.dumps({**case, "gravity": [-1, 0, 0]}))
    with pytest.raises(ResultsError, match="slope_angle:-x: the axis is that of gravity"):
        slope_angle(Results(run.folder), "-x")


def add_frames(run: Results, clouds: list[numpy.ndarray]) -> Results:
    """Frames of equal spheres at 1, 2... s instead of those of a run."""
    files = []
    for k, points in enumerate(clouds):
        with h5py.File(run.folder / f"frames/more_{k}.vtkhdf", "w") as file:
            file["VTKHDF/Points"] = points
            file["VTKHDF/PointData/radius"] = numpy.full(len(points), 1e-3, dtype="f4")
        files.append({"name": f"frames/more_{k}.vtkhdf", "time": k + 1.0})
    (run.folder / "frames.vtkhdf.series").write_text(json.dumps({"files": files}))
    return Results(run.folder)


def test_grains_in_flight_are_no_part_of_a_slope(tmp_path: Path) -> None:
    """As in a fast drum: a tenth of the packing of the bed flies over all of it."""
    rng = numpy.random.default_rng(2)
    points = lattice(50, 2e-3) + rng.uniform(-5e-4, 5e-4, (50**3, 3))
    flying = (points[:, 2] > 0.08 - 0.5 * points[:, 0]) & (rng.uniform(size=len(points)) < 0.1)
    run = made_up(tmp_path, points[(points[:, 2] < 0.08 - 0.5 * points[:, 0]) | flying], 1e-3)
    found = slope_angle(run, "x")
    assert found.value == pytest.approx(math.degrees(math.atan(0.5)), abs=1.0)
    assert 0 < found.error < 1.0


def test_the_angle_of_a_slope_is_that_of_the_second_half(tmp_path: Path) -> None:
    """Mean and standard error of frames that differ; of one frame it is how far the surface lies from a line."""
    points = lattice(40, 2e-3) + numpy.random.default_rng(3).uniform(-5e-4, 5e-4, (40**3, 3))

    def bed(degrees: float) -> numpy.ndarray:
        return points[points[:, 2] < 0.06 - math.tan(math.radians(degrees)) * points[:, 0]]

    later = [24.0, 30.0, 25.0, 29.0, 27.0]
    run = add_frames(made_up(tmp_path, points[:8], 1e-3), [bed(angle) for angle in (10.0, 10.0, 10.0, 10.0, *later)])
    found = slope_angle(run, "x")
    assert found.value == pytest.approx(27.0, abs=0.7)  # frames at 5 s and later
    assert found.error == pytest.approx(float(numpy.std(later, ddof=1)) / math.sqrt(5), rel=0.2)
    same = slope_angle(add_frames(run, [bed(27.0)] * 3), "x")
    assert same.error == slope_angle(add_frames(run, [bed(27.0)]), "x").error > 0  # nothing moves


def test_a_short_slope_says_how_long_it_has_to_be(tmp_path: Path) -> None:
    """A step of one column: steep, and not long enough."""
    points = lattice(12, 2e-3)
    run = made_up(tmp_path, points[(points[:, 0] < 0.011) | (points[:, 2] < 0.005)], 1e-3)
    with pytest.raises(
        ResultsError, match=r"fifth of its height \(0.0\d+ m\) is 0.00\d m long; it needs 3 grain diameters"
    ):
        slope_angle(run, "x")


def test_frames_that_resemble_each_other_count_less() -> None:
    """A slow wave of twenty frames tells its mean worse than independent ones do."""
    wave, errors = numpy.sin(numpy.linspace(0, 2 * math.pi, 20)), numpy.full(20, 0.1)
    mixed = wave[numpy.arange(20) * 9 % 20]  # neighbours lie far apart in the wave
    assert mean_of_frames(wave, errors)[1] > 2 * mean_of_frames(mixed, errors)[1]
    assert mean_of_frames(mixed, errors)[1] == pytest.approx(wave.std(ddof=1) / math.sqrt(20))


def test_the_solid_fraction_of_a_simple_cubic_lattice(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(10, 2e-3), 1e-3)
    low, high = numpy.full(3, 3e-3), numpy.full(3, 13e-3)
    assert solid_fraction(run, low, high).value == pytest.approx(math.pi / 6, rel=1e-6)  # whole spheres
    low, high = low + 0.7e-3, high + 0.7e-3  # cut by the faces
    assert solid_fraction(run, low, high).value == pytest.approx(math.pi / 6, rel=0.01)
    assert bed_height(run).value == pytest.approx(19e-3, rel=1e-6)


def test_mixing_is_nothing_apart_and_one_at_random(tmp_path: Path) -> None:
    points = lattice(16, 2e-3) + numpy.array([0.1, 0.2, 0.3])
    apart = made_up(tmp_path / "apart", points, 1e-3)
    assert mixing(apart, "x").value == pytest.approx(0, abs=0.2)  # cells across the border are mixed
    assert mixing(apart, "x@0").value == mixing(apart, "x").value
    shuffled = made_up(tmp_path / "random", points, 1e-3)
    with h5py.File(shuffled.frames[0].path, "r+") as file:
        file["VTKHDF/PointData/material"] = numpy.random.default_rng(5).integers(0, 2, len(points))
    with pytest.raises(ResultsError, match="does not divide"):
        mixing(apart, "radius")
    found = mixing(Results(shuffled.folder), "material").value
    assert found == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("first", [32, 8])
def test_few_grains_at_random_have_the_index_one_in_the_mean(first: int) -> None:
    """64 grains in 8 cubes, 4 of which have too few. The mean over 2000 deals has an error of 0.1 %; without regard to
    the finite number of grains it would be 1 + 1 / 63."""
    rng = numpy.random.default_rng(6)
    points, kind = lattice(4, 2e-3), numpy.arange(64) < first
    found = numpy.array([lacey(points, rng.permutation(kind), 4.4e-3) for _ in range(2000)])
    error = found.std() / math.sqrt(len(found))
    assert error < 0.0015 and found.mean() == pytest.approx(1, abs=4 * error)
    assert lacey(points, points[:, 0] > 3e-3, 3.9e-3) == pytest.approx(0, abs=1e-12)  # apart


def test_fragments_by_mass(tmp_path: Path) -> None:
    """Four spheres: 0 and 3 are one piece, of two materials."""
    run = made_up(tmp_path, lattice(2, 2e-3)[:4], 1e-3)
    with h5py.File(run.frames[0].path, "r+") as file:
        file["VTKHDF/PointData/material"] = numpy.array([0, 0, 0, 1], dtype="u4")
        file["VTKHDF/PointData/fragment"] = numpy.array([0, 1, 2, 0], dtype="u4")
    case = {"time": {"duration": 1}, "materials": {"a": {"density": 1000}, "b": {"density": 3000}}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    pieces = fragments(Results(tmp_path))
    assert list(pieces.index) == [0, 1, 2]
    assert list(pieces["particles"]) == [2, 1, 1]
    one = 4 / 3 * math.pi * 1e-9 * 1000
    numpy.testing.assert_allclose(pieces["mass"], [4 * one, one, one], rtol=1e-6)


def test_residence_times_leave_out_the_start(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    header = "time[s],step,id,outlet,material,mass[kg],inserted[s]"
    rows = ["1,10,0,out,a,5,0", "2,20,7,out,a,1,0.5", "3,30,8,side,a,1,nan", "4,40,9,out,a,3,3.5"]
    (tmp_path / "left.csv").write_text("\n".join([header, *rows, "5,50,10,ou"]))  # the run goes on
    stay, mass = residence_times(run)
    assert (stay.tolist(), mass.tolist()) == ([0.5, 1.5], [3, 1])
    found = measure(run, "residence_time:out")
    assert (found.value, found.unit) == (0.75, "s")
    assert found.error == pytest.approx(math.sqrt((0.75 * 0.25**2 + 0.25 * 0.75**2) * (0.75**2 + 0.25**2)))
    variance = measure(run, "residence_time_variance:out")
    assert (variance.value, variance.unit) == (0.75 * 0.25**2 + 0.25 * 0.75**2, "s2")
    with pytest.raises(ResultsError, match='has left through the outlet "side"'):
        residence_times(run, "side")
    with pytest.raises(ResultsError, match="left.csv has no column group"):
        residence_times(run, group="blue")
    rows = ["1,10,0,out,a,5,0,blue", "2,20,7,out,a,1,0.5,blue", "3,30,8,out,a,2,0.5,"]
    (tmp_path / "left.csv").write_text("\n".join([header + ",group", *rows]) + "\n")
    assert residence_times(run, group="blue")[0].tolist() == [1.5]


def test_the_partition_curve_of_a_screen(tmp_path: Path) -> None:
    """Of each size 1 to 4 mm one particle comes per second; of those of 2 mm all, of 3 mm a quarter passes."""
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    rows = ["time[s],step,id,outlet,material,mass[kg],diameter[m],inserted[s]"]
    for t in range(8):
        for size in (1, 2, 3, 4):
            outlet = "under" if size <= 2 or (size == 3 and t % 4 == 0) else "over"
            rows.append(f"{t},{t},{4 * t + size},{outlet},a,{size**3},{size * 1e-3},0")
    (tmp_path / "left.csv").write_text("\n".join(rows) + "\n")
    table = partition_curve(run, "under", [0.5e-3, 1.5e-3, 2.5e-3, 3.5e-3, 4.5e-3])
    assert table.index.to_numpy() == pytest.approx([1e-3, 2e-3, 3e-3, 4e-3], rel=1e-12)
    assert table["share"].tolist() == [1, 1, 0.25, 0]
    assert table["mass"].tolist() == [8, 64, 216, 512]
    assert table.attrs["cut"] == pytest.approx(2e-3 + 0.5 / 0.75 * 1e-3, rel=1e-12)
    assert partition_curve(run, "under", 4, since=3.5)["particles"].sum() == 16
    assert partition_curve(run, "under", 2).index[0] < 2.5e-3
    with pytest.raises(ResultsError, match='nothing has left through "side"; the outlets are over, under'):
        partition_curve(run, "side")
    with pytest.raises(ResultsError, match="must ascend"):
        partition_curve(run, "under", [2e-3, 1e-3])


class _Surface(dict[str, numpy.ndarray]):
    """A frame of a mesh with facets."""

    def __init__(self, positions: numpy.ndarray, triangles: numpy.ndarray, load: float) -> None:
        height = positions[triangles].mean(axis=1)[:, 2]
        super().__init__(pressure=load * height, shear=0.5 * load * height)
        self.positions, self.triangles, self.names = positions, triangles, ["pressure", "shear"]


def test_the_profile_of_a_wall() -> None:
    """A wall of 1 m width in four strips, whose pressure grows with the height of the facets."""
    corners = numpy.array([[0, y, z] for z in range(5) for y in (0.0, 1.0)], float)
    triangles = numpy.array([t for k in range(0, 8, 2) for t in ((k, k + 1, k + 3), (k, k + 3, k + 2))])
    frames = [_Surface(corners, triangles, load) for load in (5.0, 1.0, 3.0)]
    boundaries = {"wall": SimpleNamespace(frames=frames), "floor": SimpleNamespace(frames=[])}
    run: Any = SimpleNamespace(folder=Path("out/x"), boundaries=boundaries)
    table = wall_profile(run, "wall", bins=4, frame=slice(1, None))
    assert table.index.tolist() == [0.5, 1.5, 2.5, 3.5]
    assert table["pressure"].to_numpy() == pytest.approx([1, 3, 5, 7], rel=1e-12)  # mean load 2 times height
    assert table["shear"].to_numpy() == pytest.approx([0.5, 1.5, 2.5, 3.5], rel=1e-12)
    assert table["area"].to_numpy() == pytest.approx([1, 1, 1, 1], rel=1e-12)
    down = wall_profile(run, "wall", (0, 0, -2), bins=4)["pressure"].to_numpy()
    assert down == pytest.approx([10.5, 7.5, 4.5, 1.5], rel=1e-12)
    with pytest.raises(ResultsError, match="no such frames of the boundary floor"):
        wall_profile(run, "floor")
    with pytest.raises(ResultsError, match="neither x, y or z nor a direction"):
        wall_profile(run, "wall", "up")


def test_the_rate_of_a_steady_flow(tmp_path: Path) -> None:
    time = numpy.linspace(0, 4, 401)
    mass = 0.8 * numpy.clip(time - 0.5, 0, 2.5) + 1e-4 * numpy.random.default_rng(3).normal(size=401) * (time > 0.5)
    rows = "\n".join(f"{t:.6f},{k},{m:.9f}" for k, (t, m) in enumerate(zip(time, mass, strict=True)))
    run = made_up(tmp_path, lattice(2, 1e-3), 1e-3, f"time[s],step,removed_mass_hole[kg]\n{rows}\n")
    rate, fit = discharge_rate(run)
    assert rate.value == pytest.approx(0.8, rel=2e-4)
    assert abs(rate.value - 0.8) < 4 * rate.error
    assert (fit.start, fit.end) == pytest.approx((0.75, 2.0), abs=0.02)
    assert measure(run, "discharge_rate:hole").value == rate.value
    assert measure(run, "final:removed_mass_hole").unit == "kg"
    with pytest.raises(ResultsError, match='no outlet and no flow probe has the name "gap"'):
        measure(run, "discharge_rate:gap")
    with pytest.raises(
        ResultsError, match='has no column "mass"; did you mean "removed_mass_hole"\\? There are step, re'
    ):
        measure(run, "final:mass")


def test_all_that_passes_a_probe_and_leaves_is_the_flow_of_the_outlet(tmp_path: Path) -> None:
    """A probe far above the outlet sees the flow a second earlier and twice as fast. Its masses are those of single
    precision, which are too large by 1e-7."""
    times = [k / 10 for k in range(31)]
    left, passed = ([min(max(rate * (t - begin), 0.0), 1.0) for t in times] for rate, begin in ((0.5, 1.0), (1.0, 0.0)))
    rows = "".join(f"{t},{a},{b * (1 + 1e-7)},{b / 2}\n" for t, a, b in zip(times, left, passed, strict=True))
    header = "time[s],removed_mass_hole[kg],above_mass[kg],half_mass[kg]\n"
    run = made_up(tmp_path, lattice(2, 1e-3), 1e-3, header + rows)
    probes = {name: {"type": "flow"} for name in ("above", "half")}
    case = {"time": {"duration": 3}, "output": {"series": {"probes": probes}}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert discharge_rate(run)[0].value == pytest.approx(0.5, rel=1e-9)
    assert discharge_rate(run, "above")[0].value == pytest.approx(1.0, rel=1e-6)


def test_a_flat_bed_has_no_slope(tmp_path: Path) -> None:
    flat = made_up(tmp_path / "flat", lattice(10, 2e-3) * [1, 1, 0], 1e-3)
    single = made_up(tmp_path / "single", numpy.zeros((1, 3)), 1e-3)
    assert slope_angle(flat, "x").value == pytest.approx(0, abs=1.0)
    with pytest.raises(ResultsError, match=r"too short for an angle in 1 of 1 .* needs 3 grain diameters \(0.006 m\)"):
        slope_angle(single, "x")
    for run in (flat, single):
        with pytest.raises(ResultsError, match="too small for an angle of repose"):
            angle_of_repose(run)


def test_columns_without_a_number_are_named(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(2, 1e-3), 1e-3, "time[s],step,critical_step[s]\n0,0,nan\n1,1,nan\n")
    for name in ("max", "mean"):
        with pytest.raises(ResultsError, match="critical_step: there is no number in these rows"):
            measure(run, f"{name}:critical_step")


def test_mixing_of_what_came_later_is_one_sentence(tmp_path: Path) -> None:
    """The first frame is empty: no grain has a place in it."""
    run = made_up(tmp_path, lattice(6, 2e-3), 1e-3)
    with h5py.File(tmp_path / "frames/empty.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = numpy.zeros((0, 3))
        file["VTKHDF/PointData/id"] = numpy.zeros(0, dtype="u4")
    with h5py.File(run.frames[0].path, "r+") as file:
        file["VTKHDF/PointData/id"] = numpy.arange(216)
    listing = [{"name": "frames/empty.vtkhdf", "time": 0.0}, {"name": "frames/frame_000000.vtkhdf", "time": 1.0}]
    (tmp_path / "frames.vtkhdf.series").write_text(json.dumps({"files": listing}))
    with pytest.raises(ResultsError, match="no grain has a value of x@0"):
        mixing(Results(tmp_path), "x@0")


def test_the_standard_error_of_a_slope() -> None:
    """A textbook example: Draper and Smith's formula for y = 1, 3, 2, 5 over x = 0, 1, 2, 3."""
    fit = fit_line(numpy.arange(4.0), numpy.array([1.0, 3.0, 2.0, 5.0]))
    assert fit.slope == pytest.approx(1.1)
    assert fit.offset == pytest.approx(1.1)
    assert fit.error == pytest.approx(math.sqrt(2.7 / 2 / 5))
    with pytest.raises(ResultsError, match="three points"):
        fit_line(numpy.ones(4), numpy.arange(4.0))


def test_own_measures(tmp_path: Path) -> None:
    run = made_up(tmp_path / "run", lattice(3, 2e-3), 1e-3)
    (tmp_path / "own.py").write_text("def count(run):\n    return len(run.frames[-1])\n")
    assert measure(run, f"{tmp_path}/own.py:count").value == 27
    for wrong, said in (("nothing", "is none of discharge_rate"), ("final", "needs a column"),
                        ("solid_fraction:1,2", "give the box"), ("none.py:f", "no FILE.py:FUNCTION")):  # fmt: skip
        with pytest.raises(InputError, match=said):
            measure(run, wrong)

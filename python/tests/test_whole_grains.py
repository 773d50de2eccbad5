"""Measures of made-up clumps and level-set grains, whose volumes are known. Nothing here needs the program."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from runs import lattice, made_up

from scree import Results
from scree.errors import ResultsError
from scree.measures import angle_of_repose, bed_height, fragments, measure, mixing, solid_fraction
from scree.whole_grains import WholeGrains

PAIR = numpy.array([[-0.5e-3, 0, 0], [0.5e-3, 0, 0]])  # two spheres of 1 mm whose centres are 1 mm apart
CLUMPS: dict[str, Any] = {"a": {"type": "clump", "spheres": []}}
LEVEL_SETS: dict[str, Any] = {"a": {"type": "level_set"}}


def union_of_pair() -> float:
    """[m3] Both balls less the lens that they share: pi (4 r + d) (2 r - d)^2 / 12."""
    return 2 * 4 / 3 * math.pi * 1e-9 - math.pi * 5e-3 * 1e-6 / 12


def with_fields(run: Results, shapes: dict[str, Any], **fields: Any) -> Results:
    """The run with fields in its frame, and shapes in its case."""
    with h5py.File(run.frames[0].path, "r+") as file:
        for name, values in fields.items():
            file[f"VTKHDF/{'FieldData' if name.startswith('cell') else 'PointData'}/{name}"] = values
    materials = {"p": {"density": 1000}, "q": {"density": 3000}}
    case = {"time": {"duration": 1}, "gravity": [0, 0, -9.81], "shapes": shapes, "materials": materials}
    (run.folder / "case.json").write_text(json.dumps(case))
    return Results(run.folder)


def clumps(
    folder: Path, centres: numpy.ndarray, spheres: numpy.ndarray, *, clump: bool = True, **fields: Any
) -> Results:
    """Clumps of spheres of 1 mm."""
    rows = (centres[:, None] + spheres).reshape(-1, 3)
    number = {"clump": numpy.repeat(numpy.arange(len(centres)), len(spheres))} if clump else {}
    return with_fields(made_up(folder, rows, 1e-3), CLUMPS, **number, **fields)


def cubes(folder: Path, centres: numpy.ndarray, edge: float, **fields: Any) -> Results:
    """Cubes with an edge [m], whose radii are those of balls around them."""
    run = with_fields(made_up(folder, centres, edge), LEVEL_SETS, **fields)
    corners = numpy.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = numpy.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])
    n = len(centres)
    (folder / "grains").mkdir()
    with h5py.File(folder / "grains/frame_000000.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = (centres[:, None] + edge * corners).reshape(-1, 3)
        file["VTKHDF/Connectivity"] = (8 * numpy.arange(n)[:, None, None] + triangles).ravel()
        file["VTKHDF/Offsets"] = 3 * numpy.arange(12 * n + 1)
        file["VTKHDF/CellData/clump"] = numpy.repeat(numpy.arange(n), 12)
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
    return run


def test_spheres_of_a_clump_are_counted_once(tmp_path: Path) -> None:
    centres = lattice(3, 5e-3)
    run = clumps(tmp_path, centres, PAIR)
    whole = 27 * union_of_pair()
    low, high = numpy.full(3, -2e-3), numpy.full(3, 12e-3)
    assert solid_fraction(run, low, high).value == pytest.approx(whole / 14e-3**3, rel=2e-3)
    high = numpy.array([12e-3, 12e-3, 5e-3])  # through the middles of the second layer
    assert solid_fraction(run, low, high).value == pytest.approx(whole / 2 / (14e-3**2 * 7e-3), rel=5e-3)


def test_the_solid_fraction_of_a_periodic_cell_counts_images(tmp_path: Path) -> None:
    """Spheres on a lattice: those in the faces of the cell come in on the other side."""
    cell = {"cell": 10e-3 * numpy.eye(3), "cell_origin": numpy.zeros(3)}
    run = with_fields(made_up(tmp_path, lattice(5, 2e-3), 1e-3), {}, **cell)
    whole = pytest.approx(math.pi / 6, rel=0.01)

    def fraction(axes: list[str], low: list[float], high: list[float]) -> float:
        case = json.loads((run.folder / "case.json").read_text())
        case["domain"] = {"periodic": {"size": [10e-3] * 3, "axes": axes}}
        (run.folder / "case.json").write_text(json.dumps(case))
        return solid_fraction(Results(run.folder), numpy.array(low), numpy.array(high)).value

    assert fraction(["x", "y", "z"], [0.0] * 3, [10e-3] * 3) == whole
    assert fraction(["x", "y"], [0.0] * 3, [10e-3] * 3) / 0.9 == whole  # half of the lowest of five layers is missing
    assert fraction(["x", "y", "z"], [-25e-3, 3e-3, 14e-3], [15e-3, 13e-3, 16e-3]) == whole  # four cells, one away


def test_a_clump_across_the_faces_of_a_periodic_cell(tmp_path: Path) -> None:
    cell = {"cell": 10e-3 * numpy.eye(3), "cell_origin": numpy.zeros(3)}
    rows = numpy.array([[[0.1e-3, 5e-3, 5e-3], [9.1e-3, 5e-3, 5e-3]]])
    run = with_fields(made_up(tmp_path, rows[0], 1e-3), CLUMPS, clump=numpy.zeros(2, int), **cell)
    low, high = numpy.full(3, -5e-3), numpy.full(3, 15e-3)
    assert solid_fraction(run, low, high).value == pytest.approx(union_of_pair() / 20e-3**3, rel=2e-3)


def test_grains_that_faces_cut_are_measured_together(tmp_path: Path) -> None:
    """Spheres, pairs and triples, some of them across faces of the cell, have the volumes that each has alone."""
    rng = numpy.random.default_rng(8)
    kinds = [PAIR[:1] * 0, PAIR, numpy.concatenate([PAIR, [[0, 0.8e-3, 0]]])]
    grains = [centre + kinds[k % 3] for k, centre in enumerate(rng.uniform(0, 20e-3, (24, 3)))]
    cell = {"cell": 20e-3 * numpy.eye(3), "cell_origin": numpy.zeros(3)}
    number = numpy.concatenate([numpy.full(len(grain), k if k % 3 else -1) for k, grain in enumerate(grains)])
    rows = numpy.concatenate(grains) % 20e-3
    run = with_fields(made_up(tmp_path / "all", rows, 1e-3), CLUMPS, clump=number, **cell)
    low, high = numpy.array([-1e-3, 5e-3, 6e-3]), numpy.array([12e-3, 14e-3, 21e-3])
    alone, place = 0.0, 0
    for k, grain in enumerate(grains):
        part = slice(place, place := place + len(grain))
        single = with_fields(made_up(tmp_path / str(k), rows[part], 1e-3), CLUMPS, clump=number[part], **cell)
        alone += WholeGrains.of(single, single.frames[0]).volume_in(low, high)
    found = WholeGrains.of(run, run.frames[0]).volume_in(low, high)
    assert found == pytest.approx(alone, rel=1e-12) and found > 0


def test_many_grains_that_faces_cut_take_few_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    original = WholeGrains._some_unions

    def counting(self: WholeGrains, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(self, *arguments)

    monkeypatch.setattr(WholeGrains, "_some_unions", counting)
    run = made_up(tmp_path, lattice(30, 2e-3), 1e-3)
    found = solid_fraction(run, numpy.full(3, 0.0), numpy.array([58e-3, 58e-3, 58e-3]))
    assert found.value == pytest.approx(math.pi / 6, rel=1e-3)
    assert calls < 40  # for 5000 spheres


@pytest.mark.parametrize("name", ["solid_fraction:0,0,0,1,1,1", "mixing:x"])
def test_frames_that_do_not_tell_clumps_are_one_sentence(tmp_path: Path, name: str) -> None:
    run = clumps(tmp_path, lattice(3, 5e-3), PAIR, clump=False)
    with pytest.raises(ResultsError, match='add "clump" to output.frames.fields') as error:
        measure(run, name)
    assert ("or measure with the probe porosity" in str(error.value)) == name.startswith("solid_fraction")
    assert bed_height(run).value == pytest.approx(11e-3)  # the highest spheres are the highest points of clumps


def test_level_set_grains_have_the_volumes_of_their_surfaces(tmp_path: Path) -> None:
    run = cubes(tmp_path, lattice(3, 5e-3), 2e-3)
    low, high = numpy.full(3, -2e-3), numpy.full(3, 12e-3)
    assert solid_fraction(run, low, high).value == pytest.approx(27 * 8e-9 / 14e-3**3, rel=1e-9)
    high = numpy.array([12e-3, 12e-3, 5.5e-3])  # a quarter of the second layer is above
    assert solid_fraction(run, low, high).value == pytest.approx(9 * 1.75 * 8e-9 / (14e-3**2 * 7.5e-3), rel=1e-9)
    high = numpy.array([5.5e-3, 12e-3, 12e-3])  # parts of triangles are inside or outside as a whole
    assert solid_fraction(run, low, high).value == pytest.approx(9 * 1.75 * 8e-9 / (14e-3**2 * 7.5e-3), rel=0.02)
    assert bed_height(run).value == pytest.approx(11e-3, rel=1e-9)


def test_level_set_grains_without_surfaces_are_one_sentence(tmp_path: Path) -> None:
    run = with_fields(made_up(tmp_path, lattice(3, 5e-3), 1e-3), LEVEL_SETS)
    for name in ("solid_fraction:0,0,0,1,1,1", "bed_height", "slope_angle", "mixing:x"):
        with pytest.raises(ResultsError, match="no surfaces of its level-set grains"):
            measure(run, name)


def test_the_angle_of_a_cone_of_level_set_grains(tmp_path: Path) -> None:
    """Its envelope is that of the surfaces."""
    rng = numpy.random.default_rng(1)
    points = lattice(25, 4e-3) + rng.uniform(-1e-3, 1e-3, (25**3, 3))
    high = (0.045 - numpy.hypot(points[:, 0] - 0.05, points[:, 1] - 0.05)) * math.tan(math.radians(30))
    run = cubes(tmp_path, points[points[:, 2] < high], 2e-3)
    assert angle_of_repose(run).value == pytest.approx(30, abs=2)


def test_a_clump_is_one_grain_of_a_mixture(tmp_path: Path) -> None:
    """Kinds at random: spheres of one clump are always alike, which must not look like a lack of mixing."""
    rng = numpy.random.default_rng(5)
    spheres = 0.6e-3 * numpy.array([[1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1], [0, 0, 0]])
    centres = lattice(16, 3e-3)
    kind = rng.integers(0, 2, len(centres))
    run = clumps(tmp_path, centres, spheres, material=numpy.repeat(kind, 5))
    assert mixing(run, "material").value == pytest.approx(1, abs=0.05)


def test_grains_that_came_later_are_left_out_of_a_mixture(tmp_path: Path) -> None:
    points = lattice(12, 2e-3)
    run = with_fields(made_up(tmp_path, points, 1e-3), {}, id=numpy.arange(len(points)))
    with h5py.File(tmp_path / "frames/first.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = points[:1500]
        file["VTKHDF/PointData/id"] = numpy.arange(1500)
    listing = [{"name": "frames/first.vtkhdf", "time": 0.0}, {"name": "frames/frame_000000.vtkhdf", "time": 1.0}]
    (tmp_path / "frames.vtkhdf.series").write_text(json.dumps({"files": listing}))
    assert mixing(Results(run.folder), "x@0").value == pytest.approx(0, abs=0.3)


def test_fragments_have_the_masses_of_whole_grains(tmp_path: Path) -> None:
    """Clumps 0 and 1 are one piece."""
    run = clumps(tmp_path / "clumps", lattice(2, 5e-3)[:3], PAIR, material=numpy.array([0, 0, 1, 1, 0, 0]),
                 fragment=numpy.array([0, 0, 0, 0, 4, 4]))  # fmt: skip
    pieces = fragments(run)
    assert list(pieces["particles"]) == [2, 1]
    numpy.testing.assert_allclose(pieces["mass"], [4000 * union_of_pair(), 1000 * union_of_pair()], rtol=2e-3)
    run = cubes(tmp_path / "cubes", lattice(2, 5e-3)[:2], 2e-3, material=numpy.array([0, 1]),
                fragment=numpy.array([0, 1]))  # fmt: skip
    numpy.testing.assert_allclose(fragments(run)["mass"], [3000 * 8e-9, 1000 * 8e-9], rtol=1e-9)


def test_radii_of_the_case_stand_for_those_of_a_frame(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(3, 2e-3), 1e-3)
    with h5py.File(run.frames[0].path, "r+") as file:
        del file["VTKHDF/PointData/radius"]
    case = {"time": {"duration": 1}, "particles": [{"material": "p", "radius": 1e-3}], "materials": {"p": {}}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert bed_height(Results(tmp_path)).value == pytest.approx(5e-3)
    case["particles"] = [{"material": "p", "radius": {"uniform": [1e-3, 2e-3]}}]
    (tmp_path / "case.json").write_text(json.dumps(case))
    with pytest.raises(ResultsError, match='add "radius" to output.frames.fields'):
        bed_height(Results(tmp_path))

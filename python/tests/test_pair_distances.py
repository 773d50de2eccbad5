"""Radial distributions of made-up packings: points at random, lattices. Nothing here needs the program."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import h5py
import numpy
import pandas
import pytest
from runs import lattice, made_up

from scree import Results
from scree.errors import ResultsError
from scree.measures import radial_distribution
from scree.measures.near_pairs import near_pairs

SHEARED = numpy.array([[0.02, 0, 0], [0.014, 0.03, 0], [-0.003, 0.005, 0.02]])  # [m]


def packing(folder: Path, points: numpy.ndarray, cell: numpy.ndarray | None = None, axes: str = "xyz", **fields: Any,
            ) -> Results:  # fmt: skip
    """Spheres of 1 mm, in a periodic cell."""
    run = made_up(folder, points, 1e-3)
    case: dict[str, Any] = {"time": {"duration": 1}, "materials": {"a": {}, "b": {}}}
    with h5py.File(run.frames[0].path, "r+") as file:
        if cell is not None:
            file["VTKHDF/FieldData/cell"], file["VTKHDF/FieldData/cell_origin"] = cell, numpy.array([0.1, 0.2, -0.1])
            case["domain"] = {"periodic": {"axes": list(axes)}}
        for name, values in fields.items():
            if name == "radius":
                del file["VTKHDF/PointData/radius"]
            file[f"VTKHDF/PointData/{name}"] = values
    (folder / "case.json").write_text(json.dumps(case))
    return Results(folder)


def is_one(table: pandas.DataFrame) -> None:
    """At random, numbers of pairs scatter as in Poisson's distribution around g = 1, and `error` is that of a count.

    With n bins chi squared has the mean n and the variance 2 n and a little more, as counts are some hundreds. Bins
    with fewer pairs than ten are left out."""
    deep = table["pairs"] >= 10
    variance = (table["error"] ** 2 / table["g"])[deep]  # with the mean number of pairs instead of the counted one
    chi_squared = float(((table["g"][deep] - 1) ** 2 / variance).sum())
    assert deep.sum() > 0.8 * len(table)
    assert chi_squared == pytest.approx(deep.sum(), abs=5 * math.sqrt(2.2 * deep.sum()))


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 30, 0.01), (0.02, 1, 40)])
def test_near_pairs_are_those_of_all_pairs(shape: tuple[float, float, float]) -> None:
    """Points of a coarse lattice, too, many of which are exactly `reach` away."""
    rng = numpy.random.default_rng(11)
    for decimals in (1, 16):
        points = numpy.round(rng.uniform(-1, 1, (400, 3)), decimals) * shape
        centres = numpy.round(rng.uniform(-1.3, 1.3, (150, 3)), decimals) * shape
        for reach in (0.3, 1.0):
            square = sum((points[None, :, k] - centres[:, None, k]) ** 2 for k in range(3))
            found = [numpy.column_stack(part) for part in near_pairs(centres, points, reach)]
            pairs = numpy.concatenate(found)
            table = numpy.full(square.shape, numpy.nan)
            table[pairs[:, 0].astype(int), pairs[:, 1].astype(int)] = pairs[:, 2]
            assert len(pairs) == (square <= reach**2).sum() > 0
            assert numpy.array_equal(table[square <= reach**2], numpy.sqrt(square[square <= reach**2]))


def test_an_ideal_gas_in_a_sheared_cell(tmp_path: Path) -> None:
    """Distances go beyond half of the shortest edge, 20 mm: more than one image of a grain may be a neighbour."""
    rng = numpy.random.default_rng(7)
    points = rng.uniform(-3, 3, (1500, 3)) @ SHEARED  # images far away
    run = packing(tmp_path, points, SHEARED, radius=rng.uniform(0.2e-3, 0.7e-3, 1500),
                  material=rng.integers(0, 2, 1500))  # fmt: skip
    table = radial_distribution(run, largest=12e-3, bins=60)
    assert table.attrs["units"] == {"r": "m"} and table.index[0] == pytest.approx(0.1e-3)
    is_one(table)
    assert float(table["pairs"].sum()) == pytest.approx(
        1500 * 1499 * 4 / 3 * math.pi * 12e-3**3 / numpy.linalg.det(SHEARED), rel=5e-3
    )  # 2.5 million pairs: 0.1 %
    is_one(radial_distribution(run, over_diameter=True, largest=10, bins=50))
    unlike = radial_distribution(run, between=("a", "b"), largest=9e-3, bins=50)
    is_one(unlike)
    assert unlike["g"].iloc[20] == pytest.approx(
        radial_distribution(run, between=("b", "a"), largest=9e-3, bins=50)["g"].iloc[20]
    )
    is_one(radial_distribution(run, between=("a", "a"), over_diameter=True, largest=10, bins=50))


def test_an_ideal_gas_in_a_box(tmp_path: Path) -> None:
    """The share of grains that are centres scatters, and g with it: by 1 / sqrt(N) sqrt((1 - p) / p) at most."""
    rng = numpy.random.default_rng(3)
    points = rng.uniform(0, 0.05, (12_000, 3))
    points[:, 2] *= 2
    run = packing(tmp_path / "box", points)
    table = radial_distribution(run, largest=6e-3, bins=30, box=[[0, 0, 0], [0.05, 0.05, 0.1]])
    share = (38 / 50) ** 2 * 88 / 100
    scatter = math.sqrt((1 - share) / share / 12_000)
    assert table["g"].iloc[10:].mean() == pytest.approx(1, abs=4 * scatter + 4 * table["error"].iloc[-1])
    assert (abs(table["g"] - 1) < 5 * (table["error"] + scatter))[table["pairs"] > 10].all()
    with pytest.raises(ResultsError, match="not periodic along all axes: give a box"):
        radial_distribution(run)
    with pytest.raises(ResultsError, match="no grain in it is 0.06 m or more from its faces"):
        radial_distribution(run, largest=0.06, box=[[0, 0, 0], [0.05, 0.05, 0.1]])
    with pytest.raises(ResultsError, match="infinite only along periodic axes"):
        radial_distribution(run, largest=6e-3, box=[[0, 0, -math.inf], [0.05, 0.05, math.inf]])
    for wrong, said in (({"bins": 0}, "bins must be at least 1, got 0"), ({"bins": 2.5}, "bins must be a whole number"),
                        ({"largest": -1}, "largest must be greater than 0, got -1"),
                        ({"largest": 1e-3, "box": [[0, 0, 0], [1, 1, 0]]}, "box: the lowest and the highest corner"),
                        ({"largest": 1e-3, "box": [[0, 0, 0], [1, 1]]}, "box: the lowest")):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            radial_distribution(run, **wrong)
    cell = numpy.diag([0.05, 0.05, 0.3])  # periodic along x and y; the bed ends at 0.1 m
    run = packing(tmp_path / "slab", points + [0.1, 0.2, -0.1], cell, "xy")
    inf = math.inf
    table = radial_distribution(run, largest=6e-3, bins=30, box=[[-inf, -inf, -0.1], [inf, inf, 0.0]])
    with pytest.raises(ResultsError, match="must not reach beyond the faces of the cell"):
        radial_distribution(run, largest=6e-3, box=[[-inf, 0.19, -0.1], [inf, 0.23, 0.0]])
    scatter = math.sqrt(12 / 88 / 12_000)
    assert (abs(table["g"] - 1) < 5 * (table["error"] + scatter))[table["pairs"] > 10].all()


def shells(run: Results, centres: int, **how: Any) -> list[float]:
    """Neighbours of a grain in the shells of a face-centred cubic lattice, whose distances are sqrt(k) diameters. Their
    bins are others, and no edge of a bin is near."""
    table = radial_distribution(run, largest=5.35e-3, bins=50, **how)
    at = [int(math.sqrt(k) * 2 / 0.107) for k in range(1, 8)]
    assert table["pairs"].sum() == table["pairs"].iloc[at].sum()
    return [float(n) / centres for n in table["pairs"].iloc[at]]


def test_the_shells_of_a_lattice_are_exact(tmp_path: Path) -> None:
    known = [12, 6, 24, 12, 24, 8, 48]
    edges = 2e-3 / math.sqrt(2) * numpy.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])  # of the primitive cell
    points = lattice(5, 1.0) @ edges
    assert shells(packing(tmp_path / "sheared", points + 1e-5, 5 * edges), 125) == known
    started = packing(tmp_path / "started", points + 1e-5, 5 * edges)  # its cell came with a start
    (started.folder / "case.json").write_text(json.dumps({"time": {"duration": 1}}))
    with pytest.raises(ResultsError, match="the case does not tell along which axes"):
        radial_distribution(started)
    assert shells(started, 125, periodic="xyz") == known
    with pytest.raises(ValueError, match='axes are needed, as "xyz", got "xw"'):
        radial_distribution(started, periodic="xw")
    assert shells(packing(tmp_path / "small", lattice(2, 1.0) @ edges, 2 * edges), 8) == known  # mostly images of 8
    points = lattice(30, 1.0) @ edges
    middle = points.mean(axis=0)
    low, high = middle - 8.001e-3, middle + 8.001e-3
    run = packing(tmp_path / "box", points)
    inner = (numpy.abs(points - middle) <= 8.001e-3 - 5.35e-3).all(axis=1).sum()
    assert shells(run, int(inner), box=[low, high]) == known
    g = radial_distribution(run, largest=5.35e-3, bins=50, box=[low, high])["g"]
    volume = 4 / 3 * math.pi * 0.107e-3**3 * (19**3 - 18**3)
    density = 4 / (2e-3 * math.sqrt(2)) ** 3
    assert g.iloc[18] == pytest.approx(12 / (density * volume), rel=0.1)  # the box holds whole layers


def test_contacts_of_all_sizes_lie_at_one_diameter(tmp_path: Path) -> None:
    """Pairs that touch, each of two sizes, far from each other; the mean over two frames is that of both."""
    rng = numpy.random.default_rng(1)
    first, radii = lattice(6, 20e-3), rng.uniform(0.5e-3, 2e-3, (216, 2))
    way = rng.normal(size=(216, 3))
    second = first + way / numpy.linalg.norm(way, axis=1)[:, None] * radii.sum(axis=1)[:, None]
    run = packing(tmp_path, numpy.concatenate([first, second]), 0.12 * numpy.eye(3), radius=radii.T.ravel())
    table = radial_distribution(run, over_diameter=True, largest=1.5, bins=15)
    assert table["pairs"].sum() == 432 and table["pairs"].iloc[9:11].sum() == 432
    both = radial_distribution(run, slice(None), over_diameter=True, largest=1.5, bins=15)
    assert both["g"].equals(table["g"])

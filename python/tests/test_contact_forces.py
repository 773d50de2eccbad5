"""Distributions of the forces of made-up contacts, whose answers are known. Nothing here needs the program."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest

from scree import Results
from scree.errors import ResultsError
from scree.measures import contact_rose, force_distribution, mobilised_friction

TURN = 2 * math.pi


def touching(folder: Path, case: dict[str, Any] | None = None, **fields: numpy.ndarray) -> Results:
    """A run with a file of contacts at 1 s; fields that are not given are 0."""
    (folder / "contacts").mkdir(parents=True, exist_ok=True)
    n = len(next(iter(fields.values())))
    every = {name: numpy.zeros((n, 3)) for name in ("normal", "shear_force")}
    every |= {"first": numpy.zeros(n, "u4"), "second": numpy.ones(n, "u4"), "with_boundary": numpy.zeros(n, "u1")}
    with h5py.File(folder / "contacts/step_000000100.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = numpy.zeros((2 * n, 3))
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
        for name, values in {**every, "normal_force": numpy.ones(n), **fields}.items():
            file[f"VTKHDF/CellData/{name}"] = values
    listing = {"files": [{"name": "contacts/step_000000100.vtkhdf", "time": 1.0}]}
    (folder / "contacts.vtkhdf.series").write_text(json.dumps(listing))
    whole = {"time": {"duration": 1}, "materials": {"a": {"friction": 0.5}}, "boundaries": {}, **(case or {})}
    (folder / "case.json").write_text(json.dumps(whole))
    return Results(folder)


def quantiles(n: int) -> numpy.ndarray:
    return (numpy.arange(n) + 0.5) / n


def test_an_exponential_distribution_of_forces(tmp_path: Path) -> None:
    """The numbers in bins of quantiles are exact up to one contact on each side."""
    n = 20_000
    force = -7.0 * numpy.log(1 - quantiles(n))  # [N] with the mean 7
    shear = numpy.random.default_rng(1).normal(size=(n, 3))
    shear *= (0.1 * force / numpy.linalg.norm(shear, axis=1))[:, None]
    normal = numpy.cross(shear, [0.3, 1.0, 0.1])
    normal /= numpy.linalg.norm(normal, axis=1)[:, None]
    run = touching(tmp_path, normal_force=force, shear_force=shear, normal=normal)
    for part, mean in (("normal", 7.0), ("shear", 0.7), ("whole", 7 * math.sqrt(1.01))):
        table = force_distribution(run, part=part, bins=40, largest=4)
        assert table.index.name == "force" and table.attrs["mean"] == pytest.approx(mean, rel=1e-3)
        edges = numpy.linspace(0, 4, 41)
        numpy.testing.assert_allclose(table["density"], -numpy.diff(numpy.exp(-edges)) / 0.1,
                                      atol=2 / (n * 0.1) + 1e-4)  # fmt: skip
        assert table["contacts"].sum() == round(float(table["density"].sum()) * 0.1 * n)
    whole = force_distribution(run, bins=200)
    assert float(whole["density"].sum()) * (whole.index[1] - whole.index[0]) == pytest.approx(1, rel=1e-12)
    both = force_distribution(run, slice(None), bins=200)
    assert both.equals(whole)


def test_forces_that_pull_and_walls(tmp_path: Path) -> None:
    wall = numpy.array([0, 0, 0, 0, 1], "u1")
    run = touching(tmp_path, normal_force=numpy.array([3.0, 1.0, -1.0, 2.0, 10.0]), with_boundary=wall)
    table = force_distribution(run, bins=4)  # the mean of those that press is 2: -0.5 to 1.5
    assert table["contacts"].tolist() == [1, 0, 1, 2] and table.index[0] == pytest.approx(-0.25)
    assert force_distribution(run, boundaries=True).attrs["mean"] == 4
    with pytest.raises(ResultsError, match="no contact has a force of this kind"):
        force_distribution(run, part="shear")
    with pytest.raises(ResultsError, match='"tangential" is none of normal, shear'):
        force_distribution(run, part="tangential")
    (tmp_path / "contacts.vtkhdf.series").unlink()
    (tmp_path / "contacts/step_000000100.vtkhdf").unlink()
    with pytest.raises(ResultsError, match="needs output.contacts"):
        force_distribution(Results(tmp_path))


def test_mobilised_friction_of_one_material(tmp_path: Path) -> None:
    """Uniform from 0 to 1; ten contacts slip, with a friction in single precision; one pulls, one has no force."""
    ratio = numpy.concatenate([quantiles(90), numpy.full(10, 1 + 1e-7), [0.3, 0.2]])
    force = numpy.concatenate([numpy.linspace(1, 5, 100), [-1.0, 0.0]])
    shear = numpy.outer(0.5 * ratio * numpy.abs(force), [0.6, 0, 0.8])
    run = touching(tmp_path, normal_force=force, shear_force=shear)
    found = mobilised_friction(run, run.contacts[-1])
    assert numpy.isnan(found[-2:]).all() and (found[90:100] == 1).all()
    numpy.testing.assert_allclose(found[:90], ratio[:90], rtol=1e-12)
    table = force_distribution(run, part="mobilised", bins=9)
    assert table["contacts"].tolist() == [10] * 8 + [20] and table.index.name == "mobilised"
    assert float(table["density"].sum()) / 9 == pytest.approx(1)


def test_friction_of_pairs_and_stages(tmp_path: Path) -> None:
    """Particles 0 to 2 of materials a, b, c; a wall of b. A rule of the case, and a stage that has begun."""
    names = ("a", "b", "c")
    case = {
        "materials": {name: {"friction": f} for name, f in zip(names, (0.5, 0.4, 0.3), strict=True)},
        "contacts": [{"between": ["c", "a"], "friction": 0.8}, {"between": ["a", "*"]},
                     {"between": ["*", "*"], "friction": 0.2}],
        "boundaries": {"lid": {"type": "plane", "material": "a"}, "wall": {"type": "plane", "material": "b"}},
        "stages": [{"name": "first"}, {"name": "next", "friction": [{"between": ["b", "c"], "value": 0.1}]},
                   {"name": "late", "friction": [{"value": 0.9}]}],
    }  # fmt: skip
    pairs = numpy.array([[0, 1, 0], [0, 2, 0], [1, 2, 0], [1, 1, 0], [1, 0, 1], [1, 2, 1], [0, 2, 1]])
    run = touching(tmp_path, case, first=pairs[:, 0], second=pairs[:, 1], with_boundary=pairs[:, 2],
                   shear_force=numpy.outer(numpy.ones(7), [0.1, 0, 0]))  # fmt: skip
    stages = ['step 0, t = 0 s: stage "first" begins', 'step 50, t = 0.5 s: stage "first" ends; stage "next" begins']
    (tmp_path / "run.log").write_text("\n".join(["scree 0.1.0", *stages, ""]))
    with pytest.raises(ResultsError, match="a frame of the same time has to tell"):
        mobilised_friction(run, run.contacts[-1])
    (tmp_path / "frames").mkdir()
    with h5py.File(tmp_path / "frames/frame_000000.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = numpy.zeros((3, 3))
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
        file["VTKHDF/PointData/id"], file["VTKHDF/PointData/material"] = numpy.arange(3), numpy.arange(3)
    listing = {"files": [{"name": "frames/frame_000000.vtkhdf", "time": 1.0}]}
    (tmp_path / "frames.vtkhdf.series").write_text(json.dumps(listing))
    run = Results(tmp_path)
    numpy.testing.assert_allclose(0.1 / mobilised_friction(run, run.contacts[-1]), [0.4, 0.8, 0.1, 0.2, 0.4, 0.1, 0.8])


def test_a_rose_of_contacts_and_forces(tmp_path: Path) -> None:
    """The usual harmonics (Rothenburg and Bathurst 1989), with main directions of their own, in the plane y-z."""
    n, a_c, a_n, a_t = 40_000, 0.4, 0.3, 0.2
    fine = numpy.linspace(0, TURN, 200_001)
    angle = numpy.interp(quantiles(n), fine / TURN + a_c * (numpy.sin(2 * (fine - 0.3)) + math.sin(0.6)) / 2 / TURN,
                         fine)  # fmt: skip
    normal = numpy.column_stack([numpy.zeros(n), numpy.cos(angle), numpy.sin(angle)])
    across = numpy.column_stack([numpy.zeros(n), -numpy.sin(angle), numpy.cos(angle)])
    force = 2.0 * (1 + a_n * numpy.cos(2 * (angle - 0.5)))
    shear = -2.0 * a_t * numpy.sin(2 * (angle - 0.7))
    run = touching(tmp_path, normal=normal, normal_force=force, shear_force=shear[:, None] * across + [0.1, 0, 0])
    table = contact_rose(run, plane="yz", sectors=40)
    middle, width = table.index.to_numpy(), TURN / 40
    assert table.attrs["units"]["shear_force"] == "N" and table["contacts"].sum() == 2 * n
    flat = math.sin(width) / width  # of a harmonic over a sector; weights within one change the means by width^2 / 12
    density = (1 + a_c * flat * numpy.cos(2 * (middle - 0.3))) / TURN
    numpy.testing.assert_allclose(table["density"], density, atol=4 / (2 * n * width))  # whole contacts
    assert float((table["density"] * width).sum()) == pytest.approx(1) == float((table["force_density"] * width).sum())
    size = 4 * width**2 / 12 + 4 / (n / 40)
    numpy.testing.assert_allclose(table["normal_force"], 2 * (1 + a_n * numpy.cos(2 * (middle - 0.5))), atol=size)
    numpy.testing.assert_allclose(table["shear_force"], -2 * a_t * numpy.sin(2 * (middle - 0.7)), atol=size)
    numpy.testing.assert_allclose(table["force_density"], table["density"] * table["normal_force"] / (
        (table["density"] * table["normal_force"]).sum() * width), rtol=1e-12)  # fmt: skip
    numpy.testing.assert_allclose(table["density"][:20].to_numpy(), table["density"][20:].to_numpy(), rtol=1e-12)
    across_z = contact_rose(run, plane="xz")  # all point along z or against it there
    assert across_z["contacts"][lambda counts: counts > 0].index.to_numpy() == pytest.approx(
        [math.pi / 2, 1.5 * math.pi], abs=TURN / 36)  # fmt: skip
    with pytest.raises(ResultsError, match='"xw" is no pair of axes'):
        contact_rose(run, plane="xw")
    with pytest.raises(ValueError, match="sectors must be at least 1, got 0"):
        contact_rose(run, sectors=0)

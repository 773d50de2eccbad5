"""Reading what runs have written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy
import pandas
import pytest
from conftest import ROOT, free_case, run_program
from numpy.testing import assert_array_equal

import scree
from scree.frames import FIELD_UNITS, FieldFrame


@pytest.fixture(scope="module")
def drum(tmp_path_factory: pytest.TempPathFactory) -> scree.Results:
    """Clumps in a rotating drum: frames, moving surfaces, series."""
    out = tmp_path_factory.mktemp("drum") / "out"
    run_program("run", str(ROOT / "configs/clumps.json"), "--steps", "700", "--out", str(out), "--quiet")
    return scree.Results(out)


@pytest.mark.skipif(not (ROOT / "docs/output.md").is_file(), reason="there is no checkout")
def test_fields_have_the_units_of_the_page() -> None:
    """A test in C++ sees to it that each field of the particles has a row on the page."""
    page = (ROOT / "docs/output.md").read_text()
    rows = re.findall(r"^\| ((?:`(?:Point|Cell)Data/\w+`(?:, )?)+) \| ([^|]*)\|", page, re.MULTILINE)
    units = {name: unit.strip() for names, unit in rows for name in re.findall(r"Data/(\w+)", names)}
    assert len(units) > 25
    assert {name: FIELD_UNITS.get(name, "") for name in units} == units


def test_series_is_a_table_with_units(drum: scree.Results) -> None:
    series = drum.series
    assert isinstance(series, pandas.DataFrame) and series.index.name == "time"
    assert drum.units["kinetic_energy"] == "J" and "contacts" not in drum.units
    raw = pandas.read_csv(drum.folder / "series.csv")
    assert_array_equal(series["kinetic_energy"], raw["kinetic_energy[J]"])
    assert series.index[-1] == drum.time == drum.duration


def test_frames_are_read_lazily(drum: scree.Results) -> None:
    frame = drum.frames[-1]
    assert frame.time == drum.time and len(frame) == 3000
    velocity = frame["velocity"]
    assert (velocity.shape, velocity.unit) == ((3000, 3), "m/s")
    assert_array_equal(velocity[10:20, 2], numpy.asarray(velocity)[10:20, 2])
    assert_array_equal(velocity * 2 - velocity, velocity[...])
    assert frame.step == 700 and set(frame.names) >= {"positions", "radius", "clump"}
    assert drum.frames.at(0).time == 0
    table = frame.to_dataframe()
    assert_array_equal(table["position_x"], frame.positions[:, 0])
    assert table.attrs["units"]["velocity_z"] == "m/s" == frame.units["velocity"]
    with pytest.raises(scree.ResultsError, match='no array "colour": there are positions'):
        frame["colour"]
    with pytest.raises(scree.ResultsError, match='no array "velocty": did you mean "velocity"'):
        frame["velocty"]


def test_columns_have_the_names_and_units_of_components() -> None:
    from scree.frame import dataframe_of

    rows = numpy.arange(2.0)[:, None]
    table = dataframe_of({"positions": rows + numpy.arange(3), "orientation": rows + numpy.arange(4),
                          "velocity_gradient": rows + numpy.arange(9), "id": numpy.arange(2)})  # fmt: skip
    tensor = [f"velocity_gradient_{a}{b}" for a in "xyz" for b in "xyz"]
    names = ["position_x", "position_y", "position_z", *(f"orientation_{part}" for part in "wxyz"), *tensor, "id"]
    assert list(table) == names and table.iloc[1].tolist() == [1, 2, 3, 1, 2, 3, 4, *range(1, 10), 1]
    assert table.attrs["units"] == dict.fromkeys(names[:3], "m") | dict.fromkeys(tensor, "1/s")


def test_boundaries_have_their_surfaces(drum: scree.Results) -> None:
    boundaries = drum.boundaries
    assert list(boundaries) == ["drum", "front", "back"]
    assert boundaries["drum"].moves and len(boundaries["drum"].frames) == len(drum.frames)
    surface = boundaries["drum"].at(drum.time)
    assert surface is not None and surface.triangles is not None and surface.triangles.max() < len(surface)
    assert boundaries["front"].at(0) is None
    assert repr(boundaries["drum"]) == f"<boundary drum: cylinder, moves, {len(drum.frames)} frames>"


def test_checkpoint_has_the_state(drum: scree.Results) -> None:
    checkpoint = drum.checkpoints[-1]
    assert (checkpoint.step, checkpoint.state_hash) == (700, drum.state_hash)
    assert checkpoint["bodies/position"].unit == "m"
    assert_array_equal(checkpoint["bodies/position"], drum.frames[-1].positions)


def test_log_and_summary(drum: scree.Results) -> None:
    assert drum.status == "done" and drum.summary["steps"] == 700
    assert drum.log.facts["precision"] == "mixed" and drum.log.stage_seconds["clumps"] > 0
    assert drum.log.progress == 1 and drum.log.memory["total"] > 1e5


def test_a_run_that_was_killed_is_read(drum: scree.Results, tmp_path: Path) -> None:
    """Half a line at the end, no list of frames, no end of the log."""
    lines = (drum.folder / "series.csv").read_text()
    (tmp_path / "series.csv").write_text(lines[:-20])
    log = (drum.folder / "run.log").read_text()
    (tmp_path / "run.log").write_text(log[: log.index("done  ") + 9])
    (tmp_path / "case.json").write_bytes((drum.folder / "case.json").read_bytes())
    (tmp_path / "frames").symlink_to(drum.folder / "frames")
    killed = scree.Results(tmp_path)
    assert len(killed.series) == len(drum.series) - 1
    assert_array_equal(killed.frames.times, drum.frames.times)
    assert killed.status == "killed" and killed.state_hash is None
    (tmp_path / "series.csv").write_text(lines)
    assert len(killed.series) == len(drum.series)  # a run that goes on


def test_contacts_are_tables(beads: scree.Case, tmp_path: Path) -> None:
    beads["output"]["contacts"] = scree.ContactsOutput(every=0.01)
    beads["time"] = scree.Time(duration=0.08)
    with scree.Simulation(beads, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    run = scree.Results(tmp_path / "run")
    assert_array_equal(run.contacts.times, run.frames.times)
    contacts, frame = run.contacts[-1], run.frames[-1]
    first, second, wall = (contacts[name][...] for name in ("first", "second", "with_boundary"))
    assert contacts.step == frame.step and len(contacts) == len(first) > 30 and 0 < wall.sum() < len(first)
    assert contacts.lines.shape == (len(contacts), 2, 3) and contacts["normal_force"].unit == "N"
    table = contacts.to_dataframe()
    assert list(table["first"]) == list(first) and "shear_force_z" in table
    total = numpy.zeros((50, 3))  # Newton's third law: forces of contacts add up to those of frames
    numpy.add.at(total, second, contacts.force)
    numpy.subtract.at(total, first[wall == 0], contacts.force[wall == 0])
    force = frame["force"][...]
    assert numpy.abs(total[frame["id"][...]] - force).max() < 1e-9 * numpy.abs(force).max()
    among = wall == 0
    assert_array_equal(contacts["overlap"][...] > 0, True)
    length = numpy.linalg.norm(contacts.lines[among, 1] - contacts.lines[among, 0], axis=1)
    numpy.testing.assert_allclose(length + contacts["overlap"][...][among], 2e-3, rtol=1e-12)
    with pytest.raises(scree.ResultsError, match="does not ask for output.left"):
        run.left  # noqa: B018


def test_broken_bonds_are_a_table(tmp_path: Path) -> None:
    """A bond is pulled at 0.02 m/s: it breaks under the tensile strength times the section of the spheres."""
    strength, radius, modulus = 2e5, 5e-3, 1e8
    held = {"fixed": ["x", "y", "z"]}
    case = free_case(
        groups={"a": held, "b": {**held, "velocity": [0.02, 0, 0]}},
        particles=[{"material": "glass", "radius": radius, "positions": [[0, 0, 0]], "group": "a"},
                   {"material": "glass", "radius": radius, "positions": [[2 * radius, 0, 0]], "group": "b"}],
        contacts=[{"between": ["*", "*"], "law": "bonded",
                   "bond": {"tensile_strength": strength, "cohesion": 1e6, "interaction_range": 1.1}}],
        time={"duration": 0.003, "step": 5e-6},
        output={"broken_bonds": {"every": 5e-6}},
    )  # fmt: skip
    case["materials"]["glass"]["young_modulus"] = modulus
    with scree.Simulation(case, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    broken = scree.Results(tmp_path / "run").broken_bonds
    assert len(broken) == 1 and tuple(broken.iloc[0][["first", "second"]]) == (0, 1)
    force = strength * numpy.pi * radius**2
    numpy.testing.assert_allclose(broken["normal_force"], -force, rtol=0.01)
    assert broken["kind"].value_counts().to_dict() == {"tension": 1}
    assert broken["bending_moment"].iloc[0] == 0
    numpy.testing.assert_allclose(broken["time"], strength / modulus * 2 * radius / 0.02, rtol=0.02)
    plain = free_case(output={"series": {"every": 0.01}}, time={"duration": 0.01, "step": 1e-4})
    with scree.Simulation(plain, out=tmp_path / "plain") as sim:
        sim.run(progress=False)
    with pytest.raises(scree.ResultsError, match="does not ask for output.broken_bonds"):
        scree.Results(tmp_path / "plain").broken_bonds  # noqa: B018


def test_collisions_are_a_table(tmp_path: Path) -> None:
    """A sphere hits a wall at 0.5 m/s and loses (1 - e^2) m v^2 / 2, within 1 %: the error of the restitution."""
    radius, speed, restitution = 5e-3, 0.5, 0.6
    case = free_case(
        contacts=[{"between": ["*", "*"], "restitution": restitution}],
        particles=[{"material": "glass", "radius": radius, "positions": [[0, 0, 1.1 * radius]],
                    "velocity": [0, 0, -speed]}],
        boundaries={"lid, lower": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}},
        time={"duration": 0.006, "step": 1e-6},
        output={"collisions": {"every": 0.003, "from": 1e-9, "to": 1}},
    )  # fmt: skip
    with scree.Simulation(case, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    table = scree.Results(tmp_path / "run").collisions
    assert len(table) == 1 and table.attrs["units"]["lost"] == "J"
    (row,) = table.to_dict("records")
    assert (row["with"], row["first"], row["second"]) == ("boundary", "lid, lower", "glass")
    assert row["collisions"] == 1 and row["from"] <= row["lost"] < row["to"]
    mass = 4 / 3 * numpy.pi * radius**3 * case["materials"]["glass"]["density"]
    numpy.testing.assert_allclose(row["lost"], 0.5 * mass * speed**2 * (1 - restitution**2), rtol=0.01)
    numpy.testing.assert_allclose(row["impact_speed"], speed, rtol=1e-6)
    plain = free_case(output={"series": {"every": 0.01}}, time={"duration": 0.01, "step": 1e-4})
    with scree.Simulation(plain, out=tmp_path / "plain") as sim:
        sim.run(progress=False)
    with pytest.raises(scree.ResultsError, match="does not ask for output.collisions"):
        scree.Results(tmp_path / "plain").collisions  # noqa: B018


def test_left_tells_when_particles_fell_out(tmp_path: Path) -> None:
    """Three spheres at rest fall 0.1, 0.2 and 0.3 m: sqrt(2 h/g), and then sqrt(2 g h), to a step of 1e-4 s.

    A lattice begins one radius, 1 mm, above the lowest side of its box.
    """
    from scree.measures import residence_time, residence_times

    lattice = {"type": "simple_cubic", "box": [[-0.05, -0.05, 0], [0.05, 0.05, 0.3]], "spacing": 0.1}
    outlets = {"the, floor": {"point": [0, 0, -0.099], "normal": [0, 0, -1]}}
    case = free_case(gravity=[0, 0, -10], domain={"outlets": outlets}, output={"left": True})
    case["particles"][0]["lattice"] = lattice
    case["time"] = {"duration": 0.3, "step": 1e-4}
    with scree.Simulation(case, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    run = scree.Results(tmp_path / "run")
    left = run.left
    assert list(left["id"]) == [0, 1, 2] and set(left["outlet"]) == {"the, floor"}
    assert left.attrs["units"]["velocity_z"] == "m/s"
    fall = numpy.array([0.1, 0.2, 0.3])
    numpy.testing.assert_allclose(left["time"], numpy.sqrt(0.2 * fall), atol=1.01e-4)
    numpy.testing.assert_allclose(left["velocity_z"], -numpy.sqrt(20 * fall), atol=2e-3)
    stay, mass = residence_times(run, "the, floor")
    assert_array_equal(stay, left["time"])
    assert residence_time(run).value == pytest.approx(stay.mean(), rel=1e-12)
    assert mass[0] == pytest.approx(4 / 3 * numpy.pi * 1e-9 * 2500, rel=1e-6)
    with pytest.raises(scree.ResultsError, match='has left through the outlet "door"'):
        residence_times(run, "door")


def test_fields_are_grids(tmp_path: Path) -> None:
    """Three spheres fall freely, on a box and on a cylinder about the axis on which they lie: x = y = 0."""
    grids = {
        "box": {"box": [[-0.1, -0.1, -0.2], [0.1, 0.1, 0.4]], "cells": [2, 1, 30]},
        "rings": {"cylinder": {"from": [0, 0, -0.2], "to": [0, 0, 0.4], "radius": 0.1}, "cells": [4, 1, 30]},
        "sectors": {"cylinder": {"from": [0, 0, -0.2], "to": [0, 0, 0.4], "radius": 0.1}, "cells": [4, 2, 30]},
    }
    fields = {name: {"every": 0.05, "sample_every": 0.01, "width": 0.05, "grid": grid} for name, grid in grids.items()}
    case = free_case(gravity=[0, 0, -10], output={"fields": fields})
    case["precision"] = "double"
    case["particles"][0]["lattice"] = {
        "type": "simple_cubic", "box": [[-0.001, -0.001, 0], [0.099, 0.099, 0.3]], "spacing": 0.1
    }  # fmt: skip
    case["time"] = {"duration": 0.1, "step": 1e-4}
    with scree.Simulation(case, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    run = scree.Results(tmp_path / "run")
    assert set(run.fields) == set(grids)
    mass = 3 * 4 / 3 * numpy.pi * 1e-9 * 2500
    for name, shape in (("box", (2, 1, 30)), ("rings", (4, 1, 30)), ("sectors", (4, 2, 30))):
        assert list(run.fields[name].times) == pytest.approx([0.05, 0.1])
        frame = run.fields[name][-1]
        assert isinstance(frame, FieldFrame) and (frame.shape, frame.samples) == (shape, 5)
        assert frame.is_round == (name != "box") and frame["velocity"].shape == (*shape, 3)
        assert frame["contact_stress"].shape == (*shape, 3, 3)
        assert frame.sample_times == pytest.approx((0.06, 0.1))
        weights = frame["mass_density"] * frame.cell_volumes
        assert weights.sum() == pytest.approx(mass, rel=1e-12)  # the kernel shares all of it out
        assert [len(axis) for axis in frame.centers] == list(shape)
        inside = numpy.nan_to_num(weights[..., None] * frame["velocity"]).sum(axis=(0, 1, 2)) / mass
        # Velocities are those of the middle of a step; the samples are 0.08 s after the start in the mean.
        numpy.testing.assert_allclose(inside, [0, 0, -10 * (0.08 - 0.5e-4)], rtol=1e-9, atol=1e-12)
        age = numpy.nan_to_num(weights * frame["residence_time"]).sum() / mass
        assert age == pytest.approx(0.08, rel=1e-9)  # all were there at the start
        table = frame.to_dataframe()
        assert len(table) == len(frame) and table["mass_density"].sum() == pytest.approx(frame["mass_density"].sum())
        assert list(table)[:3] == (["x", "y", "z"] if name == "box" else ["r", "angle", "z"])
        parts = ("x", "y", "z") if name == "box" else ("r", "theta", "z")
        for k, first in enumerate(parts):
            assert_array_equal(table[f"velocity_{first}"], frame.arrays()["velocity"][:, k])
            for j, second in enumerate(parts):
                assert_array_equal(table[f"fabric_{first}{second}"], frame.arrays()["fabric"][:, 3 * k + j])
        assert frame.units["contact_stress"] == "Pa" == table.attrs["units"][f"contact_stress_{parts[0]}{parts[2]}"]
        assert "solid_fraction" not in frame.units and table.attrs["units"][list(table)[1]] in ("m", "rad")
    box, rings = run.fields["box"][-1], run.fields["rings"][-1]
    assert box.cell_volume == pytest.approx(box.cell_volumes.sum() / len(box))
    with pytest.raises(scree.ResultsError, match="differ in volume"):
        rings.cell_volume  # noqa: B018
    assert rings.cell_volumes.sum() == pytest.approx(numpy.pi * 0.1**2 * 0.6)
    with pytest.raises(scree.ResultsError, match='has no field "colour"'):
        rings["colour"]


def test_fields_go_to_pyvista(tmp_path: Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    grid = {"cylinder": {"from": [0, 0, 0], "to": [0, 0, 1], "radius": 1}, "cells": [2, 3, 2]}
    case = free_case(output={"fields": {"round": {"every": 0.01, "width": 0.1, "grid": grid}}})
    case["time"] = {"duration": 0.01, "step": 1e-4}
    with scree.Simulation(case, out=tmp_path / "run") as sim:
        sim.run(progress=False)
    frame = scree.Results(tmp_path / "run").fields["round"][0]
    shown = frame.to_pyvista()
    assert shown.n_cells == 48  # sectors of 120 degrees as four of 30
    again = pyvista.read(frame.path)
    assert numpy.allclose(shown.points, again.points) and again.n_cells == 48
    assert shown.volume == pytest.approx(12 * 0.5 * numpy.sin(numpy.pi / 6))


def test_surfaces_go_to_pyvista(drum: scree.Results) -> None:
    pytest.importorskip("pyvista")
    blocks = drum.to_pyvista()
    assert set(blocks.keys()) == {"particles", "boundary drum"}
    assert blocks["particles"].n_points == 3000
    assert blocks["boundary drum"].n_cells == 128


def test_what_is_no_run_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(scree.ResultsError, match="there is no such folder"):
        scree.Results(tmp_path / "none")
    with pytest.raises(scree.ResultsError, match="holds no run of scree"):
        scree.Results(tmp_path)


def test_names_of_boundary_files() -> None:
    from scree.results import file_stems

    assert file_stems(["drum", "Drum", "a b/c", "con", "grün", ""]) == ["drum", "Drum_2", "a_b_c", "con_", "gr__n", "_"]


def test_results_need_no_engine(drum: scree.Results) -> None:
    code = f"import sys, scree; scree.Results({str(drum.folder)!r}).series; assert 'scree._engine' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

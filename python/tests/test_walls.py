"""Boundaries of pictures and reports: where they are, and whether they are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
import runs

from scree import Results
from scree.__main__ import main
from scree.render import walls
from scree.report import grains
from scree.report.geometry import surfaces
from scree.stage_times import stage_times

pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

TILT = [0.3, 1.0, 0.2]
#: Motions of planes near z = 0.1; none of them reaches the sphere in the origin.
MOTIONS: dict[str, list[dict[str, Any]]] = {
    "shift and turn": [
        {"type": "translation", "velocity": [0, 0.1, 0.4], "from": 0.01, "until": 0.035},
        {"type": "rotation", "axis": TILT, "origin": [0.05, 0, 0], "rate": 5, "from": 0.005},
    ],
    "turn and shift": [
        {"type": "rotation", "axis": TILT, "origin": [0.05, 0, 0], "rate": 5, "until": 0.03},
        {"type": "translation", "velocity": [0, 0.1, 0.4]},
    ],
    "shake": [{"type": "oscillation", "direction": [0, 1, 2], "amplitude": 0.01, "frequency": 40, "phase": 0.7,
               "from": 0.004, "until": 0.043}],
    "rock": [{"type": "oscillation", "axis": TILT, "origin": [0.02, 0, 0.1], "amplitude": 0.2, "frequency": 30}],
    "places": [{"type": "table", "direction": [0, 0.3, 1], "position": [[0.005, 0.004], [0.02, 0.01], [0.04, 0]]}],
    "angles": [{"type": "table", "axis": TILT, "origin": [0, 0.02, 0.1], "position": [[0, 0], [0.03, 0.2]],
                "from": 0.01}],
    "speeds": [{"type": "table", "direction": [0, 0, 1], "velocity": [[0.003, 0.1], [0.02, 0.5], [0.04, -0.3]]}],
    "file": [{"type": "table", "direction": [0, 0, 1], "velocity_file": "speeds.csv", "until": 0.025}],
    "stages": [{"type": "rotation", "axis": TILT, "origin": [0.05, 0, 0], "rate": 4}],
    "late": [],
}  # fmt: skip


def plane(point: list[float], normal: list[float], **keys: Any) -> dict[str, Any]:
    return {"type": "plane", "point": point, "normal": normal, "material": "glass", **keys}


def moving_case(folder: Path) -> dict[str, Any]:
    """One sphere in the origin, and for each motion a plane and a triangle in it."""
    folder.mkdir()
    (folder / "speeds.csv").write_text("time,speed\n0.003,0.1\n0.02,0.5\n0.04,-0.3\n")
    (folder / "part.obj").write_text("v -0.05 -0.05 0.1\nv 0.05 -0.05 0.1\nv 0.0 0.06 0.1\nf 1 2 3\n")
    case = runs.settling_case()
    case.update(gravity=[0, 0, 0], time={"duration": 0.06, "step": 1e-4})
    place = {"box": [[-0.001] * 3, [0.002] * 3], "spacing": 0.003}
    case["particles"] = [{"material": "glass", "radius": 1e-3, "lattice": place}]
    case["boundaries"] = {}
    for name, motion in MOTIONS.items():
        case["boundaries"][name] = plane([0, 0, 0.1], [0, 0, -2], motion=motion)
        mesh = {"type": "mesh", "file": "part.obj", "material": "glass", "motion": motion}
        case["boundaries"][f"mesh {name}"] = mesh
    then = {name: {"motion": [{"type": "translation", "velocity": [0, 0.2, 0.3], "from": 0.005},
                              {"type": "rotation", "axis": TILT, "rate": -3, "until": 0.02}]}
            for name in ("stages", "mesh stages", "late", "mesh late")}  # fmt: skip
    stop = {name: {"motion": []} for name in ("stages", "mesh stages")}
    case["stages"] = [
        {"name": "one", "until": {"duration": 0.0212}},
        {"name": "two", "boundaries": then, "until": {"duration": 0.02}},
        {"name": "three", "boundaries": stop},
    ]
    case["output"] = {"frames": {"every": 0.005}}
    return case


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("moving") / "here"
    return runs.run(moving_case(folder), folder)


@pytest.mark.parametrize("name", MOTIONS)
def test_planes_move_as_meshes_do(moving: Path, name: str) -> None:
    """The program writes the places of meshes; a plane has to stay in that of the triangle with the same motion."""
    run = Results(moving)
    places = []
    for frame in run.frames:
        point, normal = walls.moved_planes(run, frame.time)[name]
        corners = run.boundaries[f"mesh {name}"].at(frame.time).positions[...]
        assert numpy.abs((corners - point) @ normal).max() < 1e-6
        assert numpy.linalg.norm(normal) == pytest.approx(1)
        places.append(point @ normal)
    assert numpy.ptp(places) > 2e-3  # it does move


def test_pictures_and_reports_of_all_motions(moving: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyvista")
    assert main(["render", str(moving), "--out", str(tmp_path / "a.png"), "--size", "100", "--draft"]) == 0
    assert main(["report", str(moving), "--out", str(tmp_path / "a.html"), "--pictures", "1"]) == 0
    assert "warning" not in capsys.readouterr().err


def test_stages_and_servos_move_boundaries(moving: Path) -> None:
    boundaries = Results(moving).boundaries
    assert boundaries["mesh late"].moves
    packed = grains.pack(Results(moving))
    assert packed is not None
    shapes = {wall["name"]: wall["shapes"] for wall in packed.header["walls"]}
    assert len(shapes["mesh late"]) == len(Results(moving).frames)


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = moving_case(tmp_path / "here")
    case["time"]["duration"] = 0.01
    run = Results(runs.run(case, tmp_path / "here"))
    (tmp_path / "here/speeds.csv").unlink()
    assert "file" not in walls.moved_planes(run, 0.01)
    assert main(["report", str(run.folder), "--out", str(tmp_path / "a.html"), "--pictures", "0"]) == 0
    said = capsys.readouterr().err
    assert 'the plane "file" is not drawn: the table of its motion, ' in said
    assert said.count("\n") == 1


def timed_case() -> dict[str, Any]:
    """Walls that go at a time, come at a time, or are taken out and put back by stages."""
    case = runs.settling_case()
    walls_of = case["boundaries"]
    walls_of["left"]["present_until"] = 0.03
    walls_of["right"]["present_from"] = 0.05
    (first, *_), drum = list(walls_of.values()), {"from": [0, 0, 0], "to": [0, 0, 0.06], "radius": 0.05}
    walls_of["drum"] = {"type": "cylinder", "material": first["material"], **drum}
    case["stages"] = [
        {"name": "a", "boundaries": {"front": {"present": False}}, "until": {"duration": 0.03}},
        {"name": "b", "boundaries": {"front": {"present": True}, "drum": {"present": False}},
         "until": {"duration": 0.04}},
        {"name": "c", "boundaries": {"back": {"present": False}}},
    ]  # fmt: skip
    return case


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(timed_case(), tmp_path_factory.mktemp("timed"))


def expected_at(time: float) -> set[str]:
    there = {"floor": True, "left": time < 0.03, "right": time >= 0.05, "front": time >= 0.03, "back": time < 0.07,
             "drum": time < 0.03}  # fmt: skip
    return {name for name, present in there.items() if present}


def test_boundaries_that_are_not_there_are_not_drawn(timed: Path) -> None:
    pytest.importorskip("pyvista")
    run = Results(timed)
    low, high = numpy.array([-0.03, -0.03, 0]), numpy.array([0.03, 0.03, 0.06])
    for frame in run.frames:
        expected = expected_at(frame.time)
        assert set(walls.present_boundaries(run, frame.time)) == expected
        assert set(walls.surfaces_at(run, frame.time, low, high)) == expected
        assert {surface.name for surface in surfaces(run, frame.time, low, high)} == expected
        floor = walls.surfaces_at(run, frame.time, low, high)["floor"].bounds
        assert floor[0] == pytest.approx(-0.02 if "left" in expected else -0.03, abs=1e-6)  # a wall that is gone
        assert floor[1] == pytest.approx(0.02 if "right" in expected else 0.03, abs=1e-6)  # does not cut others


def test_the_view_shows_boundaries_while_they_are_there(timed: Path) -> None:
    run = Results(timed)
    packed = grains.pack(run)
    assert packed is not None
    shapes = {wall["name"]: wall["shapes"] for wall in packed.header["walls"]}
    assert len(shapes["floor"]) == 1
    for name in ("left", "right", "front", "back", "drum"):
        there = [shape is not None for shape in shapes[name]]
        assert there == [name in expected_at(frame.time) for frame in run.frames]


def test_stages_begin_when_the_run_says(timed: Path) -> None:
    run = Results(timed)
    exact = numpy.asarray(run.checkpoints[-1]["stages/begin_time"][...])
    assert stage_times(run) == pytest.approx(exact[:3], rel=1e-12)
    log = run.folder / "run.log"
    text = log.read_text()
    lines = [line for line in text.splitlines() if line.endswith(" begins")]
    assert len(lines) == 3
    log.write_text(text + f"scree 0.1.0\n{lines[1]}\n")  # resumed from a checkpoint of the first stage
    assert stage_times(Results(timed)) == pytest.approx(exact[:2], rel=1e-12)
    log.write_text("scree 0.1.0\n")
    assert stage_times(Results(timed)) == pytest.approx(exact[:3])
    log.write_text(text)


def servo_case() -> dict[str, Any]:
    case = runs.settling_case()
    case["boundaries"]["lid"] = plane([0, 0, 0.062], [0, 0, -1], servo={"stress": 2000, "inertial_number": 0.05})
    return case


def test_a_servo_moves_its_plane(tmp_path: Path) -> None:
    run = Results(runs.run(servo_case(), tmp_path))
    assert run.boundaries["lid"].moves
    for frame in run.frames:
        shift = numpy.interp(frame.time, run.series.index, run.series["shift_z_lid"])
        assert walls.moved_planes(run, frame.time)["lid"][0] == pytest.approx([0, 0, 0.062 + shift], abs=1e-9)
    assert shift < -1e-3


def test_a_servo_without_a_series_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = servo_case()
    case["time"]["duration"] = 0.01
    del case["output"]["series"]
    run = Results(runs.run(case, tmp_path))
    assert walls.moved_planes(run, 0)["lid"][0] == pytest.approx([0, 0, 0.062])
    assert "lid" not in walls.moved_planes(run, 0.01)
    assert main(["report", str(run.folder), "--out", str(tmp_path / "a.html"), "--pictures", "0"]) == 0
    assert 'warning: the plane "lid" is not drawn: forces move it' in capsys.readouterr().err


def test_a_drive_turns_its_plane_about_an_axis(tmp_path: Path) -> None:
    case = runs.settling_case()
    turning = {"inertia": 1e-3, "axis": [0, 2, 0], "origin": [0.02, 0, 0.08], "torque": -0.02}
    case["boundaries"]["flap"] = plane([0, 0, 0.08], [0, 0, -1], drive={"rotation": turning})
    case["gravity"] = [0, 0, 0]
    run = Results(runs.run(case, tmp_path))
    time = run.frames[-1].time
    point, normal = walls.moved_planes(run, time)["flap"]
    angle = float(run.series["angle_flap"].iloc[-1])
    assert abs(angle) > 0.05
    assert normal == pytest.approx([-numpy.sin(angle), 0, -numpy.cos(angle)], abs=1e-3)
    assert (point - numpy.array([0.02, 0, 0.08])) @ normal == pytest.approx(0, abs=1e-9)

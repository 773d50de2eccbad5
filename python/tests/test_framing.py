"""What pictures hold of boundaries, and which of them hide what is behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
import runs

from scree import Results

pytest.importorskip("pyvista")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

from PIL import Image  # noqa: E402

from scree.render import Look, Renderer, render  # noqa: E402
from scree.render.framing import _outermost  # noqa: E402
from scree.render.solids import flat_faces, inner_normals, view_covered  # noqa: E402
from scree.render.walls import meshes_at  # noqa: E402

FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box_corners(low: list[float], high: list[float]) -> numpy.ndarray:
    """[12, 3, 3] triangles of a box, with normals that all point to one side."""
    ends = numpy.array([low, high], float)
    corners = numpy.array([[ends[i][0], ends[j][1], ends[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    return corners[[t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))]]


def write_mesh(file: Path, corners: numpy.ndarray) -> None:
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in corners.reshape(-1, 3)]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(corners))]
    file.write_text("\n".join(lines) + "\n")


def body_case(folder: Path) -> dict[str, Any]:
    """A bed in a box mesh twice as high, in a tower; a closed body above it moves to and fro, and a plane rises."""
    folder.mkdir()
    write_mesh(folder / "body.obj", box_corners([0, 0, 0.05], [0.02, 0.015, 0.06]))
    write_mesh(folder / "tub.obj", box_corners([-0.025, -0.025, 0], [0.025, 0.025, 0.08]))
    write_mesh(folder / "tower.obj", box_corners([-0.03, -0.03, -0.001], [0.03, 0.03, 1]))
    case = runs.settling_case()
    case.update(gravity=[0, 0, 0], time={"duration": 0.1, "step": 5e-5})
    lattice = {"box": [[-0.02, -0.02, 0.003], [0.02, 0.02, 0.04]], "spacing": 0.006}
    case["particles"] = [{"material": "glass", "radius": 2e-3, "lattice": lattice}]
    rise = [{"type": "table", "direction": [0, 0, 1], "position": [[0, 0], [0.05, 0.2], [0.1, 0]]}]
    lid = {"type": "translation", "velocity": [0, 0, 0.2]}
    case["boundaries"] = {
        "body": {"type": "mesh", "file": "body.obj", "material": "glass", "motion": rise},
        "tub": {"type": "mesh", "file": "tub.obj", "material": "glass"},
        "tower": {"type": "mesh", "file": "tower.obj", "material": "glass"},
        "lid": {"type": "plane", "point": [0, 0, 0.08], "normal": [0, 0, -1], "material": "glass", "motion": [lid]},
    }
    case["output"] = {"frames": {"every": 0.01, "fields": ["velocity", "radius"]}}
    return case


@pytest.fixture(scope="module")
def lifted(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("lifted") / "here"
    return Results(runs.run(body_case(folder), folder))


def held(renderer: Renderer, points: numpy.ndarray) -> numpy.ndarray:
    """[n] whether points are in the picture."""
    seen = numpy.abs(renderer.camera.place(numpy.asarray(points, float)))
    inside: numpy.ndarray = (seen[:, 0] <= renderer.camera.half_width) & (seen[:, 1] <= renderer.camera.half_height)
    return inside


@pytest.mark.parametrize("view", ["front", "iso", "top"])
def test_moving_bodies_stay_in_the_picture(lifted: Results, view: str) -> None:
    """Also at moments between the first and the last; and boundaries of about the size of the bed are whole."""
    frames = list(lifted.frames)
    with Renderer(lifted, frames, Look(view=view, size=64, sharp=1, shade=False)) as renderer:
        for frame in frames:
            meshes = meshes_at(lifted, frame.time)
            assert held(renderer, meshes["body"].points).all(), frame.time
            assert held(renderer, meshes["tub"].points).all()
        heights = [meshes_at(lifted, frame.time)["body"].points[:, 2].max() for frame in frames]
        assert max(heights) > 0.25 > 0.1 > heights[-1]
        if view != "top":
            assert not held(renderer, meshes["tower"].points).all()  # else the bed would be a dot
            assert 0.26 < renderer._high[2] < 0.35
    with Renderer(lifted, frames[:1], Look(view=view, size=64, sharp=1, shade=False)) as renderer:
        assert renderer._high[2] < 0.13


def test_planes_that_move_stay_in_the_picture(lifted: Results) -> None:
    case = lifted.case
    frames = list(lifted.frames)
    only = {**case, "boundaries": {"lid": case["boundaries"]["lid"]}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Results, "case", property(lambda self: only))
        with Renderer(lifted, frames, Look(size=64, sharp=1, shade=False)) as renderer:
            assert renderer._high[2] == pytest.approx(0.1, abs=1e-3)  # 0.08 m + 0.1 s of 0.2 m/s


def test_few_points_tell_what_many_reach() -> None:
    points = numpy.random.default_rng(2).normal(size=(20_000, 3))
    points /= numpy.linalg.norm(points, axis=1)[:, None]
    few = _outermost(points)
    assert len(few) < 400
    towards = numpy.random.default_rng(3).normal(size=(3, 50))
    towards /= numpy.linalg.norm(towards, axis=0)
    assert (few @ towards).max(axis=0) == pytest.approx((points @ towards).max(axis=0), rel=0.03)


def test_a_body_hides_what_is_behind_it_and_a_container_does_not(lifted: Results, tmp_path: Path) -> None:
    frames = list(lifted.frames)
    with Renderer(lifted, frames, Look(size=64, sharp=1, shade=False)) as renderer:
        marks = {name: numpy.asarray(renderer._solids.marked(name, mesh).cell_data["belongs to a solid body"])
                 for name, mesh in meshes_at(lifted, frames[0].time).items()}  # fmt: skip
    assert marks["body"].all() and len(marks["body"]) == 12
    assert not marks["tub"].any() and not marks["tower"].any()
    looks = Look(view="0.3,-1,0.5", size=400, sharp=1, shade=False, labels=False)
    pixels = []
    for walls_opacity in (0.02, 0.9):  # the body looks the same, whatever the haze
        file = render(lifted, tmp_path / "a.png", Look(**{**vars(looks), "walls": walls_opacity}), times=[0.05])
        with Image.open(file) as image:
            pixels.append(numpy.asarray(image.convert("RGB")).astype(int))
    with Renderer(lifted, [frames[5]], looks) as renderer:
        right, up, _ = renderer.camera.place(numpy.array([[0.01, 0, 0.255]]))[0]  # the middle of its front
        width, height = renderer.size
        scale = max(renderer.camera.half_width / width, renderer.camera.half_height / height) * 2
    row, column = round(height / 2 - up / scale), round(width / 2 + right / scale)
    part = [image[row - 2 : row + 3, column - 2 : column + 3] for image in pixels]
    assert part[0].max() < 225  # of the white background only a haze would be left
    assert numpy.ptp(part[0], axis=(0, 1)).max() < 12  # one flat face


def test_a_lid_that_follows_the_grains_is_seen_from_outside(tmp_path: Path) -> None:
    """Also where grains have been above it at earlier times: it stays a haze before those below it."""
    case = runs.settling_case()
    down = [{"type": "translation", "velocity": [0, 0, -1]}]
    case.update(gravity=[0, 0, 0], time={"duration": 0.05, "step": 5e-5})
    lattice = {"box": [[-0.02, -0.02, 0.06], [0.02, 0.02, 0.08]], "spacing": 0.006}
    case["particles"] = [{"material": "glass", "radius": 2e-3, "velocity": [0, 0, -1], "lattice": lattice}]
    case["boundaries"] = {"lid": {"type": "plane", "point": [0, 0, 0.084], "normal": [0, 0, -1], "material": "glass",
                                  "motion": down}}  # fmt: skip
    case["output"] = {"frames": {"every": 0.01, "fields": ["velocity", "radius"]}}
    run = Results(runs.run(case, tmp_path))
    frames = list(run.frames)
    look = Look(view="top", size=200, sharp=1, shade=False, colour="radius", walls=0.05)
    with Renderer(run, frames, look) as renderer:
        first, last = (numpy.asarray(renderer.image(frame)).astype(int) for frame in (frames[0], frames[-1]))
    assert numpy.abs(first - last).max(axis=2).mean() < 15  # the same grains, through the lid


def test_what_a_body_covers_of_a_view() -> None:
    box = box_corners([0, 0, 0], [1, 1, 1])
    points = numpy.array([[0.5, 0.5, 0.5], [0.5, 0.5, 1 + 1e-6], [0.5, 0.5, 1.5], [0, 0, 100]])
    found = view_covered(points, box)
    assert found[:3] == pytest.approx([1, 0.5, 1 / 6], abs=1e-5)  # a face of a cube, seen from its middle: a sixth
    assert found[3] < 1e-4
    assert view_covered(points, box[:, ::-1]) == pytest.approx(found)
    inner = box_corners([0.1, 0.1, 0.1], [0.9, 0.9, 0.9])[:, ::-1]  # a shell with walls of 0.1
    assert view_covered(points[:1], numpy.concatenate([box, inner])) == pytest.approx([1])


def test_a_flat_face_looks_to_one_side() -> None:
    """Also where grains lie on both sides of it, and where triangles are given in any order."""
    halves = numpy.array([[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]], [[0.1, 0.1, 0], [0.1, 0, 0], [0, 0.1, 0]]])
    sheet = numpy.concatenate([halves + [x, y, 0] for x in numpy.arange(10) / 10 for y in numpy.arange(10) / 10])
    side = sheet[:, :, [2, 0, 1]]  # through the origin, at a right angle
    both = numpy.concatenate([sheet, side])
    faces = flat_faces(both)
    assert len(numpy.unique(faces)) == 2
    crowd = numpy.array([[0.2, 0.2, 0.3], [0.6, 0.7, 0.3], [0.9, 0.3, -0.1], [0.4, 0.9, 0.2]])
    normals = inner_normals(sheet, crowd, flat_faces(sheet))
    assert (normals[:, 2] > 0.99).all()
    turns = numpy.linspace(0, 2 * numpy.pi, 801)
    ring = numpy.stack([numpy.cos(turns), numpy.sin(turns), 0 * turns], axis=1)
    strips = numpy.stack([ring[:-1], ring[1:], ring[:-1] + [0, 0, 1]], axis=1)
    assert len(numpy.unique(flat_faces(strips))) == 800  # a drum bends a little at each edge

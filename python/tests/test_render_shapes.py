"""Pictures of clumps, level-set grains and groups."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy
import pytest
import runs

from scree import Results

pytest.importorskip("pyvista")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

from pictures import render  # noqa: E402

from scree.render import Look, Renderer  # noqa: E402
from scree.render.fields import Colouring, choose_scale  # noqa: E402
from scree.render.scene import load_moment, values_of  # noqa: E402
from scree.report.grains import pack  # noqa: E402


@pytest.fixture(scope="module")
def rods(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(runs.clumps_case(), tmp_path_factory.mktemp("rods"))


def test_shapes_of_clumps_have_their_names(rods: Path) -> None:
    run = Results(rods)
    how = Colouring.parse("shape")
    scale = choose_scale([how.values(run, run.frames[0])], how, run.case)
    assert scale.names == ("sphere", "rod")
    assert render(rods, "--out", rods.parent / "rods.png", "--cut", "y", "--size", 300) == 0


def test_groups_have_their_names(tmp_path: Path) -> None:
    case = runs.settling_case()
    case["groups"] = {"fine": {}, "coarse": {}}
    place = {"box": [[-0.02, -0.02, 0.01], [0.02, 0.02, 0.06]]}
    case["particles"] = [{"material": "glass", "radius": 2e-3, "fill": {**place, "count": 5}, **group}
                         for group in ({"group": "coarse"}, {}, {"group": "fine"})]  # fmt: skip
    case["time"]["duration"], case["output"]["frames"]["fields"] = 0.002, ["radius", "velocity", "group"]
    run = Results(runs.run(case, tmp_path))
    how = Colouring.parse("group")
    scale = choose_scale([how.values(run, run.frames[0])], how, run.case)
    assert scale.names == ("no group", "fine", "coarse")
    assert len(numpy.unique(scale.colours(how.values(run, run.frames[0])), axis=0)) == 3


def test_spheres_among_level_set_grains_are_drawn(tmp_path: Path) -> None:
    """Also where frames do not have the field that tells which particle is which grain."""
    case = runs.settling_case()
    bean = {"superellipsoid": {"half_axes": [5e-3, 3.5e-3, 3e-3], "exponents": [0.7, 0.8]}, "grid_spacing": 1e-3}
    case["shapes"] = {"bean": {"type": "level_set", **bean}}
    box = [[-0.02, -0.02, 0], [0.02, 0.02, 0.06]]
    case["particles"] = [
        {"shape": shape, "material": "glass", "radius": radius, "fill": {"box": box, "count": count}}
        for shape, radius, count in (("bean", 4e-3, 5), ("sphere", 2e-3, 10))
    ]
    case["time"]["duration"] = 0.002
    moments = []
    for fields in (["velocity", "radius"], ["velocity", "radius", "clump"]):
        case["output"] = {"frames": {"every": 0.001, "fields": fields}}
        run = Results(runs.run(case, tmp_path / fields[-1]))
        moments.append(load_moment(run, run.frames[-1], Colouring.parse("z")))
        packed = pack(run)
        assert packed is not None
        assert [entry["count"] for entry in packed.header["frames"]] == [10] * len(run.frames)
    for moment in moments:
        assert len(moment.centres) == 10
        assert (moment.centres == moments[1].centres).all()
        assert moment.triangle_values is not None
        assert (moment.triangle_values == moments[1].triangle_values).all()


def test_few_spheres_among_level_set_grains_are_in_the_picture(tmp_path: Path) -> None:
    """A grain has hundreds of vertices; a sphere is one point. And grains without a place leave the rest as it is."""
    case = runs.settling_case()
    bean = {"superellipsoid": {"half_axes": [5e-3, 3.5e-3, 3e-3], "exponents": [0.7, 0.8]}, "grid_spacing": 1e-3}
    case["shapes"] = {"bean": {"type": "level_set", **bean}}
    case["boundaries"] = {}
    case["particles"] = [
        {"shape": shape, "material": "glass", "radius": radius, "fill": {"box": box, "count": 3}}
        for shape, radius, box in (("bean", 1e-3, [[-0.005, -0.005, 0], [0.005, 0.005, 0.01]]),
                                   ("sphere", 8e-3, [[-0.02, -0.02, 0.02], [0.02, 0.02, 0.06]]))
    ]  # fmt: skip
    case["time"]["duration"] = 0.002
    case["output"] = {"frames": {"every": 0.001, "fields": ["velocity", "radius", "clump"]}}
    run = Results(runs.run(case, tmp_path))
    frame = run.frames[-1]
    clump, radius = frame["clump"][...], frame["radius"][...].astype(float)[:, None]
    with Renderer(run, [frame], Look(size=128, sharp=1, shade=False)) as renderer:
        camera = renderer.camera
    for side in (-radius, radius):
        seen = camera.place(frame.positions[...] + side * camera.up)[clump < 0]
        assert (abs(seen[:, 1]) < camera.half_height).all()
        seen = camera.place(frame.positions[...] + side * camera.right)[clump < 0]
        assert (abs(seen[:, 0]) < camera.half_width).all()
    surface = run.grains[-1]
    assert surface.triangles is not None
    lost = numpy.unique(surface.triangles[surface["clump"][...] == 1])
    with h5py.File(surface.path, "r+") as file:
        points = file["VTKHDF/Points"][...]
        points[lost] = numpy.nan
        file["VTKHDF/Points"][...] = points
    packed = pack(run)
    assert packed is not None
    assert [part["count"] for part in packed.header["frames"][-1]["grains"]] == [2]


def test_a_shape_has_one_colour_at_all_times(tmp_path: Path) -> None:
    """Also after the grains of another shape have left, and beside spheres."""
    case = runs.settling_case()
    case["shapes"] = {
        name: {"type": "level_set", "superellipsoid": {"half_axes": axes, "exponents": [0.7, 0.8]}, "grid_spacing": h}
        for name, axes, h in (("bean", [5e-3, 3.5e-3, 3e-3], 1e-3), ("pea", [4e-3, 4e-3, 4e-3], 1.2e-3))
    }
    case["particles"] = [
        {"material": "glass", "shape": shape, "radius": 4e-3, "velocity": [0, 0, speed],
         "fill": {"box": [[x, 0, 0], [x + 0.03, 0.03, 0.03]], "count": 2}}
        for x, speed, shape in ((0.0, -3, "bean"), (0.05, 0, "pea"), (0.1, 0, "sphere"))
    ]  # fmt: skip
    case["boundaries"] = {}
    case["domain"] = {"outlets": {"hole": {"point": [0, 0, -0.02], "normal": [0, 0, -1]}}}
    case["gravity"], case["time"]["duration"] = [0, 0, 0], 0.04
    run = Results(runs.run(case, tmp_path))
    first, last = run.frames[0], run.frames[-1]
    assert (len(first), len(last)) == (6, 4)
    how = Colouring.parse("shape")
    scale = choose_scale([values_of(run, frame, how) for frame in (first, last)], how, run.case)
    assert len(scale.categories) == 3
    seen = []
    for frame in (first, last):
        moment = load_moment(run, frame, how)
        assert moment.triangle_values is not None
        seen.append({tuple(colour) for colour in scale.colours(moment.triangle_values).tolist()})
        seen.append({tuple(colour) for colour in scale.colours(moment.values).tolist()})
    assert [len(colours) for colours in seen] == [2, 1, 1, 1]
    assert seen[2] < seen[0]
    assert seen[1] == seen[3] and not seen[1] & seen[0]

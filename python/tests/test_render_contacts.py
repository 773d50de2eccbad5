"""Pictures of chains of forces, and of what contacts do to facets."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy
import pytest
import runs

from scree import Results

pytest.importorskip("pyvista")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

from pictures import pixels, render  # noqa: E402

from scree.render import Look, Renderer  # noqa: E402
from scree.render.fields import Colouring  # noqa: E402
from scree.render.scene import _node_chains, chains_of, load_moment  # noqa: E402


def test_chains_need_forces(settled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert render(settled, "--chains", "--out", tmp_path / "a.png", "--size", 200) == 0  # the last frame has them
    assert render(settled, "--chains", "--at", 0.04, "--out", tmp_path / "b.png") == 2
    assert "no contact forces were written at 0.0" in capsys.readouterr().err
    assert not (tmp_path / "b.png").exists()


def test_chains_at_every_file_of_contacts(settled: Path, tmp_path: Path) -> None:
    case = runs.settling_case()
    case["output"]["contacts"] = {"every": 0.04}
    run = Results(runs.run(case, tmp_path))
    for number, shown in ((2, True), (3, False), (4, True)):
        chains = load_moment(run, run.frames[number], Colouring.parse("speed"), chains=True).chains
        assert (chains is not None) == shown
    assert render(run.folder, "--chains", "--at", 0.08, "--out", tmp_path / "a.png", "--size", 200) == 0


def test_chains_across_the_faces_of_a_periodic_cell(tmp_path: Path) -> None:
    """Checkpoints have the places of both particles, which may lie at opposite faces."""
    case = runs.settling_case()
    case["boundaries"], case["gravity"] = {}, [0, 0, 0]
    case["particles"][0].update(radius=1e-3, fill={"box": [[0, 0, 0], [0.01] * 3], "solid_fraction": 0.4})
    squeeze = {component: {"strain_rate": -1.0} for component in ("xx", "yy", "zz")}
    case["domain"] = {"periodic": {"size": [0.01] * 3}, "control": [{**squeeze, "xz": {"strain_rate": 1.0}}]}
    case["time"]["duration"], case["output"]["contacts"] = 0.2, {"every": 0.2}
    run = Results(runs.run(case, tmp_path))
    of_contacts = chains_of(run, run.frames[-1])
    (run.folder / "contacts.vtkhdf.series").unlink()
    shutil.rmtree(run.folder / "contacts")
    of_checkpoint = chains_of(run, run.frames[-1])
    assert of_contacts is not None and of_checkpoint is not None
    assert len(of_contacts.force) > 100
    touching = of_checkpoint.force > 0
    for chains, chosen in ((of_contacts, slice(None)), (of_checkpoint, touching)):
        assert numpy.linalg.norm(chains.end - chains.start, axis=1).max() < 2.1e-3
        assert chains.force[chosen].sum() == pytest.approx(of_contacts.force.sum(), rel=1e-4)
    assert touching.sum() == (of_contacts.force > 0).sum()
    pair = {"with_boundary": [0], "first": [3], "second": [7], "force": [[0, 3, 4]]}
    centres = {3: numpy.array([0.1e-3, 5e-3, 0]), 7: numpy.array([9.9e-3, 5e-3, 0])}
    cell = 0.01 * numpy.eye(3)
    nodes = _node_chains({name: numpy.array(rows) for name, rows in pair.items()}, centres, cell)  # type: ignore[arg-type]
    assert (nodes.end - nodes.start)[0] == pytest.approx([-0.2e-3, 0, 0])
    assert nodes.force == pytest.approx([5])


def test_chains_have_one_scale_and_a_legend(tmp_path: Path) -> None:
    """The same force has the same colour in all frames of a film, and the picture says which."""
    case = runs.settling_case()
    case["output"]["contacts"] = {"every": 0.02}
    run = Results(runs.run(case, tmp_path))
    frames = list(run.frames)[-3:]
    forces = [numpy.linalg.norm(run.contacts.at(f.time).force, axis=1) for f in frames]
    among = [~numpy.asarray(run.contacts.at(f.time)["with_boundary"][...]).astype(bool) for f in frames]
    mean = numpy.concatenate([force[chosen] for force, chosen in zip(forces, among, strict=True)]).mean()
    with Renderer(run, frames, Look(chains=True, size=400, shade=False)) as renderer:
        assert renderer.scale.high == pytest.approx(6 * mean)
        assert (renderer.how.name, renderer.how.unit) == ("force", "N")
        picture = numpy.asarray(renderer.labelled(frames[-1])).astype(int)
    height = renderer.size[1]
    legend = picture[height:]  # text is grey, the colours are not
    assert (numpy.ptp(legend, axis=2) > 60).sum() > 100


def test_facets_have_the_colours_of_their_field(tmp_path: Path) -> None:
    (tmp_path / "floor.obj").write_text("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n")
    case = {
        "time": {"duration": 0.02, "step": 1e-5},
        "materials": {"glass": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "restitution": 0.5,
                                "friction": 0.4}},
        "particles": [
            {"material": "glass", "radius": 3e-3, "velocity": [0, 0, -1],
             "lattice": {"box": [[0.015, -0.045, 0], [0.045, -0.015, 0.01]], "spacing": 0.008}},
            {"material": "glass", "radius": 3e-3,
             "lattice": {"box": [[-0.045, 0.015, 0.03], [-0.015, 0.045, 0.04]], "spacing": 0.008}},
        ],
        "boundaries": {"floor": {"type": "mesh", "file": "floor.obj", "scale": 0.05, "material": "glass",
                                 "facets": {"archard": 1e-12}}},
        "output": {"frames": {"every": 0.01}},
    }  # fmt: skip
    run = Results(runs.run(case, tmp_path))
    last = run.boundaries["floor"].frames[-1]
    hit = numpy.asarray(last["impact_energy"][...])
    assert hit[0] > 0
    assert hit[1] == 0  # those above the other triangle do not get there
    assert {"pressure", "shear", "sliding", "impacts", "archard_depth"} <= set(last.names)
    # Numbers of facets times areas are sums: each grain of the lower layer has hit the floor, as docs/output.md counts.
    assert last.triangles is not None
    a, b, c = (last.positions[:][last.triangles[:, k]] for k in range(3))
    areas = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1) / 2
    impacts = float((last["impacts"] * areas).sum())
    assert abs(impacts - round(impacts)) < 1e-3
    assert round(impacts) >= len(run.frames[-1].positions) / 2
    out = tmp_path / "a.png"
    look = ("--facets", "impact_energy", "--view", "top", "--no-labels", "--size", 200)
    assert render(run.folder, "--out", out, *look) == 0
    image = pixels(out)
    low_right, high_left = image[-60:-20, -60:-20], image[20:60, 20:60]
    assert numpy.abs(low_right.mean((0, 1)) - high_left.mean((0, 1))).max() > 40
    assert render(run.folder, "--out", out, "--facets", "warmth") == 2


def test_facets_without_values_do_not_hide_those_that_have_some(tmp_path: Path) -> None:
    """Spheres hit the far side of a box without a lid; its near side has no value, and is seen from behind."""
    near, far = ("v -1 -1 0\nv 1 -1 0\nv 1 -1 2\nv -1 -1 2\n", "v -1 1 0\nv 1 1 0\nv 1 1 2\nv -1 1 2\n")
    (tmp_path / "sides.obj").write_text(f"{near}{far}f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n")
    case = runs.settling_case()
    case.update(gravity=[0, 0, 0], time={"duration": 0.01, "step": 1e-5})
    place = {"box": [[-0.04, 0.03, 0.01], [0.04, 0.046, 0.09]], "spacing": 0.015}
    case["particles"] = [{"material": "glass", "radius": 3e-3, "velocity": [0, 2, 0], "lattice": place}]
    sides = {"type": "mesh", "file": "sides.obj", "scale": 0.05, "material": "glass", "facets": {"archard": 1e-12}}
    case["boundaries"], case["output"] = {"sides": sides}, {"frames": {"every": 0.01, "fields": ["radius", "velocity"]}}
    run = Results(runs.run(case, tmp_path))
    hit = numpy.asarray(run.boundaries["sides"].frames[-1]["impact_energy"][...])
    assert (hit[:2] == 0).all() and (hit[2:] > 0).all()
    seen = []
    for view, columns in (("front", slice(20, 40)), ("back", slice(-40, -20))):  # the same facet in both
        look = ("--facets", "impact_energy", "--view", view, "--no-labels", "--size", 200, "--walls", 0.05)
        assert render(run.folder, "--out", tmp_path / "a.png", *look) == 0
        seen.append(pixels(tmp_path / "a.png")[20:40, columns].mean((0, 1)))
    assert numpy.abs(seen[0] - seen[1]).max() < 40  # the worn side, through the other one and from behind

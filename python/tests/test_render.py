from __future__ import annotations

import shutil
from pathlib import Path

import h5py
import numpy
import pytest
import runs

from scree import Results
from scree.__main__ import main
from scree.program import InputError

pytest.importorskip("pyvista")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

from PIL import Image  # noqa: E402

from scree.render import Look, Renderer, default_colour  # noqa: E402
from scree.render.camera import Cut, box_of, fit  # noqa: E402
from scree.render.fields import Colouring, choose_scale, nice_ticks  # noqa: E402
from scree.render.film import find_ffmpeg  # noqa: E402
from scree.render.labels import fewer_colours, in_usual_unit, length_text, scale_bar_length, time_text  # noqa: E402
from scree.render.moments import frame_near  # noqa: E402
from scree.render.scene import _node_chains, chains_of, load_moment, values_of  # noqa: E402
from scree.render.walls import plane_polygons  # noqa: E402
from scree.report.grains import pack  # noqa: E402


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(runs.settling_case(), tmp_path_factory.mktemp("settled"))


@pytest.fixture(scope="module")
def rods(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(runs.clumps_case(), tmp_path_factory.mktemp("rods"))


def render(*arguments: object) -> int:
    return main(["render", *(str(argument) for argument in arguments), "--draft"])


def pixels(file: Path) -> numpy.ndarray:
    with Image.open(file) as image:
        return numpy.asarray(image).astype(int)


def test_a_picture_shows_grains_where_they_are(settled: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    assert render(settled, "--out", out, "--view", "front", "--walls", 0, "--no-labels", "--size", 400) == 0
    image = pixels(out)
    covered = (image.min(axis=2) < 240).mean()
    points = Results(settled).frames[-1].positions[...]
    box = (numpy.ptp(points[:, 2]) + 6e-3) / (numpy.ptp(points[:, 0]) + 6e-3)  # with a radius of 3 mm
    assert max(image.shape[:2]) == 400
    assert image.shape[0] / image.shape[1] == pytest.approx(box, rel=0.1)
    assert 0.55 < covered < 0.98  # a heap of spheres that fills the picture


def test_grains_far_from_the_origin_look_the_same(tmp_path: Path) -> None:
    """Numbers of single precision near 1e5 m are 8 mm apart, which is more than a grain."""
    images = []
    for far in (0.0, 1e5):
        case = runs.settling_case()
        case.update(precision="double", gravity=[0, 0, 0], time={"duration": 1e-3})
        for corner in case["particles"][0]["fill"]["box"]:
            corner[0] += far
        for wall in case["boundaries"].values():
            wall["point"][0] += far
        folder = tmp_path / f"{far:g}"
        assert render(runs.run(case, folder), "--out", folder / "a.png", "--size", 200, "--colour", "z") == 0
        images.append(pixels(folder / "a.png"))
    assert (numpy.abs(images[0] - images[1]).max(axis=2) > 30).mean() < 0.02


def test_colours_follow_the_field(settled: Path, tmp_path: Path) -> None:
    render(settled, "--out", tmp_path / "a.png", "--colour", "z", "--view", "front", "--walls", 0, "--no-labels",
           "--size", 300)  # fmt: skip
    front = pixels(tmp_path / "a.png")
    grains = front.min(axis=2) < 240
    top, bottom = (front[rows][grains[rows]][:, 1].mean() for rows in (slice(0, 60), slice(-60, None)))
    assert top > bottom + 40  # high values of viridis are light


def test_one_scale_for_all_frames(settled: Path) -> None:
    run = Results(settled)
    how = Colouring.parse("speed")
    scale = choose_scale([how.values(run, frame) for frame in run.frames], how, run.case)
    fastest = max(numpy.linalg.norm(frame.velocity[...], axis=1).max() for frame in run.frames)
    assert scale.low == 0
    assert 0.7 * fastest < scale.high < 1.2 * fastest
    assert (scale.colours(numpy.array([scale.low, scale.high]))[1] == scale.palette()[-1]).all()
    assert (scale.colours(numpy.array([numpy.nan])) == 170).all()


def test_a_value_of_another_time_stays_with_its_grain(tmp_path: Path) -> None:
    run = Results(runs.run(runs.draining_case(), tmp_path))
    last, first = run.frames[-1], run.frames[0]
    assert 0 < len(last) < len(first)
    values = Colouring.parse("z@0").values(run, last)
    start = dict(zip(first.id[...].tolist(), first.positions[...][:, 2], strict=True))
    assert values.tolist() == [start[i] for i in last.id[...].tolist()]


def test_a_cut_leaves_out_the_side_of_the_eye(settled: Path) -> None:
    run = Results(settled)
    moment = load_moment(run, run.frames[-1], Colouring.parse("speed"))
    cut = moment.cut(Cut.parse("y=0.001", numpy.array([0.0, -1.0, 0.2])))
    assert 0 < len(cut.centres) < len(moment.centres)
    assert cut.centres[:, 1].min() >= 0.001
    assert len(cut.values) == len(cut.radii) == len(cut.centres)


def test_the_camera_holds_all_and_up_is_against_gravity() -> None:
    points = numpy.random.default_rng(1).uniform(-1, 1, (300, 3)) * [3, 1, 2] + [10, 0, 0]
    to_eye = numpy.array([0.4, -0.8, 0.3])
    camera = fit(box_of(points, 0.1), to_eye / numpy.linalg.norm(to_eye), numpy.array([0.0, 0.0, -9.81]))
    seen = camera.place(points)
    assert (numpy.abs(seen[:, 0]) <= camera.half_width).all()
    assert (numpy.abs(seen[:, 1]) <= camera.half_height).all()
    assert camera.up[2] > 0.8
    sideways = fit(box_of(points), numpy.array([0.0, 0.0, 1.0]), numpy.array([0.0, -9.81, 0.0]))
    assert sideways.up @ numpy.array([0, 1, 0]) == pytest.approx(1)


def test_planes_end_at_each_other() -> None:
    planes = {
        "floor": (numpy.zeros(3), numpy.array([0.0, 0.0, 1.0])),
        "wall": (numpy.array([0.2, 0.0, 0.0]), numpy.array([1.0, 0.0, 0.0])),
    }
    found = plane_polygons(planes, numpy.array([0.0, 0.0, -1.0]), numpy.array([1.0, 1.0, 1.0]))
    assert found["floor"].min(axis=0) == pytest.approx([0.2, 0, 0], abs=1e-6)
    assert found["floor"].max(axis=0) == pytest.approx([1, 1, 0], abs=1e-6)
    assert found["wall"].min(axis=0) == pytest.approx([0.2, 0, 0], abs=1e-6)


def test_labels_are_round_numbers() -> None:
    assert nice_ticks(0, 1.2, 5) == [0, 0.5, 1.0]
    assert scale_bar_length(0.3) == 0.05
    assert length_text(0.05) == "50 mm"
    assert length_text(2e-6) == "2 µm"
    assert time_text(0.5, 2) == "t = 0.500 s"
    assert time_text(1e-5, 2) == "t = 0.000 s"  # one unit for all frames of a run
    assert time_text(2e-3, 4e-3) == "t = 2.000 ms"
    assert time_text(250, 3600) == "t = 250.0 s"


def test_legends_have_usual_units() -> None:
    assert in_usual_unit("m", 0.003) == (1e-3, "mm")  # as the scale bar beside it
    assert in_usual_unit("m", 0.12) == (1e-3, "mm")
    assert in_usual_unit("m", 2000) == (1, "m")
    assert in_usual_unit("m/s", 0.83) == (1, "m/s")
    assert in_usual_unit("N", 5e-5) == (1e-6, "µN")
    assert in_usual_unit("Pa", 2e5) == (1e3, "kPa")
    assert in_usual_unit("1/s", 1e-4) == (1, "1/s")
    assert in_usual_unit("m", 0) == (1, "m")


def test_a_picture_of_few_colours_keeps_its_legend() -> None:
    """A bed of one dark colour in many shades on white, a thin grey line, and a small bar of all colours of a map."""
    shades = numpy.random.default_rng(1).uniform(0.5, 1.2, (300, 400, 1))
    image = numpy.full((400, 600, 3), 255.0)
    image[20:320, 100:500] = numpy.clip(shades * [70, 45, 120], 0, 255)
    image[10] = 96
    image[380:400, 100:500] = numpy.linspace(246, 254, 400)[:, None]  # a shadow that is nearly as white
    bar = choose_scale([numpy.array([0.0, 1.0])], Colouring("velocity"), {}).palette(200)
    image[370:378, 200:400] = bar
    small = fewer_colours(Image.fromarray(image.astype(numpy.uint8)), 32)
    found = numpy.asarray(small.convert("RGB")).astype(int)
    assert len(numpy.unique(found.reshape(-1, 3), axis=0)) <= 32
    assert numpy.abs(found[374, 200:400] - bar).max() < 40  # 229 where every pixel counts alike
    assert numpy.abs(found[10] - 96).max() < 20
    assert (found[:10] == 255).all()


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


def test_heat_is_seen_without_asking(tmp_path: Path) -> None:
    run = Results(runs.run(runs.hot_case(), tmp_path))
    assert default_colour(run, run.frames[-1]) == "temperature"


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


def test_montage_and_films(settled: Path, tmp_path: Path) -> None:
    assert render(settled, "--montage", 4, "--size", 150, "--out", tmp_path / "a.png") == 0
    assert render(settled, "--size", 150, "--out", tmp_path / "b.png") == 0
    with Image.open(tmp_path / "a.png") as sheet, Image.open(tmp_path / "b.png") as single:
        assert sheet.width > 1.5 * single.width
    assert render(settled, "--size", 160, "--out", tmp_path / "a.gif") == 0
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == len(Results(settled).frames)
    if find_ffmpeg():
        for ending in ("mp4", "webm"):
            assert render(settled, "--film", "--size", 160, "--out", tmp_path / f"a.{ending}") == 0
            assert (tmp_path / f"a.{ending}").stat().st_size > 1000


def test_a_montage_without_labels_holds_the_pictures_alone(settled: Path, tmp_path: Path) -> None:
    assert render(settled, "--montage", 2, "--no-labels", "--size", 128, "--out", tmp_path / "a.png") == 0
    run = Results(settled)
    with Renderer(run, [run.frames[0], run.frames[-1]], Look(size=128, sharp=1, shade=False)) as renderer:
        width, height = renderer.size
    with Image.open(tmp_path / "a.png") as sheet:
        assert sheet.size in ((2 * width, height), (width, 2 * height))


def test_times_a_little_beyond_the_frames_are_those_of_the_last_one(
    settled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run ends at the step after its duration, and frames are 0.02 s apart."""
    run = Results(settled)
    assert frame_near(run, 0.109, "--at").path == run.frames[-1].path
    assert frame_near(run, -0.009, "--at").path == run.frames[0].path
    assert not capsys.readouterr().err
    for time in (0.111, -0.011):
        frame_near(run, time, "--at")
        assert "is beyond the frames" in capsys.readouterr().err


def test_the_size_is_that_of_each_picture(settled: Path, tmp_path: Path) -> None:
    """Also where it is the one that a single picture has without asking."""
    for size in (300, 1200):
        arguments = ("--view", "front", "--palette", 16, "--size", size)
        assert render(settled, "--at", 0, 0.1, "--out", tmp_path / "a.png", *arguments) == 0
        run = Results(settled)
        with Renderer(run, [run.frames[0], run.frames[-1]], Look(view="front", size=size)) as renderer:
            width, height = renderer.size
        assert max(width, height) == size
        with Image.open(tmp_path / "a.png") as sheet:
            assert sheet.width == 2 * width


def test_pictures_go_beside_the_folder(settled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(settled.iterdir())
    assert render(settled, "--size", 100) == 0
    assert capsys.readouterr().out.strip() == str(settled.parent / "run.png")
    assert sorted(settled.iterdir()) == before  # a later run refuses foreign files


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--at", "0.2"], "--at: 0.2 s is beyond the frames, which are from 0 s to 0.1 s"),
        (["--at", "-1"], "--at: -1 s is beyond the frames"),
        (["--at", "0.04", "0.2"], "--at: 0.2 s is beyond the frames"),
        (["--colour", "z@7"], "--colour z@7: 7 s is beyond the frames"),
    ],
)
def test_times_beyond_the_frames_are_a_warning(
    settled: Path, tmp_path: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "a.png"
    assert render(settled, *arguments, "--size", "100", "--draft", "--out", str(picture)) == 0
    assert f"warning: {expected}" in capsys.readouterr().err
    assert picture.exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--colour", "speeed"], 'has no array "speeed", only positions, '),
        (["--colour", "v.w"], "is no field"),
        (["--range", "1"], "is not LOW:HIGH"),
        (["--cut", "w"], "is no plane"),
        (["--view", "behind"], "is none of iso"),
        (["--map", "rainbowy"], "no colour map"),
        (["--out", "a.tiff"], "has to end in"),
        (["--montage", "1"], "from 2 to 99"),
        (["--size", "1"], "from 64 to 8192"),
        (["--at", "soon"], '"soon" is not a number'),
    ],
)
def test_wrong_arguments_are_one_sentence(
    settled: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert render(settled, *arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert expected in said


def test_a_folder_without_frames_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = runs.settling_case()
    del case["output"]["frames"]
    case["time"]["duration"] = 0.005
    out = runs.run(case, tmp_path)
    assert render(out) == 2
    assert "has no frames; give the case output.frames" in capsys.readouterr().err
    assert render(tmp_path / "nothing") == 2
    with pytest.raises(InputError):
        Cut.parse("0,0,0:0,0,0", numpy.zeros(3))


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

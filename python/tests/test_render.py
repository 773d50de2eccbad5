from __future__ import annotations

from pathlib import Path

import numpy
import pytest
import runs

from scree import Results
from scree.program import InputError

pytest.importorskip("pyvista")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")

from pictures import pixels, render  # noqa: E402
from PIL import Image  # noqa: E402

from scree.render import Look, Renderer, default_colour  # noqa: E402
from scree.render.camera import Cut, box_of, fit  # noqa: E402
from scree.render.fields import Colouring, choose_scale, nice_ticks  # noqa: E402
from scree.render.film import find_ffmpeg  # noqa: E402
from scree.render.labels import fewer_colours, in_usual_unit, length_text, scale_bar_length, time_text  # noqa: E402
from scree.render.moments import frame_near  # noqa: E402
from scree.render.scene import load_moment  # noqa: E402
from scree.render.walls import plane_polygons  # noqa: E402


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


def test_planes_meet_a_little_beyond_the_grains() -> None:
    planes = {
        "left": (numpy.array([0.0, 0.0, 0.0]), numpy.array([1.0, 0.0, 0.0])),
        "back": (numpy.array([0.0, 1.0, 0.0]), numpy.array([0.0, -1.0, 0.0])),
        "far": (numpy.array([0.0, 0.0, -0.5]), numpy.array([0.0, 0.0, 1.0])),
    }
    found = plane_polygons(planes, numpy.array([0.05, 0.05, 0.0]), numpy.array([0.95, 0.95, 1.0]))
    assert found["left"].max(axis=0) == pytest.approx([0, 1, 1], abs=1e-6)
    assert found["back"].min(axis=0) == pytest.approx([0, 1, 0], abs=1e-6)  # not down to the plane that lies far away


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


def test_heat_is_seen_without_asking(tmp_path: Path) -> None:
    run = Results(runs.run(runs.hot_case(), tmp_path))
    assert default_colour(run, run.frames[-1]) == "temperature"


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
        (["--colour", "speeed"], 'has no array "speeed": there are positions, '),
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


def test_a_boundary_turns_in_revolutions_per_minute() -> None:
    """15 1/min for a second are a quarter turn. cos(pi/2) is 6e-17 in floating point."""
    from scree.render.poses import Pose, _after

    start = Pose(numpy.eye(3), numpy.zeros(3))
    for rate in ({"rpm": 15}, {"rpm": 15, "rate": None}, {"rate": numpy.pi / 2}):
        pose = _after(start, {"type": "rotation", "axis": [0, 0, 2], **rate}, 1.0)
        assert pose.place(numpy.array([1.0, 0, 0])) == pytest.approx([0, 1, 0], abs=1e-15)

"""Pictures, reports and colours of odd runs: nothing here needs the program or the compiled module."""

from __future__ import annotations

import json
import math
from pathlib import Path

import h5py
import numpy
import pytest
from runs import lattice, made_up

from scree import Results, render
from scree.__main__ import main
from scree.frames import ContactFrame
from scree.program import InputError
from scree.render import film
from scree.render.camera import Cut, direction
from scree.render.fields import Colouring, choose_scale, nice_ticks, parse_range
from scree.render.labels import _number
from scree.report import grains, write_report
from scree.report.grains import pack


def add_frame(run: Results, number: int, points: numpy.ndarray, **fields: numpy.ndarray) -> None:
    with h5py.File(run.folder / f"frames/frame_{number:06d}.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = points
        for name, values in fields.items():
            file[f"VTKHDF/PointData/{name}"] = values
        file["VTKHDF/FieldData/TimeValue"] = [float(number)]
        file["VTKHDF/Offsets"] = numpy.arange(len(points) + 1)
    (run.folder / "frames.vtkhdf.series").unlink(missing_ok=True)


def test_only_values_of_particles_are_colours(tmp_path: Path) -> None:
    """Frames of a periodic cell have its edges, too."""
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    with h5py.File(run.frames[0].path, "r+") as file:
        file["VTKHDF/FieldData/cell"] = numpy.eye(3)
    frame = run.frames[0]
    assert "cell" in frame
    for text in ("cell", "cell.x", "TimeValue"):
        with pytest.raises(InputError, match="has no value for each particle"):
            Colouring.parse(text).values(run, frame)


def test_one_warning_for_all_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    how = Colouring.parse("z@9")
    for _ in range(5):
        how.values(run, run.frames[0])
    assert capsys.readouterr().err.count("warning: --colour z@9: 9 s is beyond the frames") == 1


def test_a_note_has_one_kind_of_thousands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    frame = run.frames[0]
    for n, number in ((1_234_567, "1\u202f234\u202f567"), (900, "900")):
        monkeypatch.setattr(type(frame), "__len__", lambda _, n=n: n)
        note = grains._notes(1, [frame], 3, None)[0]
        assert f"(of {number} at most), so the bed" in note


def test_paths_may_be_text(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    for out in (
        render.render(run, str(tmp_path / "a.png"), render.Look(size=64, sharp=1, shade=False)),
        write_report(run, str(tmp_path / "a.html"), pictures=0),
    ):
        assert out.stat().st_size > 0


def test_values_may_begin_with_a_minus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    words = ["--range", "-1e-3:.5", "--view", "-1,-.5,0.2", "--clock", "-1e-3", "--at", "-1e-3", "2", "--draft"]
    assert main(["render", str(run.folder), *words, "--size", "64", "--out", str(tmp_path / "a.png")]) == 0
    assert "--at: -0.001 s is beyond the frames" in capsys.readouterr().err


def test_empty_frames_go_to_pyvista(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    add_frame(run, 1, numpy.zeros((0, 3)), velocity=numpy.zeros((0, 3)), radius=numpy.zeros(0))
    assert run.frames[1].to_pyvista().n_points == 0
    assert run.to_pyvista()["particles"].n_points == 0
    with h5py.File(tmp_path / "contacts.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = numpy.zeros((0, 3))
        file["VTKHDF/CellData/first"] = numpy.zeros(0, int)
        file["VTKHDF/CellData/normal"] = numpy.zeros((0, 3))
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
    assert ContactFrame(tmp_path / "contacts.vtkhdf").to_pyvista().n_cells == 0


def test_values_at_a_time_without_particles_are_unknown(tmp_path: Path) -> None:
    run = made_up(tmp_path, numpy.zeros((0, 3)), 1e-3)
    add_frame(run, 0, numpy.zeros((0, 3)), id=numpy.zeros(0, int))
    add_frame(run, 1, lattice(2, 1e-3), id=numpy.arange(8))
    assert numpy.isnan(Colouring.parse("z@0").values(run, run.frames[1])).all()


def test_categories_that_are_not_known_are_grey() -> None:
    how = Colouring.parse("material")
    scale = choose_scale([numpy.array([0.0, 2.0])], how, {"materials": {"a": {}, "b": {}, "c": {}}})
    colours = scale.colours(numpy.array([0, 2, numpy.nan, 1, 3]))
    assert (colours[2:] == 170).all()
    assert (colours[:2] != 170).any(axis=1).all()


def test_ticks_of_small_numbers_are_not_zero() -> None:
    """Films of liquid have volumes of 1e-14 m3."""
    assert nice_ticks(0, 4e-14, 5) == pytest.approx([0, 1e-14, 2e-14, 3e-14, 4e-14], rel=1e-9)
    with pytest.raises(InputError, match="is too wide"):
        parse_range("-1e308:1e308")
    with pytest.raises(InputError, match='"" is not a number'):
        Colouring.parse("x@")


def test_the_view_of_grains_far_away_counts_from_near(tmp_path: Path) -> None:
    """Numbers of single precision near 1e6 m are 6 cm apart."""
    far = numpy.array([1e6, 0, -2e6])
    packed = pack(made_up(tmp_path, far + lattice(5, 2e-3), 1e-3))
    assert packed is not None
    low, high = (numpy.array(packed.header[key]) for key in ("low", "high"))
    assert numpy.abs([low, high]).max() < 1000 * 8e-3
    assert high - low == pytest.approx(8e-3, rel=1e-6)


def test_particles_without_a_place_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(3, 2e-3), 1e-3)
    with h5py.File(run.frames[0].path, "r+") as file:
        file["VTKHDF/Points"][3:5] = math.nan
    words = ["--out", str(tmp_path / "a.png"), "--size", "64", "--draft"]
    assert main(["render", str(run.folder), *words]) == 0
    assert "warning: frame_000000.vtkhdf: 2 of 27 particles have no finite position" in capsys.readouterr().err
    packed = pack(run)
    assert packed is not None
    assert (packed.header["frames"][0]["count"], packed.header["high"]) == (25, pytest.approx([4e-3] * 3))
    with h5py.File(run.frames[0].path, "r+") as file:
        file["VTKHDF/Points"][...] = math.nan
    assert main(["render", str(run.folder), *words]) == 2
    assert "no particle of these frames has a finite position" in capsys.readouterr().err
    assert pack(run) is not None


def test_sizes_that_nothing_tells_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(3, 2e-3), 1e-3)
    words = ["render", str(run.folder), "--size", "64", "--draft", "--colour", "x", "--out"]
    assert main([*words, str(tmp_path / "with.png")]) == 0
    with h5py.File(run.frames[0].path, "r+") as file:
        del file["VTKHDF/PointData/radius"]
        file["VTKHDF/PointData/material"] = numpy.ones(27, dtype="u4")
    spheres = [{"material": "q", "radius": 1e-3}, {"mixture": [{"material": "p", "radius": 3e-3}]}]
    shape = {"shapes": {"a": {"type": "clump", "spheres": []}}}
    case = {"time": {"duration": 1}, "materials": {"p": {}, "q": {}}, "particles": spheres}

    def draw(**parts: object) -> int:
        (run.folder / "case.json").write_text(json.dumps({**case, **parts}))
        return main([*words, str(tmp_path / "without.png")])

    assert draw() == 0
    assert (tmp_path / "without.png").read_bytes() == (tmp_path / "with.png").read_bytes()
    parcels = [{"material": "q", "radius": 5e-4}]
    assert draw(particles=parcels, parcels={"scale": 2}) == 0
    assert (tmp_path / "without.png").read_bytes() == (tmp_path / "with.png").read_bytes()
    capsys.readouterr()
    for parts in ({"particles": [*spheres, {"material": "q", "radius": 2e-3}]}, {"start": {"from": "a"}},
                  {"particles": [{"material": "q", "radius": {"uniform": [1e-3, 2e-3]}}]},
                  {"particles": [{"material": "q", "file": "a.csv"}]},
                  {"particles": [{"material": "q", "shape": "a", "radius": 1e-3}], **shape}):  # fmt: skip
        assert draw(**parts) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert 'add "radius" to output.frames.fields' in said
    (run.folder / "case.json").write_text('{"time": {"duration": 1}}')
    assert write_report(run, tmp_path / "a.html").exists()
    text = (tmp_path / "a.html").read_text()
    assert "There are no pictures: " in text
    assert "Sizes of spheres are a guess" in text


@pytest.mark.parametrize("numbers", ["1e-200,0,0", "1e200,1e200,0"])
def test_directions_of_any_length(numbers: str) -> None:
    seen = direction(numbers, [])
    assert numpy.linalg.norm(seen) == pytest.approx(1)
    assert seen[0] > 0
    assert numpy.linalg.norm(Cut.parse(f"0,0,0:{numbers}", seen).normal) == pytest.approx(1)


def test_a_film_that_cannot_be_written_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(film, "find_ffmpeg", lambda: str(program))
    with pytest.raises(InputError, match=r"ffmpeg failed: no such codec"), film.Film(tmp_path / "a.mp4", 25) as target:
        for _ in range(200):
            target.add(Image.new("RGB", (640, 480)))


def test_a_few_values_beside_equal_ones_have_colours(tmp_path: Path) -> None:
    damage = numpy.zeros(1000)
    damage[3] = 0.5
    scale = choose_scale([damage], Colouring("damage"), {})
    assert (scale.low, scale.high) == (0, 0.5)
    assert (scale.colours(damage)[3] != scale.colours(damage)[4]).any()
    rest = choose_scale([0 * damage], Colouring("velocity"), {})
    assert (rest.low, rest.high) == (0, 1)  # no speed is negative
    minus = choose_scale([0 * damage - 2], Colouring("velocity", 2), {})
    assert minus.low < -2 < minus.high
    run = made_up(tmp_path / "run", lattice(10, 2e-3), 1e-3)
    add_frame(run, 0, lattice(10, 2e-3), damage=damage, radius=numpy.full(1000, 1e-3))
    packed = pack(run)
    assert packed is not None
    assert [field["range"] for field in packed.header["fields"] if field["label"] == "damage"] == [(0, 0.5)]


@pytest.mark.parametrize(("start", "step"), [(300, 1e-5), (200_000, 20), (1e6, 250_000), (1, 2.5e-6)])
def test_ticks_close_to_each_other_differ(start: float, step: float) -> None:
    texts = [_number(start + k * step, step) for k in range(5)]
    assert len(set(texts)) == 5
    assert [float(text) for text in texts] == pytest.approx([start + k * step for k in range(5)], rel=1e-9)


def test_few_particles_far_away_do_not_spoil_the_view(tmp_path: Path) -> None:
    points = numpy.concatenate([lattice(10, 2e-3), [[0, 0, -500.0]]])
    run = made_up(tmp_path / "run", points, 1e-3)
    packed = pack(run)
    assert packed is not None
    low, high = (numpy.array(packed.header[key]) for key in ("low", "high"))
    assert (high - low < 0.1).all()
    assert packed.header["frames"][0]["count"] == 1000
    assert "Left out, far away from all others: 1 particle at most." in packed.notes


def test_a_run_that_has_run_empty_has_pictures(tmp_path: Path) -> None:
    """The last frame of a silo that has run empty has no grains."""
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    nothing = numpy.zeros(0, "f4")
    add_frame(run, 1, numpy.zeros((0, 3)), radius=nothing, velocity=numpy.zeros((0, 3), "f4"))
    assert [len(frame) for frame in run.frames] == [8, 0]
    for walls in (0.12, 0.0):
        assert render.render(run, tmp_path / "a.png", render.Look(size=64, walls=walls)).stat().st_size > 0
    look = render.Look(size=64, colour="z")
    with render.Renderer(run, [run.frames[1]], look) as empty, render.Renderer(run, [run.frames[0]], look) as full:
        assert (empty.scale, empty.camera.half_height) == (full.scale, full.camera.half_height)

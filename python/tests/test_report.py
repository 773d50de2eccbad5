from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
import runs
from browser import Browser, find_browser

from scree import Results
from scree.__main__ import main
from scree.report import grains
from scree.report.diagnostics import diagnostics
from scree.report.geometry import Surface, cell_lines, feature_lines, outline, smooth_normals
from scree.report.page import asset
from scree.report.shapes import similarity

pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")
with_browser = pytest.mark.skipif(not find_browser(), reason="there is no Chromium")


@pytest.fixture(scope="module")
def drained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    case = runs.draining_case()
    case["time"]["duration"] = 0.15
    case["title"] = "A box <without> a floor"
    return runs.run(case, tmp_path_factory.mktemp("drained"))


@pytest.fixture(scope="module")
def page(drained: Path) -> Path:
    assert main(["report", str(drained), "--pictures", "2"]) == 0
    return drained.parent / "run.html"


def test_the_page_says_what_ran(page: Path, drained: Path) -> None:
    text = page.read_text()
    assert len(text) < 10_000_000
    assert "<h1>A box &lt;without&gt; a floor</h1>" in text
    assert str(Results(drained).state_hash) in text
    for sentence in ("spheres of glass in a box", "Gravity is 9.81 m/s² along -z.", "pass the outlet hole are counted",
                     "removed_mass_hole", "Time step over the critical step"):  # fmt: skip
        assert sentence in text, sentence
    assert not re.search(r"""(src|href)\s*=\s*["'](?!data:)""", text)  # nothing is fetched
    assert not re.search(r"\b(fetch|XMLHttpRequest|import)\s*\(", text)


def test_the_view_offers_temperatures_and_names_of_materials(tmp_path: Path) -> None:
    packed = grains.pack(Results(runs.run(runs.hot_case(), tmp_path)))
    assert packed is not None
    fields = {field["label"]: field for field in packed.header["fields"]}
    assert next(iter(fields)) == "temperature"
    low, high = fields["temperature"]["range"]
    assert 290 < low < 310 < 390 < high < 401  # not from 0 K
    assert fields["speed"]["range"][0] == 0
    assert fields["material"]["names"] == ["glass", "steel"]
    assert fields["material"]["range"] == (0, 1)


NUMBERS = """
console.log(JSON.stringify([[1e-4, 2e-4, 3e-4].map((v) => numberText(v, 1e-4, 3e-4)),
  [0, 5e-4, 1e-3].map((v) => numberText(v, 5e-4, 1e-3)), [0, 2.5e-6, 5e-6].map((v) => numberText(v, 2.5e-6, 5e-6)),
  [5e5, 1e6, 1.5e6].map((v) => numberText(v, 5e5, 1.5e6)), [0, 0.25].map((v) => numberText(v, 0.25, 0.25)),
  timeText(0.0024, 0.004), timeText(0.5, 2)]));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js")
def test_numbers_of_an_axis_look_alike() -> None:
    code = asset("charts.js").split("class Chart")[0] + asset("viewer.js").split("class GrainView")[0].replace(
        '"use strict";', ""
    )
    said = subprocess.run(["node", "-e", code + NUMBERS], capture_output=True, text=True, check=True)
    assert json.loads(said.stdout) == [
        ["1e-4", "2e-4", "3e-4"], ["0.0000", "0.0005", "0.0010"], ["0", "2.5e-6", "5.0e-6"],
        ["5e5", "1.0e6", "1.5e6"], ["0.00", "0.25"], "t = 2.400 ms", "t = 0.500 s",
    ]  # fmt: skip


@with_browser
def test_the_page_is_dark_where_the_reader_wants_it(page: Path) -> None:
    with Browser() as browser:
        browser.open(page)
        browser.wait_for("return !!window.grainView")
        light = browser.picture(".chart canvas")
        wanted = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)
        browser.wait_for("return getComputedStyle(document.body).backgroundColor === 'rgb(21, 25, 29)'")
        dark = browser.picture(".chart canvas")
        assert numpy.median(light) > 240
        assert numpy.median(dark) < 60
        assert (dark.max(axis=2) > 120).mean() > 0.005  # lines and numbers are light
        assert browser.complaints() == []


@with_browser
def test_the_page_lives_without_a_network(page: Path) -> None:
    with Browser() as browser:
        browser.open(page)
        browser.wait_for("return !!window.grainView")
        first = browser.picture("#scene")
        assert first.std() > 10  # not blank
        browser.run("const m = document.getElementById('moment'); m.value = 0; m.oninput()")
        start = browser.picture("#scene")
        browser.run("const m = document.getElementById('moment'); m.value = m.max; m.oninput()")
        end = browser.picture("#scene")
        assert (numpy.abs(start - end).max(axis=2) > 30).mean() > 0.002  # the slider changes the picture
        browser.run("const c = document.getElementById('cut'); c.value = 1; c.onchange()")
        browser.run("const m = document.getElementById('moment'); m.value = 0; m.oninput()")
        assert (numpy.abs(browser.picture("#scene") - start).max(axis=2) > 30).mean() > 0.002
        chart = browser.picture(".chart canvas")
        assert (chart.min(axis=2) < 200).mean() > 0.005
        assert browser.complaints() == []
        asked = [url for url in browser.requests() if not url.startswith(("file:", "data:", "blob:", "chrome:"))]
        assert asked == []


@with_browser
def test_names_that_look_like_scripts_break_no_page(tmp_path: Path) -> None:
    case = runs.settling_case()
    case["boundaries"] = {"<!--<script>": case["boundaries"]["floor"], "</script><b>": case["boundaries"]["left"]}
    case["time"]["duration"] = 0.04
    out = runs.run(case, tmp_path)
    assert main(["report", str(out), "--pictures", "0"]) == 0
    with Browser() as browser:
        browser.open(tmp_path / "run.html")
        browser.wait_for("return !!window.grainView")
        titles = browser.run("return [...document.querySelectorAll('.chart h3')].map((title) => title.textContent)")
        assert any("Force on <!--<script>" in title for title in titles), titles
        assert browser.complaints() == []


def test_grains_that_come_and_leave_are_shown(tmp_path: Path) -> None:
    """At some moments there is no grain of a level set at all, among spheres that stay."""
    case = runs.settling_case()
    bean = {"superellipsoid": {"half_axes": [5e-3, 3.5e-3, 3e-3], "exponents": [0.7, 0.8]}, "grid_spacing": 1e-3}
    case["shapes"] = {"bean": {"type": "level_set", **bean}}
    fill = {"box": [[-0.02, -0.02, 0], [0.02, 0.02, 0.03]], "count": 2}
    case["particles"] = [
        {"shape": "bean", "material": "glass", "radius": 4e-3, "velocity": [0, 0, -3], "fill": fill},
        {"material": "glass", "radius": 2e-3, "fill": {"box": [[0, 0, 0.1], [0.02, 0.02, 0.12]], "count": 5}},
    ]
    case["boundaries"] = {"left": case["boundaries"]["left"]}
    case["domain"] = {"outlets": {"hole": {"point": [0, 0, -0.02], "normal": [0, 0, -1]}}}
    case["gravity"] = [0, 0, 0]
    case["time"]["duration"] = 0.04
    run = Results(runs.run(case, tmp_path))
    assert [len(frame) for frame in run.frames][:3] == [7, 5, 5]
    packed = grains.pack(run)
    assert packed is not None
    assert [sum(part["count"] for part in entry["grains"]) for entry in packed.header["frames"]][:3] == [2, 0, 0]
    assert {entry["count"] for entry in packed.header["frames"]} == {5}


@with_browser
def test_zooming_a_plot_and_hiding_a_line(page: Path) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    with Browser() as browser:
        browser.open(page)
        browser.wait_for("return document.querySelectorAll('.chart').length > 3")
        before = browser.picture(".chart canvas")
        canvas = browser.driver.find_element(By.CSS_SELECTOR, ".chart canvas")
        ActionChains(browser.driver).move_to_element_with_offset(canvas, -60, 0).click_and_hold().move_by_offset(
            120, 0
        ).release().perform()
        zoomed = browser.picture(".chart canvas")
        assert (numpy.abs(zoomed - before).max(axis=2) > 30).mean() > 0.002
        ActionChains(browser.driver).double_click(canvas).perform()
        browser.run("document.querySelector('.chart .keys button').click()")
        pressed = "return document.querySelector('.chart .keys button').getAttribute('aria-pressed')"
        assert browser.run(pressed) == "false"
        assert browser.complaints() == []


@with_browser
def test_a_phone_needs_no_sideways_scrolling(page: Path) -> None:
    with Browser(390, 800) as browser:
        browser.open(page)
        browser.wait_for("return !!window.grainView")
        assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth")
        assert browser.picture("#scene").std() > 10


def test_packed_positions_are_those_of_the_frames(drained: Path) -> None:
    run = Results(drained)
    packed = grains.pack(run)
    assert packed is not None
    data = gzip.decompress(base64.b64decode(packed.data))
    low, high = (numpy.array(packed.header[key]) for key in ("low", "high"))
    entry = packed.header["frames"][1]
    place = entry["position"]
    raw = numpy.frombuffer(data, "<u2", place["n"], place["at"]).reshape(-1, 3)
    frame = run.frames.at(entry["time"])
    assert numpy.abs(low + raw / 65535 * (high - low) - frame.positions[...]).max() < 1.01 / 65535 * (high - low).max()
    radius = numpy.frombuffer(data, "<u2", entry["radius"]["n"], entry["radius"]["at"]) / 65535
    assert radius * packed.header["largest"] == pytest.approx(frame.radius[...], rel=1e-4)
    json.dumps(packed.header)


def test_more_particles_than_fit_are_thinned_and_that_is_said(drained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grains, "MOST_SPHERES", 200)
    run = Results(drained)
    packed = grains.pack(run)
    assert packed is not None
    counts = [entry["count"] for entry in packed.header["frames"]]
    assert 0 < max(counts) < len(run.frames[0])
    assert "One of" in packed.notes[-1]
    assert "scree render draws all of them" in packed.notes[-1]


def test_the_best_similarity() -> None:
    rng = numpy.random.default_rng(4)
    template = rng.normal(size=(50, 3))
    template -= template.mean(axis=0)
    angle = 0.7
    turn = numpy.array([[numpy.cos(angle), -numpy.sin(angle), 0], [numpy.sin(angle), numpy.cos(angle), 0], [0, 0, 1]])
    centre, quaternion, factor, error = similarity(template, 2.5 * template @ turn.T + [1, 2, 3])
    assert centre == pytest.approx([1, 2, 3])
    assert factor == pytest.approx(2.5)
    assert error == pytest.approx(0, abs=1e-9)
    assert abs(quaternion @ [numpy.cos(angle / 2), 0, 0, numpy.sin(angle / 2)]) == pytest.approx(1)


def box_surface() -> Surface:
    corners = numpy.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = numpy.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])
    return Surface("box", corners, triangles)


def test_lines_of_a_box() -> None:
    box = box_surface()
    assert len(feature_lines(box)) == 12  # no diagonals
    assert len(outline(box, numpy.array([0.0, 1.0, 0.0]))) >= 12


def test_edges_are_sharp_and_round_sides_are_smooth() -> None:
    box = box_surface()
    points, normals, triangles = smooth_normals(box.points, box.triangles)
    assert len(points) == 24  # each corner of the box once for each of its three faces
    assert sorted(numpy.abs(normals).max(axis=1)) == pytest.approx(numpy.ones(24))  # none leans
    assert (points[triangles] == box.points[box.triangles]).all()
    turns = numpy.linspace(0, 2 * numpy.pi, 24, endpoint=False)  # the side of a cylinder in strips of 15 degrees
    ring = numpy.stack([numpy.cos(turns), numpy.sin(turns)], axis=1)
    side = numpy.concatenate([numpy.column_stack([ring, numpy.full(24, z)]) for z in (0.0, 1.0)])
    strips = numpy.array([t for k in range(24) for a, b in [(k, (k + 1) % 24)]
                          for t in ((a, b, b + 24), (a, b + 24, a + 24))])  # fmt: skip
    points, normals, _ = smooth_normals(side, strips)
    assert len(points) == 48
    assert (normals[:, :2] * points[:, :2]).sum(axis=1) == pytest.approx(numpy.ones(48), abs=0.01)


def test_the_view_has_the_edges_of_a_periodic_cell(tmp_path: Path) -> None:
    case = runs.settling_case()
    case["domain"] = {"periodic": {"axes": ["x", "y"], "origin": [-0.02, -0.02, 0], "size": [0.04, 0.04, 0.08]}}
    case["boundaries"] = {"floor": case["boundaries"]["floor"]}
    case["time"]["duration"] = 0.01
    run = Results(runs.run(case, tmp_path))
    lines = cell_lines(run.frames[0])
    assert lines is not None
    assert sorted(numpy.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)) == pytest.approx([0.04] * 8 + [0.08] * 4)
    ends, counts = numpy.unique(numpy.round(lines.reshape(-1, 3), 9), axis=0, return_counts=True)
    assert len(ends) == 8
    assert (counts == 3).all()
    packed = grains.pack(run)
    assert packed is not None
    cell = packed.header["walls"][-1]
    assert cell["name"] == "cell"
    assert len(cell["shapes"]) == len(run.frames)
    assert cell["shapes"][0]["lines"]["n"] == 12 * 2 * 3


def test_walls_that_are_not_there_at_all_times(drained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape of a moving wall belongs to its frame, also where it is missing before or after."""
    run = Results(drained)
    case = {**run.case, "boundaries": {"late": {"type": "plane", "motion": [{"type": "rotation"}]}}}
    monkeypatch.setattr(Results, "case", property(lambda self: case))
    box = box_surface()
    seen = [frame.time for frame in run.frames]
    there = seen[1:-1]
    monkeypatch.setattr(
        grains, "surfaces", lambda run, time, low, high: [replace(box, name="late")] if time in there else []
    )
    packed = grains.pack(run)
    assert packed is not None
    (wall,) = packed.header["walls"]
    assert [shape is not None for shape in wall["shapes"]] == [time in there for time in seen]


def test_walls_end_where_the_diagram_ends(page: Path) -> None:
    text = page.read_text()
    assert text.count('<clipPath id="inside02">') == text.count('<g clip-path="url(#inside02)">') == 1


def test_diagnostics_judge(tmp_path: Path) -> None:
    case = runs.settling_case()
    case["materials"]["glass"]["young_modulus"] = 1e5  # far too soft
    found = {d.name: d for d in diagnostics(Results(runs.run(case, tmp_path / "soft")))}
    assert found["Largest overlap"].verdict == "bad"
    assert found["State"].value == "done"
    assert found["Energy error"].verdict in ("good", "doubtful")
    case["materials"]["glass"]["young_modulus"] = 1e8
    found = {d.name: d for d in diagnostics(Results(runs.run(case, tmp_path / "hard")))}
    assert found["Largest overlap"].verdict == "good"
    assert found["Time step over the critical step"].verdict == "good"


@pytest.mark.parametrize("label", ["time step   ", "            "])
def test_the_least_critical_step_is_that_of_the_log(tmp_path: Path, label: str) -> None:
    """Where nothing touched at the end, older logs have it without a label, below the speed."""
    series = "time[s],critical_step[s]\n0,nan\n1,1e-3\n"
    run = runs.made_up(tmp_path / "run", runs.lattice(2, 0.1), 0.01, series)
    log = ("scree 0.1.0\ndone        3 steps, t = 1 s, wall time 0.1 s\nspeed       2.23 M particle-steps/s\n"
           f"{label}0.907 of 2.87e-05 s, the least critical step, in step 9 801\n"
           "overlap     at most 11 % of the radius, in step 10 001; 0 % at the last look\n")  # fmt: skip
    (run.folder / "run.log").write_text(log)
    found = {d.name: d for d in diagnostics(run)}["Time step over the critical step"]
    assert (found.value, found.verdict) == ("at most 0.91", "doubtful")


def test_runs_without_frames_or_series_have_reports(tmp_path: Path) -> None:
    case = runs.settling_case()
    case["time"]["duration"] = 0.005
    del case["output"]["frames"], case["output"]["series"]
    out = runs.run(case, tmp_path)
    assert main(["report", str(out), "--out", str(tmp_path / "a.html")]) == 0
    assert "The run has no frames" in (tmp_path / "a.html").read_text()
    assert main(["report", str(out), "--out", str(tmp_path / "a.txt")]) == 2


@with_browser
def test_plots_of_values_that_hardly_differ_come_to_an_end(page: Path) -> None:
    with Browser() as browser:
        browser.open(page)
        browser.wait_for("return !!window.grainView")
        for low, high in ((0.003, 0.003 + 4e-19), (1e300, 1e300 * (1 + 1e-15)), (-5e-324, 5e-324), (0, 0), (7, 7)):
            browser.run(
                f"new Chart(document.body, 'x', 'm', [0, 1], [{{name: 'y', values: [{low!r}, {high!r}]}}]).draw()"
            )
        assert browser.run("return niceTicks(1, 1 + 1e-16, 5).length") == 1
        assert browser.complaints() == []


def test_a_resumed_run_is_told_as_a_whole(tmp_path: Path) -> None:
    """Also one that was resumed after its end, whose last part makes no step."""
    case = runs.settling_case()
    case["time"] = {"duration": 0.02, "step": 1e-5}
    case["materials"]["glass"]["young_modulus"] = 1e5  # so soft that it warns
    case["particles"][0]["velocity"] = [0, 0, -2]
    out = runs.run(case, tmp_path, "--steps", "1200")
    first = Results(out).warnings
    assert any("soft" in text for text in first)
    for _ in range(2):
        runs.run(case, tmp_path, "--resume")
    run = Results(out)
    assert (run.summary["parts"], run.summary["steps"], run.log.steps) == (3, 2000, 0)
    assert set(first) <= set(run.warnings)
    assert len(run.warnings) == len(set(run.warnings))
    assert run.summary["wall_seconds"] == pytest.approx(sum(part.wall_seconds or 0 for part in run.log.parts))
    assert main(["report", str(out), "--pictures", "0"]) == 0
    page = (tmp_path / "run.html").read_text()
    assert "<dt>steps</dt><dd>2\u202f000</dd>" in page
    assert re.search(r"<dt>wall time</dt><dd>[\d.e-]+ s in 3 parts</dd>", page)


@pytest.mark.parametrize(
    ("before", "after"), [(["radius", "velocity"], ["radius"]), (["radius"], ["velocity", "radius"])]
)
def test_a_resumed_run_may_write_other_fields(tmp_path: Path, before: list[str], after: list[str]) -> None:
    case = runs.settling_case()
    case["time"]["duration"] = 0.02
    case["output"]["frames"] = {"every": 0.01, "fields": before}
    out = runs.run(case, tmp_path)
    case["time"]["duration"] = 0.04
    case["output"]["frames"]["fields"] = after
    runs.run(case, tmp_path, "--resume")
    run = Results(out)
    assert "velocity" in run.frames[0].names + run.frames[-1].names
    packed = grains.pack(run)
    assert packed is not None
    assert [field["label"] for field in packed.header["fields"]] == ["radius"]
    pytest.importorskip("pyvista")
    assert main(["report", str(out), "--pictures", "2"]) == 0
    assert (tmp_path / "run.html").read_text().count('<img alt="grains at') == 2


def test_a_run_without_steps_has_a_report(tmp_path: Path) -> None:
    out = runs.run(runs.settling_case(), tmp_path, "--steps", "0")
    assert Results(out).summary["particle_steps_per_second"] is None
    assert main(["report", str(out), "--pictures", "0"]) == 0
    assert "<dt>steps</dt><dd>0</dd>" in (tmp_path / "run.html").read_text()

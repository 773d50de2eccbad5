"""Every command of the tutorials runs, with fewer grains."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runs

TUTORIALS = Path(__file__).resolve().parents[2] / "docs/tutorials"
pytestmark = [
    pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program"),
    pytest.mark.skipif(not TUTORIALS.is_dir(), reason="there is no checkout"),
]
#: What makes each case small.
SMALL = {
    "conveyor.json": {"particles.0.radius": '{"uniform":[4.5e-3,5e-3]}', "materials.gravel.young_modulus": "2e7",
                      "materials.steel.young_modulus": "2e7", "materials.rubber.young_modulus": "2e7"},
    "crushing.json": {"particles.0.lattice.box": "[[0,0,0],[0.0132,0.0132,0.0273]]",
                      "boundaries.lid.point": "[0,0,0.027249]"},
    "drum.json": {"particles.0.fill.count": "500", "particles.1.fill.count": "500", "time.duration": "2.4",
                  "materials.left.young_modulus": "3e6", "materials.right.young_modulus": "3e6",
                  "boundaries.drum.motion.0.from": "0.2", "output.frames.every": "0.05"},
    "heap.json": {"particles.0.fill.count": "200", "particles.0.fill.cylinder.radius": "0.0145",
                  "boundaries.tube.radius": "0.015", "materials.grain.young_modulus": "1e6", "time.duration": "0.8"},
    "powder.json": {"particles.0.fill.count": "150", "particles.0.fill.cylinder.radius": "0.46e-3",
                    "boundaries.tube.radius": "0.5e-3", "materials.powder.young_modulus": "5e6",
                    "materials.glass.young_modulus": "5e6", "time.duration": "0.11"},
    "rock_brazilian.json": {"particles.0.radius": '{"uniform":[3e-3,4e-3]}', "particles.0.fill.solid_fraction": "0.52"},
    "rock_ucs.json": {"particles.0.radius": '{"uniform":[3e-3,4e-3]}', "particles.0.fill.solid_fraction": "0.52"},
    "rocks.json": {**{f"particles.{k}.fill.count": "12" for k in range(4)}, "domain.periodic.size": "[0.022,0.022,0.2]",
                   "materials.stone.young_modulus": "1e8", "time.step": "2e-5", "time.duration": "0.6",
                   "materials.stone.restitution": "0.1"},
    "soft_grains.json": {"domain.control.0.until.strain.xx": "0.09", "time.step": "1e-5"},
    "settling.json": {"materials.glass.young_modulus": "5e6"},
    "silo.json": {"particles.0.fill.count": "1000", "materials.grain.young_modulus": "1e6", "time.duration": "1.2"},
    "triaxial.json": {"domain.periodic.size": "[0.02,0.02,0.02]", "materials.sand.young_modulus": "2e8",
                      "domain.control.1.until.strain.zz": "0.1"},
    "triaxial_pack.json": {"domain.periodic.size": "[0.02,0.02,0.02]", "materials.sand.young_modulus": "2e8"},
    "triaxial_dense.json": {"materials.sand.young_modulus": "2e8", "domain.control.1.until.strain.zz": "0.1"},
}  # fmt: skip


#: Runs a block of Python after those before it, whose output does not count again.
GO_ON = """
import contextlib, io, sys
with contextlib.redirect_stdout(io.StringIO()):
    exec(sys.argv[1], globals())
exec(sys.argv[2], globals())
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    """Languages and texts of the code blocks in sh and Python, in the order of the page."""
    return re.findall(r"```(sh|python)\n(.*?)```", page.read_text(), re.DOTALL)


def run_all(name: str, folder: Path, **replaced: str) -> str:
    """Runs the commands and the Python of a page in its order; returns what the Python prints.

    `replaced` are numbers of its commands and its Python that small runs need otherwise: _2_5="1.2" for the time 2.5.
    """
    for file in TUTORIALS.iterdir():
        if file.is_file() and file.suffix not in (".md", ".png"):
            shutil.copy(file, folder)
    environment = {**os.environ, "SCREE_PYTHON": sys.executable, "MPLBACKEND": "Agg"}

    def run(words: list[str]) -> str:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, f"{shlex.join(words)}: {done.stdout[-2000:]}{done.stderr}"
        return done.stdout

    def run_command(line: str) -> None:
        words = shlex.split(line)
        if not words:
            return
        assert words[0] == "scree"
        small = [word for key, value in SMALL.get(words[2], {}).items() for word in ("--set", f"{key}={value}")]
        extra = {"run": [*small, "--quiet"], "sweep": small, "calibrate": [*small, "--points", "5"],
                 "render": ["--draft", "--size", "200"]}.get(words[1], [])  # fmt: skip
        run([runs.PROGRAM, *words[1:], *extra])

    printed, before = "", ""
    for language, text in blocks(TUTORIALS / f"{name}.md"):
        for old, small in replaced.items():
            text = text.replace(old[1:].replace("_", "."), small)
        if language == "sh":
            for line in text.splitlines():
                run_command(line)
        else:
            printed += run([sys.executable, "-c", GO_ON, before, text])
            before += text
    return printed


def test_a_drum(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    printed = run_all("drum", tmp_path, _2_5="1.2")
    torque, weight = (float(number) for number in re.findall(r"(-?[0-9.]+) N m", printed))
    assert torque == pytest.approx(weight, rel=0.05) and torque < -1e-4  # the mean of a short time
    assert (tmp_path / "out/drum.png").exists()


def test_a_triaxial_test(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    printed = run_all("triaxial", tmp_path)
    peak = {line.split(":")[0]: float(line.split("peak ")[1].split(",")[0]) for line in printed.splitlines()}
    assert peak["dense"] > peak["loose"] + 2  # [degrees]: 27 and 20 in the large runs
    assert (tmp_path / "triaxial.png").exists()


def test_settling(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    run_all("coming_from", tmp_path)
    with open(tmp_path / "out/settling/series.csv", newline="") as text:
        last = list(csv.DictReader(text))[-1]
    assert float(last["force_z_box[N]"]) == pytest.approx(-0.8300, rel=0.02)  # their weight; they tremble
    assert float(last["time[s]"]) < 0.9  # the stage has ended the run


def test_a_silo(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    run_all("silo", tmp_path)
    assert (tmp_path / "out/silo.png").exists()
    assert (tmp_path / "out/silo.html").exists()
    with open(tmp_path / "out/silo_sweep/table.csv", newline="") as text:
        rows = list(csv.DictReader(text))
    rate = {g: sum(float(r["discharge_rate[kg/s]"]) for r in rows if json.loads(r["gravity"])[2] == g) / 2
            for g in (-4.905, -9.81, -19.62)}  # fmt: skip
    assert rate[-9.81] / rate[-4.905] == pytest.approx(2**0.5, rel=0.15)  # Beverloo: the root of gravity
    assert rate[-19.62] / rate[-9.81] == pytest.approx(2**0.5, rel=0.15)


def test_crushing(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    pytest.importorskip("scipy")
    printed = run_all("crushing", tmp_path)
    numbers = [float(number) for number in re.findall(r"(?:at|rest) ([0-9.]+)", printed)]
    cell, first, rest = numbers
    assert cell == pytest.approx(6.030, rel=0.005)  # strains of a thousandth, and the row before the break
    assert first == pytest.approx(rest, rel=0.05)  # a row of the series is 0.03 of it
    assert (tmp_path / "crushing_stress.png").exists()


def test_a_conveyor(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    printed = run_all("conveyor", tmp_path)
    numbers = [float(number) for number in re.findall(r"-?[0-9]+\.[0-9]+", printed.replace("2 m/s", ""))]
    for measured, expected in zip(numbers[::2], numbers[1::2], strict=True):
        assert measured == pytest.approx(expected, rel=0.1)  # few grains, half a second
    assert (tmp_path / "out/conveyor.png").exists()


def test_powders(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    pytest.importorskip("matplotlib")
    printed = run_all("powder", tmp_path)
    pull = re.findall(r"pull-off ([0-9.e-]+) N, expected ([0-9.e-]+) N", printed)
    assert len(pull) == 2
    for measured, expected in pull:
        assert float(measured) == pytest.approx(float(expected), rel=2e-4)  # the row nearest to the largest force
    heights = [[float(height) for height in line] for line in re.findall(r"([0-9.]+) mm high.* ([0-9.]+) mm", printed)]
    (sticky_before, sticky), (dry_before, dry) = heights
    assert sticky > 0.8 * sticky_before and dry < 0.7 * dry_before
    assert (tmp_path / "pull.png").exists()


def test_a_rock(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    printed = run_all("rock", tmp_path)
    pairs = re.findall(r"([0-9.]+)(?: GPa)?, at rest ([0-9.]+)", printed)
    assert len(pairs) == 2
    for measured, at_rest in pairs:
        assert float(measured) == pytest.approx(float(at_rest), rel=0.03)  # inertia; spheres that reach a platen later
    plain, far = (float(number) for number in re.findall(r"; ratio ([0-9.]+)", printed))
    assert far > plain > 2  # coarse packings; 11 and 5 on the page
    assert (tmp_path / "rock.png").exists()


def test_rocks(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    printed = run_all("rocks", tmp_path, _0_04="0.022")
    force, weight = (float(number) for number in re.findall(r"([0-9.]+) N", printed))
    assert force == pytest.approx(weight, rel=0.03)  # volumes within 0.0013; the bed trembles
    assert (tmp_path / "out/rocks.png").exists()


def test_soft_grains(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    pytest.importorskip("matplotlib")
    printed = run_all("soft_grains", tmp_path, _0_00125="0.0016")
    rows = [[float(number) for number in re.findall(r"0\.[0-9]+", line)] for line in printed.splitlines()]
    rows = [row for row in rows if 0.03 < row[0] < 0.085]
    assert len(rows) == 4
    for _, _, pressure, elements, hertz in rows:
        assert pressure == pytest.approx(elements, rel=0.1)  # a coarse ball; 0.025 with the grid of the page
        assert pressure > 1.2 * hertz
    assert (tmp_path / "soft_grains_pressure.png").exists()


def test_a_heap(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    pytest.importorskip("scipy")
    run_all("heap", tmp_path)
    found = json.loads((tmp_path / "out/heap_calibration/calibration.json").read_text())
    assert 0.05 <= found["values"]["materials.grain.rolling.friction"] <= 0.5
    assert found["runs"] >= 8

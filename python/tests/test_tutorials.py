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
    "heap.json": {"particles.0.fill.count": "200", "particles.0.fill.cylinder.radius": "0.0145",
                  "boundaries.tube.radius": "0.015", "materials.grain.young_modulus": "1e6", "time.duration": "0.8"},
    "silo.json": {"particles.0.fill.count": "1000", "materials.grain.young_modulus": "1e6", "time.duration": "1.2"},
}  # fmt: skip


def commands(page: Path) -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines() if line.strip()]


def run_all(name: str, folder: Path) -> None:
    for file in TUTORIALS.glob("*.json"):
        shutil.copy(file, folder)
    for words in commands(TUTORIALS / f"{name}.md"):
        assert words[0] == "scree"
        small = [word for key, value in SMALL[f"{name}.json"].items() for word in ("--set", f"{key}={value}")]
        extra = {"run": [*small, "--quiet"], "sweep": small, "calibrate": [*small, "--points", "5"],
                 "render": ["--draft", "--size", "200"]}.get(words[1], [])  # fmt: skip
        environment = {**os.environ, "SCREE_PYTHON": sys.executable}
        done = subprocess.run([runs.PROGRAM, *words[1:], *extra], cwd=folder, capture_output=True, text=True,
                              check=False, env=environment)  # fmt: skip
        assert done.returncode == 0, f"{shlex.join(words)}: {done.stdout[-2000:]}{done.stderr}"


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


def test_a_heap(tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    pytest.importorskip("scipy")
    run_all("heap", tmp_path)
    found = json.loads((tmp_path / "out/heap_calibration/calibration.json").read_text())
    assert 0.05 <= found["values"]["materials.grain.rolling.friction"] <= 0.5
    assert found["runs"] >= 8

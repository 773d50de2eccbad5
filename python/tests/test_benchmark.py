"""The cases of configs/benchmark/ are valid, and scripts/benchmark.py runs them and compares their figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import runs
from conftest import ROOT

SCRIPT = ROOT / "scripts/benchmark.py"
CASES = sorted((ROOT / "configs/benchmark").glob("*.json"))


def fewer(case: str) -> list[str]:
    """Changes that make a case quick to begin: a silo takes some time to fill."""
    return ["--set", "particles.0.fill.count=500"] if case.startswith("silo") else []


def benchmark(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)


def write_fall(folder: Path, lowest: float, last: float) -> None:
    """The series of a ball that falls freely for 0.0205 s, reaches its lowest point at 0.03 s, and comes back."""
    lines = ["time[s],step,ball_0_position_z[m]"]
    for k in range(201):
        t = 5e-4 * k
        fall = -5 * t - 9.81 / 2 * t * t if k <= 41 else lowest if k == 60 else last
        lines.append(f"{t:.6g},{1000 * k},{0.06 + fall:.9g}")
    (folder / "series.csv").write_text("\n".join(lines) + "\n")


def test_there_are_cases() -> None:
    assert {file.stem for file in CASES} >= {"penetration_25k", "drum", "silo", "silo_small"}


@pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")
@pytest.mark.parametrize("case", CASES, ids=lambda file: file.stem)
def test_each_case_passes_the_check(case: Path) -> None:
    done = subprocess.run(
        [runs.PROGRAM, "check", str(case), *fewer(case.stem)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")
@pytest.mark.parametrize("case", ["penetration", "drum", "silo", "silo_small"])
def test_the_script_runs_a_case(case: str, tmp_path: Path) -> None:
    short = ["--set", "time.duration=6e-5", "--out", tmp_path / "out", "--program", runs.PROGRAM, *fewer(case)]
    done = benchmark(case, *short, "--backend", "host", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert "not reached" in done.stdout
    assert "pass" not in done.stdout


def test_figures_in_the_ranges_pass(tmp_path: Path) -> None:
    write_fall(tmp_path, lowest=-0.1385, last=-0.04)
    done = benchmark("penetration", "--read", "--out", tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("pass") == 4


def test_a_figure_outside_fails(tmp_path: Path) -> None:
    write_fall(tmp_path, lowest=-0.1385, last=-0.1)
    done = benchmark("penetration", "--read", "--out", tmp_path)
    assert done.returncode == 1
    assert done.stdout.count("pass") == 3
    assert "FAIL" in done.stdout
